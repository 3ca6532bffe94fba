package io.gpusched.internal.gang;

import io.gpusched.internal.fit.ContainerSearch;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which numbers of a group's members of each kind one node can take together: exact, by trying all layouts. */
public final class NodeOptions {
    /*
     * Kind by kind, members are added one at a time to every state of the node that can be reached so far. States with
     * the same numbers of members in which the GPUs are used alike, whatever their indexes, are one state: what can be
     * added to them is the same. Of such twins the one whose members' scores add up to more is kept.
     */
    private static final int STEPS_PER_LAYOUT = 20;

    private final Gang gang;
    private final PlacementPolicy policy;
    private final StepLimit limit;
    private final List<Container> distinguishing = new ArrayList<>();

    /**
     * A way to fill a node.
     *
     * @param byKind how many members of each kind are on it
     * @param placements where they are, in the order in which they were added
     * @param score the sum of their scores
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Option(int[] byKind, NodeState node, List<Placement> placements, long score) {
        Option with(Gang.Member member, Placement placement, PlacementPolicy policy) {
            int[] counts = byKind.clone();
            counts[member.kind().index()]++;
            NodeState after = node.with(placement);
            List<Placement> more = new ArrayList<>(placements);
            more.add(placement);
            long gain = policy.score(node, after, member.demand().pod());
            return new Option(counts, after, more, score + gain);
        }

        /** Whether this has as many members of each kind, and more of one or at least as good a score. */
        boolean covers(Option other) {
            return Counts.covers(byKind, other.byKind)
                    && (score >= other.score || !Arrays.equals(byKind, other.byKind));
        }
    }

    public NodeOptions(Gang gang, PlacementPolicy policy, StepLimit limit) {
        this.gang = gang;
        this.policy = policy;
        this.limit = limit;
        gang.kinds().forEach(kind -> distinguishing.addAll(kind.demand().gpuContainers()));
    }

    /**
     * Returns the fullest ways to fill a node: none has as many members of each kind as another.
     *
     * @param admitted by kind, whether the node may take it at all
     */
    public List<Option> fullest(NodeState node, boolean[] admitted) {
        String[] devices = devices(node);
        List<Option> reached = List.of(new Option(new int[admitted.length], node, List.of(), 0));
        for (Gang.Kind kind : gang.kinds()) {
            if (admitted[kind.index()]) {
                reached = withKind(reached, kind, devices);
            }
        }
        return undominated(reached);
    }

    private List<Option> withKind(List<Option> before, Gang.Kind kind, String[] devices) {
        List<Option> all = new ArrayList<>(before);
        List<Option> front = before;
        for (int i = 0; i < kind.size() && !front.isEmpty(); i++) {
            Map<String, Option> next = new LinkedHashMap<>();
            for (Option option : front) {
                for (Option more : more(option, kind.members().get(i))) {
                    next.merge(key(more, devices), more, (old, twin) -> twin.score() > old.score() ? twin : old);
                }
            }
            front = new ArrayList<>(next.values());
            all.addAll(front);
        }
        return all;
    }

    private List<Option> more(Option option, Gang.Member member) {
        List<Option> more = new ArrayList<>();
        NodeState node = option.node();
        if (!NodeFit.hasResources(member.demand(), node)) {
            return more;
        }
        if (gang.isCountable()) {
            LayoutSearch.Found best = LayoutSearch.best(member.demand(), node, policy);
            if (best != null) {
                more.add(option.with(member, best.placement(), policy));
            }
            return more;
        }
        boolean complete = ContainerSearch.forEach(member.demand(), node, distinguishing, placement -> {
            if (limit.take(STEPS_PER_LAYOUT)) {
                more.add(option.with(member, placement, policy));
            }
        });
        if (!complete) {
            limit.giveUp();
        }
        return more;
    }

    /** Names the GPUs so that two have the same name if no member can tell them apart when idle. */
    private String[] devices(NodeState node) {
        String[] devices = new String[node.gpuCount()];
        for (int g = 0; g < devices.length; g++) {
            Gpu gpu = node.node().gpus().get(g);
            StringBuilder name = new StringBuilder(gpu.model() + "/" + gpu.computeMillis() + "/" + gpu.memoryMib() + "/"
                    + gpu.slots() + "/" + gpu.numaNode() + "/" + gpu.healthy() + "/");
            for (Container container : distinguishing) {
                name.append(container.gpu().selector().accepts(gpu) ? '+' : '-');
            }
            devices[g] = name.toString();
        }
        return devices;
    }

    /** Tells states apart by what is left on the GPUs, those of the same name in any order. */
    private static String key(Option option, String[] devices) {
        NodeState node = option.node();
        String[] gpus = new String[devices.length];
        for (int g = 0; g < gpus.length; g++) {
            gpus[g] = devices[g] + (node.isWhole(g) ? ":w:" : ":") + node.freeComputeMillis(g) + ":"
                    + node.freeMemoryMib(g) + ":" + node.freeSlots(g);
        }
        Arrays.sort(gpus);
        return Arrays.toString(option.byKind()) + Arrays.toString(gpus);
    }

    private static List<Option> undominated(List<Option> options) {
        List<Option> kept = new ArrayList<>();
        for (Option option : options) {
            if (kept.stream().noneMatch(other -> other.covers(option))) {
                kept.removeIf(option::covers);
                kept.add(option);
            }
        }
        return kept;
    }
}
