package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Files of {@code "schema": "gpu-sched-vectors/1"} and {@code "gpu-sched-fairshare/1"}: cases of KAI-Scheduler. The kind
 * of a case is its run mode, or {@code fair-share}.
 */
final class KaiFormat implements VectorFormat {
    private static final Set<String> SCHEMAS = Set.of("gpu-sched-vectors/1", "gpu-sched-fairshare/1");

    private final VectorKinds kinds;

    KaiFormat(VectorKinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public boolean matches(JsonNode root) {
        return SCHEMAS.contains(root.path("schema").asText());
    }

    @Override
    public List<CaseResult> run(String file, JsonNode root) {
        boolean fairShare = root.path("schema").asText().equals("gpu-sched-fairshare/1");
        List<CaseResult> results = new ArrayList<>();
        for (Field element : new Field(file, "", "$", root).need("cases").list()) {
            String id = element.need("id").text();
            Field named = new Field(file, id, "$", element.json());
            String kind =
                    fairShare ? "fair-share" : named.need("run").need("mode").text();
            VectorCase vector = new VectorCase(file, id, "kai", kind, "match", element.json());
            results.add(new CaseResult(id, "kai", kind, "match", kinds.run(vector)));
        }
        return results;
    }
}
