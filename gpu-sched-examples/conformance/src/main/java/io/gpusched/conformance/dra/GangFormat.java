package io.gpusched.conformance.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.conformance.CaseResult;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorFormat;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Arrays of gangs whose claims are chosen together. Each is a case of kind {@code gang}: as feasible as an exhaustive search found, with
 * a legal choice or a smallest conflict; and, where Kubernetes' own steps were recorded, one of kind {@code gang-stock}: pod after
 * pod, the same nodes and devices, stuck at the same pod.
 */
public final class GangFormat implements VectorFormat {
    private static final String SYSTEM = "kubernetes-dra";

    @Override
    public boolean matches(YamlNode root) {
        return root.kind() == YamlNode.Kind.LIST
                && !root.list().isEmpty()
                && root.list().get(0).has("slices")
                && root.list().get(0).has("pods")
                && root.list().get(0).at("expected").has("feasible");
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        List<CaseResult> results = new ArrayList<>();
        for (YamlNode element : root.list()) {
            String name = element.need("name").text();
            JsonNode vector = JsonValues.of(element);
            results.add(result(name, "gang", () -> GangVerdict.joint(vector)));
            results.add(result(name, "gang-stock", () -> GangVerdict.stock(vector)));
        }
        return results;
    }

    private static CaseResult result(String id, String kind, Supplier<Outcome> run) {
        Outcome outcome;
        try {
            outcome = run.get();
        } catch (IllegalArgumentException e) {
            outcome = new Outcome.Malformed(id + ": " + e.getMessage());
        }
        return new CaseResult(id, SYSTEM, kind, "match", outcome);
    }
}
