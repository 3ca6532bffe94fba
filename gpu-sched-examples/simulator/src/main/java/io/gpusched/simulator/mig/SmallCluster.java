package io.gpusched.simulator.mig;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.policy.LookAhead;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What rules accept in the long run on few GPUs, and the most that any rule can accept: exactly, by value iteration over all
 * states of the cluster.
 *
 * <p>Pods come at random times and run for random times (both exponential, the mean running time is 1), so a state is what each GPU
 * holds, in any order: 3,276 states for three A30. One step takes the time in which at most one thing happens on average (Puterman,
 * Markov Decision Processes, 1994, sections 8.5 and 11.5). The least and the greatest change of a step enclose the result.
 */
final class SmallCluster {
    /** The rules that look at what GPUs hold, not at their order. */
    static final List<SliceRule> RULES =
            List.of(SliceRule.BEST_FIT, SliceRule.FRAGMENTATION_INCREMENT, SliceRule.GRADIENT);

    private static final double PRECISION = 1e-6;

    private final SliceModel model;
    private final double[] mix;
    private final int gpus;
    private final double rate;
    private final List<int[]> all = new ArrayList<>();
    private final Map<List<Integer>, Integer> positions = new HashMap<>();

    /** By state: where it comes to when one of its pods ends. */
    private final int[][] ended;

    /** Chooses a GPU and a place for a profile, by what each GPU holds; null if it fits nowhere. */
    interface Chooser {
        int @Nullable [] choose(int[] states, int profile);
    }

    SmallCluster(SliceModel model, double[] mix, int gpus, double load) {
        this.model = model;
        this.mix = mix;
        this.gpus = gpus;
        this.rate = MigArrivals.rate(model, mix, gpus, load);
        enumerate(new int[gpus], 0);
        ended = all.stream().map(this::ended).toArray(int[][]::new);
    }

    private void enumerate(int[] states, int gpu) {
        if (gpu == gpus) {
            positions.put(Arrays.stream(states).boxed().toList(), all.size());
            all.add(states.clone());
            return;
        }
        for (int state = gpu == 0 ? 0 : states[gpu - 1]; state < model.states.size(); state++) {
            states[gpu] = state;
            enumerate(states, gpu + 1);
        }
    }

    /** Where a state comes to when a GPU changes. */
    private int with(int[] states, int gpu, int state) {
        int[] changed = states.clone();
        changed[gpu] = state;
        Arrays.sort(changed);
        return positions.getOrDefault(Arrays.stream(changed).boxed().toList(), -1);
    }

    private int[] ended(int[] states) {
        List<Integer> to = new ArrayList<>();
        for (int gpu = 0; gpu < gpus; gpu++) {
            for (int place : model.taken(states[gpu])) {
                to.add(with(states, gpu, model.without(states[gpu], place)));
            }
        }
        return to.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The part of the pods that a rule accepts. */
    double accepted(Chooser chooser) {
        int[][][] next = new int[all.size()][mix.length][];
        for (int at = 0; at < next.length; at++) {
            int[] states = all.get(at);
            for (int profile = 0; profile < mix.length; profile++) {
                int[] chosen = chooser.choose(states, profile);
                next[at][profile] = chosen == null
                        ? new int[0]
                        : new int[] {with(states, chosen[0], model.next.get(states[chosen[0]])[chosen[1]])};
            }
        }
        return iterate(next, false);
    }

    /**
     * The part of the pods that the best rule without moves accepts.
     *
     * @param mayRefuse whether it may refuse a pod that fits, so as to have room for others
     */
    double most(boolean mayRefuse) {
        int[][][] next = new int[all.size()][mix.length][];
        for (int at = 0; at < next.length; at++) {
            for (int profile = 0; profile < mix.length; profile++) {
                next[at][profile] = all(all.get(at), profile);
            }
        }
        return iterate(next, mayRefuse);
    }

    private int[] all(int[] states, int profile) {
        List<Integer> to = new ArrayList<>();
        for (int gpu = 0; gpu < gpus; gpu++) {
            int[] next = model.next.get(states[gpu]);
            for (int place = 0; place < next.length; place++) {
                if (model.profileOf[place] == profile && next[place] >= 0) {
                    to.add(with(states, gpu, next[place]));
                }
            }
        }
        return to.stream().mapToInt(Integer::intValue).distinct().toArray();
    }

    private double iterate(int[][][] next, boolean mayRefuse) {
        double steps =
                rate + Arrays.stream(ended).mapToInt(to -> to.length).max().orElse(0);
        double[] value = new double[next.length];
        while (true) {
            double[] changed = new double[next.length];
            double least = Double.MAX_VALUE;
            double greatest = -Double.MAX_VALUE;
            for (int at = 0; at < changed.length; at++) {
                double change = change(at, value, next[at], mayRefuse) / steps;
                changed[at] = value[at] + change;
                least = Math.min(least, change);
                greatest = Math.max(greatest, change);
            }
            double empty = changed[0];
            value = Arrays.stream(changed).map(one -> one - empty).toArray();
            if ((greatest - least) * steps / rate < PRECISION) {
                return (greatest + least) / 2 * steps / rate;
            }
        }
    }

    private double change(int at, double[] value, int[][] next, boolean mayRefuse) {
        double change = 0;
        for (int to : ended[at]) {
            change += value[to] - value[at];
        }
        for (int profile = 0; profile < mix.length; profile++) {
            double best = next[profile].length == 0 || mayRefuse ? 0 : -Double.MAX_VALUE;
            for (int to : next[profile]) {
                best = Math.max(best, 1 + value[to] - value[at]);
            }
            change += rate * mix[profile] * best;
        }
        return change;
    }

    /** The part of the pods that could be accepted if all came and went as on average. */
    double bound() {
        double[] offered = Arrays.stream(mix).map(part -> part * rate).toArray();
        return MigBound.most(model.fullSets(), offered, gpus) / rate;
    }

    /** Chooses by a rule of others. */
    static Chooser chooser(SliceModel model, SliceRule rule, double[] mix) {
        SliceRule.Costs costs = rule.costs(model, mix);
        return (states, profile) -> MigRun.choose(model, costs, states, profile);
    }

    /** Chooses as the library does with look-ahead, knowing the mix. */
    static Chooser library(PartitionGeometry geometry, SliceModel model, double[] mix, int gpus) {
        GpuScheduler scheduler = GpuScheduler.of(LookAhead.of(MigRun.profile(model.profiles, mix)));
        Cluster empty = MigRun.cluster(geometry, gpus);
        return (states, profile) -> {
            Cluster cluster = holding(empty, model, states);
            String name = model.profiles.get(profile).name();
            return scheduler.schedule(cluster, MigRun.pod("next", model.profiles.get(profile))) instanceof Placed placed
                    ? place(model, placed.placement(), name)
                    : null;
        };
    }

    private static Cluster holding(Cluster empty, SliceModel model, int[] states) {
        List<GpuPartition> held = new ArrayList<>();
        for (int gpu = 0; gpu < states.length; gpu++) {
            for (int place : model.taken(states[gpu])) {
                String profile = model.profiles.get(model.profileOf[place]).name();
                held.add(GpuPartition.of(gpu, profile, model.startOf[place]));
            }
        }
        return held.isEmpty()
                ? empty
                : empty.with(new Placement(
                        PodId.of("held"),
                        empty.nodes().get(0).name(),
                        Resources.NONE,
                        List.of(ContainerGrant.of(
                                "main",
                                new GpuGrant.Partitions(held.stream().sorted().toList())))));
    }

    private static int[] place(SliceModel model, Placement placement, String profile) {
        GpuGrant grant = placement.containers().get(0).gpus();
        GpuPartition taken = ((GpuGrant.Partitions) grant).partitions().get(0);
        for (int place = 0; place < model.profileOf.length; place++) {
            boolean same = model.profiles.get(model.profileOf[place]).name().equals(profile);
            if (same && model.startOf[place] == taken.start()) {
                return new int[] {taken.gpu(), place};
            }
        }
        throw new IllegalStateException("a place that the model has not: " + taken);
    }
}
