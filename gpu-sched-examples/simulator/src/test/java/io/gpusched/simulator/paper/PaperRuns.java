package io.gpusched.simulator.paper;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.Run;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs of the paper's policies for tests. */
final class PaperRuns {
    private PaperRuns() {}

    /** Plays one order on one policy. */
    static RunResult play(Workload workload, ArrivalOrder order, String policy, RunListener listener) {
        ArrivalSequence arrivals = ArrivalSequence.of(workload, order);
        TypicalMix mix = TypicalMix.of(workload.pods());
        return Run.play(
                workload, policy, arrivals, mix, PaperPolicies.placer(policy, workload, arrivals, mix), listener);
    }

    /** Returns a line for each pod in order of arrival, as the authors' program wrote them. */
    static List<String> placements(Workload workload, ArrivalOrder order, String policy) {
        List<String> names = workload.nodes().stream().map(Node::name).toList();
        List<String> lines = new ArrayList<>();
        play(
                workload,
                order,
                policy,
                (pod, placement) -> lines.add(lines.size() + " " + pod.name() + " " + where(names, order, placement)));
        return lines;
    }

    private static String where(List<String> names, ArrivalOrder order, Optional<Placement> placement) {
        if (placement.isEmpty()) {
            return "FAIL";
        }
        String node = placement.get().node();
        int rank = order.nodeRanks().get(names.indexOf(node));
        return String.format("%04d-%s %s", rank, node, placement.get().gpus()).replace(",", "");
    }
}
