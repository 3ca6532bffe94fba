package io.gpusched.conformance.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.conformance.CaseResult;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorFormat;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrays of cases of Kubernetes' allocator of devices: what each node answers. Each verdict is a case of kind
 * {@code first-fit}, which must be the recorded answer, and one of kind {@code exact}, which must be as feasible and as good.
 */
public final class DraFormat implements VectorFormat {
    private static final String SYSTEM = "kubernetes-dra";

    @Override
    public boolean matches(YamlNode root) {
        return root.kind() == YamlNode.Kind.LIST
                && !root.list().isEmpty()
                && root.list().get(0).has("slices")
                && root.list().get(0).has("claims")
                && !root.list().get(0).has("pod")
                && root.list().get(0).at("expected").kind() == YamlNode.Kind.LIST;
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        List<CaseResult> results = new ArrayList<>();
        for (YamlNode element : root.list()) {
            String name = element.need("name").text();
            JsonNode vector = JsonValues.of(element);
            for (JsonNode expected : vector.path("expected")) {
                JsonNode versions = expected.path("kubernetes");
                if (versions.isMissingNode() || DraCase.texts(versions).stream().anyMatch(DraFormat::isNewest)) {
                    String id = name + " on " + expected.path("node").asText();
                    results.add(result(id, "first-fit", () -> DraVerdict.firstFit(vector, expected)));
                    results.add(result(id, "exact", () -> DraVerdict.exact(vector, expected)));
                }
            }
        }
        return results;
    }

    private static boolean isNewest(String version) {
        return version.startsWith("1.38");
    }

    private static CaseResult result(String id, String kind, java.util.function.Supplier<Outcome> run) {
        Outcome outcome;
        try {
            outcome = run.get();
        } catch (IllegalArgumentException e) {
            outcome = new Outcome.Malformed(id + ": " + e.getMessage());
        }
        return new CaseResult(id, SYSTEM, kind, "match", outcome);
    }
}
