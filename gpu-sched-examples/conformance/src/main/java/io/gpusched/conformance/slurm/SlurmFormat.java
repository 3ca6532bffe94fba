package io.gpusched.conformance.slurm;

import io.gpusched.conformance.CaseResult;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorFormat;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.slurm.SlurmEnvironment;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmNode;
import io.gpusched.dialect.slurm.SlurmRequest;
import io.gpusched.dialect.slurm.SlurmScheduler;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Recordings of a real Slurm: {@code "slurm"}, {@code "nodes"} and {@code "steps"}. Each step is a case; what runs carries
 * over from one to the next. After a step that is answered otherwise the recording goes on with what Slurm did.
 */
public final class SlurmFormat implements VectorFormat {
    private static final long NODE_MEMORY_MIB = 100_000;
    private static final long TASK_MEMORY_MIB = 100;

    @Override
    public boolean matches(YamlNode root) {
        return root.has("slurm") && root.has("nodes") && root.has("steps");
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        List<Node> nodes = new ArrayList<>();
        root.need("nodes").map().forEach((name, node) -> nodes.add(node(name, node)));
        SlurmReplay replay = new SlurmReplay(nodes, TASK_MEMORY_MIB);
        List<CaseResult> results = new ArrayList<>();
        int number = 0;
        for (YamlNode step : root.need("steps").list()) {
            String id = "step " + number++;
            results.add(new CaseResult(
                    id, "slurm", step.need("op").textOr(""), "match", Outcome.attempt(() -> play(replay, step))));
        }
        return results;
    }

    private static Outcome play(SlurmReplay replay, YamlNode step) {
        YamlNode operation = step.need("op");
        return switch (operation.text()) {
            case "submit" -> submit(replay, step);
            case "end" -> end(replay, step);
            default -> throw operation.error("must be submit or end");
        };
    }

    private static Node node(String name, YamlNode node) {
        long cpus = node.need("cpus").number();
        long memory = node.at("memory").numberOr(NODE_MEMORY_MIB);
        try {
            return SlurmNode.of(
                    name, cpus, memory, SlurmGres.parseList(node.need("gres").text()));
        } catch (IllegalArgumentException e) {
            throw node.at("gres").error(String.valueOf(e.getMessage()));
        }
    }

    private static Outcome end(SlurmReplay replay, YamlNode step) {
        String id = step.need("id").text();
        return replay.end(id) ? Outcome.passed() : Outcome.failed("$.id", "job " + id + " runs", "no such job");
    }

    private static Outcome submit(SlurmReplay replay, YamlNode step) {
        YamlNode result = step.need("result");
        String id = step.at("id").isPresent() ? step.at("id").text() : "rejected";
        Map<String, String> options = new TreeMap<>();
        options.put("gres", step.need("gres").text());
        options.put("nodes", String.valueOf(step.at("nodes").integerOr(1)));
        step.at("nodelist").optional().ifPresent(names -> options.put("nodelist", names.text()));
        Map<String, String> expected = expected(result);
        SlurmScheduler.Verdict answer = answer(replay, id, options);
        Map<String, String> actual = describe(replay, answer);
        if (actual.equals(expected)) {
            if (answer instanceof SlurmScheduler.Verdict.Started started) {
                replay.start(id, started.placements());
            }
            return Outcome.passed();
        }
        follow(replay, id, step, expected);
        return Outcome.failed("$.result", expected.toString(), actual.toString());
    }

    private static SlurmScheduler.Verdict answer(SlurmReplay replay, String id, Map<String, String> options) {
        try {
            return replay.submit(id, SlurmRequest.of(options).resolve());
        } catch (RefusedException e) {
            return new SlurmScheduler.Verdict.Rejected(e.rule());
        }
    }

    private static Map<String, String> expected(YamlNode result) {
        Map<String, String> grants = new TreeMap<>();
        if (result.kind() == YamlNode.Kind.TEXT) {
            grants.put("state", result.text());
            return grants;
        }
        for (YamlNode pair : result.list()) {
            List<YamlNode> parts = pair.list();
            if (parts.size() != 2) {
                throw pair.error("must be a node list and a grant");
            }
            SlurmNodes.expand(parts.get(0))
                    .forEach(node -> grants.put(node, parts.get(1).text()));
        }
        return grants;
    }

    private static Map<String, String> describe(SlurmReplay replay, SlurmScheduler.Verdict answer) {
        Map<String, String> grants = new TreeMap<>();
        if (answer instanceof SlurmScheduler.Verdict.Started started) {
            for (Placement placement : started.placements()) {
                grants.put(placement.node(), SlurmEnvironment.grant(replay.node(placement.node()), placement));
            }
        } else {
            grants.put("state", answer instanceof SlurmScheduler.Verdict.Pending ? "pending" : "rejected");
        }
        return grants;
    }

    /** Takes over what Slurm started, where it can be expressed. */
    private static void follow(SlurmReplay replay, String id, YamlNode step, Map<String, String> expected) {
        if (expected.containsKey("state")) {
            return;
        }
        List<Placement> placements = new ArrayList<>();
        expected.forEach((node, grant) ->
                placements.add(SlurmNodes.placement(replay.node(node), id + "-" + placements.size(), grant, step)));
        try {
            replay.start(id, placements);
        } catch (PlacementConflictException e) {
            // The books differ already; that step is reported as failed, and so are those that build on it.
            return;
        }
    }
}
