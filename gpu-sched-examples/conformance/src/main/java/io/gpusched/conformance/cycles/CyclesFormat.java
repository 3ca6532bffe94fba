package io.gpusched.conformance.cycles;

import io.gpusched.conformance.CaseResult;
import io.gpusched.conformance.Difference;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorFormat;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;

/** Files of {@code "schema": "gpu-sched-cycles/1"} and {@code /2}: scenarios of eviction loops. */
public final class CyclesFormat implements VectorFormat {
    private static final String SCHEMA = "gpu-sched-cycles/";

    @Override
    public boolean matches(YamlNode root) {
        return root.has("schema") && root.at("schema").textOr("").startsWith(SCHEMA);
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        List<CaseResult> results = new ArrayList<>();
        for (YamlNode scenario : root.need("cases").list()) {
            String id = scenario.need("id").text();
            results.add(new CaseResult(id, "cycles", "scenario", "match", Outcome.attempt(() -> play(scenario))));
        }
        return results;
    }

    private static Outcome play(YamlNode scenario) {
        CycleHistory history = CycleSimulation.run(scenario);
        List<Difference> differences = CycleRules.violations(history);
        for (YamlNode property : scenario.need("properties").list()) {
            differences.addAll(CycleProperty.violations(property, history));
        }
        return Outcome.of(differences);
    }
}
