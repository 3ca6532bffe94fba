package io.gpusched.conformance;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Files of {@code "format": "gpu-sharing-vectors/1"}: a system and its vectors, each of some kind. */
final class SharingFormat implements VectorFormat {
    private final VectorKinds kinds;

    SharingFormat(VectorKinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public boolean matches(YamlNode root) {
        return root.has("format") && root.at("format").textOr("").equals("gpu-sharing-vectors/1");
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        String system = root.need("system").text();
        List<CaseResult> results = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (YamlNode element : root.need("vectors").list()) {
            String id = element.need("id").text();
            if (!seen.add(id)) {
                throw element.at("id").error("must be unique in its file");
            }
            String kind = element.need("kind").text();
            YamlNode expected = element.need("expect");
            if (!JsonDiff.comparesAnything(JsonValues.of(expected))) {
                throw expected.error("must say what is expected");
            }
            String advice = element.at("advice").textOr("match");
            VectorCase vector = new VectorCase(id, system, kind, advice, element);
            results.add(new CaseResult(id, system, kind, advice, kinds.run(vector)));
        }
        return results;
    }
}
