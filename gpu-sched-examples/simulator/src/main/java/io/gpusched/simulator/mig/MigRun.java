package io.gpusched.simulator.mig;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.policy.LookAhead;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Plays arrivals and departures on a number of GPUs and counts the pods that are accepted after the warm-up. */
final class MigRun {
    private static final int GPUS_PER_NODE = 4;
    private static final int TYPICAL_PODS = 1_000;

    private MigRun() {}

    /** Something that ends. */
    private record Running<T>(double end, T what) {}

    private static <T> PriorityQueue<Running<T>> running() {
        return new PriorityQueue<>(Comparator.comparingDouble(Running<T>::end));
    }

    /** How many pods a rule accepts. */
    static int accepted(SliceModel model, SliceRule rule, double[] mix, MigArrivals arrivals, int gpus) {
        SliceRule.Costs costs = rule.costs(model, mix);
        int[] state = new int[gpus];
        PriorityQueue<Running<int[]>> running = running();
        int accepted = 0;
        for (int i = 0; i < arrivals.pods(); i++) {
            while (!running.isEmpty() && running.peek().end() <= arrivals.at()[i]) {
                int[] gone = running.remove().what();
                state[gone[0]] = model.without(state[gone[0]], gone[1]);
            }
            int[] best = choose(model, costs, state, arrivals.profile()[i]);
            if (best != null) {
                state[best[0]] = model.next.get(state[best[0]])[best[1]];
                running.add(new Running<>(arrivals.end()[i], best));
                accepted += i >= arrivals.warmUp() ? 1 : 0;
            }
        }
        return accepted;
    }

    /** The GPU and the place that a rule chooses, or null if the profile fits nowhere. */
    static int @org.jspecify.annotations.Nullable [] choose(
            SliceModel model, SliceRule.Costs costs, int[] state, int profile) {
        int[] best = null;
        double least = Double.MAX_VALUE;
        for (int gpu = 0; gpu < state.length; gpu++) {
            int[] next = model.next.get(state[gpu]);
            for (int place = 0; place < next.length; place++) {
                if (model.profileOf[place] == profile && next[place] >= 0) {
                    double cost = costs.of(state[gpu], next[place]);
                    if (best == null || cost < least - 1e-9) {
                        best = new int[] {gpu, place};
                        least = cost;
                    }
                }
            }
        }
        return best;
    }

    /** How many pods the library accepts with look-ahead, knowing the mix, on nodes of four GPUs. */
    static int acceptedByLibrary(
            PartitionGeometry geometry, SliceModel model, double[] mix, MigArrivals arrivals, int gpus) {
        GpuScheduler scheduler = GpuScheduler.of(LookAhead.of(profile(model.profiles, mix)));
        Cluster cluster = cluster(geometry, gpus);
        PriorityQueue<Running<Placement>> running = running();
        int accepted = 0;
        for (int i = 0; i < arrivals.pods(); i++) {
            while (!running.isEmpty() && running.peek().end() <= arrivals.at()[i]) {
                cluster = cluster.without(running.remove().what());
            }
            Pod pod = pod("pod-" + i, model.profiles.get(arrivals.profile()[i]));
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                running.add(new Running<>(arrivals.end()[i], placed.placement()));
                accepted += i >= arrivals.warmUp() ? 1 : 0;
            }
        }
        return accepted;
    }

    /**
     * How many pods would be accepted if all that run could be moved at any time, and none was refused while all fit: by the sums
     * of units and of what is counted by name, which all sets of partitions keep.
     */
    static int repacked(PartitionGeometry geometry, SliceModel model, MigArrivals arrivals, int gpus) {
        List<String> names = geometry.totals().names();
        long[] free = new long[names.size() + 1];
        for (int c = 0; c < names.size(); c++) {
            free[c] = (long) gpus * geometry.totals().amount(names.get(c));
        }
        free[names.size()] = (long) gpus * model.gridUnits;
        PriorityQueue<Running<long[]>> running = running();
        int accepted = 0;
        for (int i = 0; i < arrivals.pods(); i++) {
            while (!running.isEmpty() && running.peek().end() <= arrivals.at()[i]) {
                add(free, running.remove().what(), 1);
            }
            PartitionProfile profile = model.profiles.get(arrivals.profile()[i]);
            long[] needed = new long[free.length];
            for (int c = 0; c < names.size(); c++) {
                needed[c] = profile.counters().amount(names.get(c));
            }
            needed[names.size()] = profile.size();
            add(free, needed, -1);
            if (Arrays.stream(free).allMatch(amount -> amount >= 0)) {
                running.add(new Running<>(arrivals.end()[i], needed));
                accepted += i >= arrivals.warmUp() ? 1 : 0;
            } else {
                add(free, needed, 1);
            }
        }
        return accepted;
    }

    private static void add(long[] sums, long[] amounts, int sign) {
        for (int c = 0; c < sums.length; c++) {
            sums[c] += sign * amounts[c];
        }
    }

    static Pod pod(String id, PartitionProfile profile) {
        return Pod.of(id, Resources.NONE, GpuRequest.partition(profile.name(), 1));
    }

    static WorkloadProfile profile(List<PartitionProfile> profiles, double[] mix) {
        List<Pod> typical = new ArrayList<>();
        for (int p = 0; p < mix.length; p++) {
            for (int i = 0; i < Math.round(mix[p] * TYPICAL_PODS); i++) {
                typical.add(pod("typical-" + p + "-" + i, profiles.get(p)));
            }
        }
        return WorkloadProfile.of(typical);
    }

    static Cluster cluster(PartitionGeometry geometry, int gpus) {
        List<Node> nodes = new ArrayList<>();
        GpuModel model = GpuModel.of("nvidia", geometry.name(), 0);
        for (int n = 0; n * GPUS_PER_NODE < gpus; n++) {
            Node.Builder node = Node.builder("node-" + (100 + n));
            for (int g = 0; g < Math.min(GPUS_PER_NODE, gpus - n * GPUS_PER_NODE); g++) {
                node.gpu(Gpu.of(g, "gpu-" + n + "-" + g, model).withPartitions(geometry));
            }
            nodes.add(node.build());
        }
        return Cluster.of(nodes);
    }

    /** The part of the counted pods that no rule can exceed in the long run. */
    static double bound(SliceModel model, MigArrivals arrivals, int gpus) {
        int counted = arrivals.pods() - arrivals.warmUp();
        double span = arrivals.at()[arrivals.pods() - 1] - arrivals.at()[arrivals.warmUp()];
        double[] offered = new double[model.profiles.size()];
        for (int i = arrivals.warmUp(); i < arrivals.pods(); i++) {
            offered[arrivals.profile()[i]] += 1 / span;
        }
        return Math.min(1, MigBound.most(model.fullSets(), offered, gpus) * span / counted);
    }

    static int counted(MigArrivals arrivals) {
        return Arrays.stream(arrivals.profile())
                .skip(arrivals.warmUp())
                .map(p -> 1)
                .sum();
    }
}
