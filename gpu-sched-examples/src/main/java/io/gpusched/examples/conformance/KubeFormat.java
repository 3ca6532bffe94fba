package io.gpusched.examples.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.examples.conformance.kube.KubeVector;
import java.util.ArrayList;
import java.util.List;

/** Arrays of cases, each with a {@code theme}, that kube-scheduler answered. The kind of a case is its theme. */
final class KubeFormat implements VectorFormat {
    @Override
    public boolean matches(JsonNode root) {
        return root.isArray() && root.path(0).has("theme") && root.path(0).has("expected");
    }

    @Override
    public List<CaseResult> run(String file, JsonNode root) {
        List<CaseResult> results = new ArrayList<>();
        for (JsonNode json : root) {
            String id = json.path("name").asText();
            results.add(
                    new CaseResult(id, "kube-scheduler", json.path("theme").asText(), "match", run(file, id, json)));
        }
        return results;
    }

    private static Outcome run(String file, String id, JsonNode json) {
        for (String field : List.of("pod", "nodes", "pods", "namespaces", "expected")) {
            if (json.path(field).isMissingNode()) {
                return new Outcome.Malformed(
                        String.valueOf(new MalformedVectorException(file, id, field, "must be there").getMessage()));
            }
        }
        try {
            return KubeVector.run(json);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return new Outcome.Malformed(String.valueOf(
                    new MalformedVectorException(file, id, "", String.valueOf(e.getMessage())).getMessage()));
        }
    }
}
