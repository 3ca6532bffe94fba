package io.gpusched.conformance;

import io.gpusched.manifests.yaml.YamlNode;
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
    public boolean matches(YamlNode root) {
        return root.has("schema") && SCHEMAS.contains(root.at("schema").textOr(""));
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        boolean fairShare = root.at("schema").textOr("").equals("gpu-sched-fairshare/1");
        List<CaseResult> results = new ArrayList<>();
        for (YamlNode element : root.need("cases").list()) {
            String id = element.need("id").text();
            String kind =
                    fairShare ? "fair-share" : element.need("run").need("mode").text();
            VectorCase vector = new VectorCase(id, "kai", kind, "match", element);
            results.add(new CaseResult(id, "kai", kind, "match", kinds.run(vector)));
        }
        return results;
    }
}
