package io.gpusched.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.gpusched.conformance.kube.KubeVector;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;

/** Arrays of cases, each with a {@code theme}, that kube-scheduler answered. The kind of a case is its theme. */
final class KubeFormat implements VectorFormat {
    @Override
    public boolean matches(YamlNode root) {
        return root.kind() == YamlNode.Kind.LIST
                && !root.list().isEmpty()
                && root.list().get(0).has("theme")
                && root.list().get(0).has("expected");
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        List<CaseResult> results = new ArrayList<>();
        for (YamlNode vector : root.list()) {
            String id = vector.need("name").text();
            results.add(
                    new CaseResult(id, "kube-scheduler", vector.need("theme").text(), "match", outcome(vector)));
        }
        return results;
    }

    private static Outcome outcome(YamlNode vector) {
        try {
            for (String field : List.of("pod", "nodes", "pods", "namespaces", "expected")) {
                vector.need(field);
            }
            return KubeVector.run(JsonValues.of(vector));
        } catch (InputException e) {
            return new Outcome.Malformed(String.valueOf(e.getMessage()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return new Outcome.Malformed(
                    String.valueOf(vector.error(String.valueOf(e.getMessage())).getMessage()));
        }
    }
}
