package io.gpusched.kubernetes.extender;

import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.view.DialectSet;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.List;

/** What is posted to the extender is answered or refused as a bad request. */
public final class ExtenderFuzz {
    private static final ClusterMirror MIRROR =
            new ClusterMirror(new DialectSet(List.of(Dialects.find("nano-gpu").orElseThrow())), Clock.systemUTC());

    private ExtenderFuzz() {}

    /** Reads one body, as each verb does. */
    public static void fuzzerTestOneInput(byte[] data) {
        Request request = new Request("/", Buffer.buffer(data));
        tried(() -> new FilterVerb(MIRROR).filter(FilterArguments.read(request.json())));
        tried(() -> PreemptionArguments.read(request.json()));
        tried(() -> BindingArguments.read(request.json()));
    }

    private static void tried(Runnable verb) {
        try {
            verb.run();
        } catch (HttpProblem refused) {
            if (refused.status() != 400) {
                throw refused;
            }
        }
    }
}
