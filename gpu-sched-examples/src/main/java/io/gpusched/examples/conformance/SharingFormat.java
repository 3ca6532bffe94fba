package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
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
    public boolean matches(JsonNode root) {
        return root.path("format").asText().equals("gpu-sharing-vectors/1");
    }

    @Override
    public List<CaseResult> run(String file, JsonNode root) {
        Field whole = new Field(file, "", "$", root);
        String system = whole.need("system").text();
        List<CaseResult> results = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Field element : whole.need("vectors").list()) {
            String id = element.need("id").text();
            if (!seen.add(id)) {
                throw element.at("id").malformed("must be unique in its file");
            }
            Field named = new Field(file, id, "$", element.json());
            String kind = named.need("kind").text();
            Field expected = named.need("expect");
            if (!JsonDiff.comparesAnything(expected.json())) {
                throw expected.malformed("must say what is expected");
            }
            String advice = named.at("advice").textOr("match");
            VectorCase vector = new VectorCase(file, id, system, kind, advice, element.json());
            results.add(new CaseResult(id, system, kind, advice, kinds.run(vector)));
        }
        return results;
    }
}
