package io.gpusched.internal.fit;

import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** What the choices of a {@link LayoutLoad} come to: grants, and states of the node. */
final class LayoutOutcome {
    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private final @Nullable PlaceLoad places;

    LayoutOutcome(LayoutProblem problem, LayoutLoad load) {
        this.problem = problem;
        this.plan = problem.plan;
        this.load = load;
        this.places = load.places;
    }

    /** What each container gets, in the pod's order, if units have these choices. */
    List<GpuGrant> grants(int[] choices) {
        GpuGrant[] grants = new GpuGrant[plan.containers];
        for (int d = 0; d < grants.length; d++) {
            grants[plan.position[d]] = grant(d, choices);
        }
        return List.of(grants);
    }

    private GpuGrant grant(int depth, int[] choices) {
        int[] mine = Arrays.copyOfRange(choices, plan.firstUnit[depth], plan.firstUnit[depth + 1]);
        if (places != null && plan.cut[depth]) {
            List<GpuPartition> partitions =
                    Arrays.stream(mine).mapToObj(places::partition).sorted().toList();
            return new GpuGrant.Partitions(partitions);
        }
        long mask = 0;
        for (int gpu : mine) {
            mask |= 1L << gpu;
        }
        return Layout.grant(plan.requests.get(plan.type[depth]), problem.node, mask);
    }

    /** What the container at this depth gets, once all its units are placed. */
    GpuGrant granted(int depth) {
        return grant(depth, load.choices());
    }

    /** Whether the pod takes partitions and other GPUs, too. */
    boolean isMixed() {
        return plan.partitions > 0 && plan.partitions < plan.units();
    }

    /** The node with what the pod takes of its GPUs while it runs, init containers included, and so much CPU and memory. */
    NodeState assumed(Resources held) {
        long whole = 0;
        for (int d = 0; d < plan.containers; d++) {
            whole |= takesWhole(d) ? load.chosen(d) : 0;
        }
        return assumed(held, whole, load::taken);
    }

    /** The node as the container at this depth finds it: an init container beside the sidecars before it, any other beside those before. */
    NodeState seen(int depth) {
        long whole = 0;
        for (int d = 0; d < depth; d++) {
            boolean runs = !plan.init[d] && (!plan.init[depth] || plan.group[d] <= plan.group[depth]);
            whole |= runs && takesWhole(d) ? load.chosen(d) : 0;
        }
        return assumed(Resources.NONE, whole, g -> load.beside(depth, g));
    }

    private boolean takesWhole(int depth) {
        return GpuTake.isWhole(plan.requests.get(plan.type[depth]));
    }

    private NodeState assumed(Resources held, long whole, IntToLongFunction taken) {
        List<GpuShare> shares = new ArrayList<>();
        for (int g = 0; g < problem.gpus; g++) {
            long word = (whole >>> g & 1) == 0 ? taken.applyAsLong(g) : 0;
            if (word != 0) {
                shares.add(new GpuShare(g, GpuWord.compute(word), GpuWord.memory(word), GpuWord.slots(word)));
            }
        }
        NodeState cut = places == null ? problem.node : places.assumed(held);
        boolean isCutOnly = places != null && whole == 0 && shares.isEmpty();
        return isCutOnly ? cut : cut.assuming(places == null ? held : Resources.NONE, whole, shares);
    }
}
