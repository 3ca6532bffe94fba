package io.gpusched.simulator;

import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The pods of one run in order of arrival, and how ties between nodes end for policies that end them by rank.
 *
 * @param seed what the order was made from
 * @param pods the pods; each has a name of its own
 * @param nodeRanks for each node of the workload its rank, a permutation of 0..n-1
 */
public record ArrivalSequence(long seed, List<TracePod> pods, List<Integer> nodeRanks) {
    /** Copies the lists. */
    public ArrivalSequence {
        pods = List.copyOf(pods);
        nodeRanks = List.copyOf(nodeRanks);
    }

    /** Returns the arrivals of a recorded order. */
    public static ArrivalSequence of(Workload workload, ArrivalOrder order) {
        List<TracePod> pods = new ArrayList<>(order.rows().size());
        order.rows().forEach(row -> pods.add(workload.pods().get(row)));
        return new ArrivalSequence(order.seed(), named(pods), order.nodeRanks());
    }

    /**
     * Returns the workload shuffled and brought to a demand: while it asks for less GPU compute than {@code inflate}
     * times the cluster's, pods drawn from it are appended, until the next would exceed that; while it asks for more,
     * pods at random places are dropped.
     *
     * @param inflate demand as a multiple of the cluster's GPU compute, above 0
     */
    public static ArrivalSequence shuffled(Workload workload, long seed, double inflate) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TracePod> source = new ArrayList<>(workload.pods());
        source.sort(Comparator.comparing(TracePod::name));
        List<TracePod> pods = new ArrayList<>(source);
        shuffle(pods, random);
        tune(pods, source, Math.round(inflate * workload.gpuMillis()), random);
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < workload.nodes().size(); rank++) {
            ranks.add(rank);
        }
        shuffle(ranks, random);
        return new ArrivalSequence(seed, named(pods), ranks);
    }

    private static void tune(List<TracePod> pods, List<TracePod> source, long target, SplittableRandom random) {
        long asked = pods.stream().mapToLong(TracePod::totalGpuMillis).sum();
        while (asked > target) {
            asked -= pods.remove(random.nextInt(pods.size())).totalGpuMillis();
        }
        if (source.stream().allMatch(pod -> pod.gpus() == 0)) {
            return;
        }
        while (true) {
            TracePod next = source.get(random.nextInt(source.size()));
            if (asked + next.gpuMillis() > target) {
                return;
            }
            pods.add(next);
            asked += next.totalGpuMillis();
        }
    }

    private static void shuffle(List<?> list, SplittableRandom random) {
        for (int last = list.size() - 1; last > 0; last--) {
            Collections.swap(list, last, random.nextInt(last + 1));
        }
    }

    /** Gives each pod that occurs again a name of its own, {@code p-tuned-0}, {@code q-tuned-1}, as in the paper's runs. */
    private static List<TracePod> named(List<TracePod> pods) {
        Set<String> seen = new HashSet<>();
        List<TracePod> named = new ArrayList<>(pods.size());
        int clones = 0;
        for (TracePod pod : pods) {
            named.add(seen.add(pod.name()) ? pod : pod.withName(pod.name() + "-tuned-" + clones++));
        }
        return named;
    }
}
