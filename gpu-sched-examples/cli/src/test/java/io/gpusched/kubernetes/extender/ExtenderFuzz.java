package io.gpusched.kubernetes.extender;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.kubernetes.dialect.Dialects;
import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.view.DialectSet;
import java.time.Clock;
import java.util.List;

/** What is posted to the extender is answered or refused as a bad request. */
public final class ExtenderFuzz {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ClusterMirror MIRROR =
            new ClusterMirror(new DialectSet(List.of(Dialects.find("nano-gpu").orElseThrow())), Clock.systemUTC());

    private ExtenderFuzz() {}

    /** Reads one body, as each verb does. */
    public static void fuzzerTestOneInput(byte[] data) {
        JsonNode body = body(data);
        if (body == null) {
            return;
        }
        tried(() -> new FilterVerb(MIRROR).filter(FilterArguments.read(body)));
        tried(() -> PreemptionArguments.read(body));
        tried(() -> BindingArguments.read(body));
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

    private static JsonNode body(byte[] data) {
        try {
            return JSON.readTree(data);
        } catch (JsonProcessingException e) {
            return null;
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
