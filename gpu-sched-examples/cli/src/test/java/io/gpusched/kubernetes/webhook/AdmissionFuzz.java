package io.gpusched.kubernetes.webhook;

import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.view.DialectSet;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;

/** What is posted to the webhook is answered or refused as a bad request. */
public final class AdmissionFuzz {
    private static final Admission ADMISSION = new Admission(
            new DialectSet(List.of(
                    Dialects.find("t9k").orElseThrow(),
                    Dialects.find("nano-gpu").orElseThrow())),
            "gpu-sched",
            new GrantGuard(Set.of("system:serviceaccount:gpu-sched:gpu-sched-kube")));

    private AdmissionFuzz() {}

    /** Reads one body. */
    public static void fuzzerTestOneInput(byte[] data) {
        try {
            ADMISSION.review(new Request("/", Buffer.buffer(data)).json());
        } catch (HttpProblem refused) {
            if (refused.status() != 400) {
                throw refused;
            }
        }
    }
}
