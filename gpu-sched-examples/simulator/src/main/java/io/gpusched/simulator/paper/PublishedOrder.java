package io.gpusched.simulator.paper;

import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes the order of arrival that the authors' program drew under a seed: pods by name, shuffled, then brought to 130 % of
 * the cluster's GPU compute; and a permutation of the nodes that ends ties.
 *
 * <p>While the pods ask for less than that, drawn ones are appended, until one draw too many; while they ask for more, pods
 * at drawn places are dropped. The draws, and the ten lost between pods and nodes, are those of that program.
 */
final class PublishedOrder {
    private static final long DEMAND_PERCENT = 130;
    /** Numbers that the informers of their simulator draw when it starts. */
    private static final int LOST_DRAWS = 10;

    private final List<TracePod> pods;
    private final GoRandom random;
    private final long target;
    private long asked;

    private PublishedOrder(Workload workload, long seed) {
        pods = workload.pods();
        random = GoRandom.of(seed);
        target = workload.gpuMillis() * DEMAND_PERCENT / 100;
        asked = pods.stream().mapToLong(TracePod::totalGpuMillis).sum();
    }

    /**
     * Returns the order of this seed.
     *
     * @throws IllegalArgumentException if no pod asks for a GPU, so that no demand could be reached
     */
    static ArrivalOrder of(Workload workload, long seed) {
        PublishedOrder order = new PublishedOrder(workload, seed);
        if (order.asked == 0) {
            throw new IllegalArgumentException(
                    "workload \"" + workload.name() + "\": at least one pod with a GPU expected, got none");
        }
        List<Integer> rows = order.rows();
        return new ArrivalOrder(seed, rows, order.nodeRanks(workload.nodes().size()));
    }

    private List<Integer> rows() {
        List<Integer> byName = IntStream.range(0, pods.size())
                .boxed()
                .sorted(Comparator.comparing(row -> pods.get(row).name()))
                .toList();
        random.int63();
        List<Integer> rows = new ArrayList<>(byName);
        for (int last = rows.size() - 1; last > 0; last--) {
            Collections.swap(rows, last, random.belowForShuffle(last + 1));
        }
        if (asked < target) {
            append(rows, byName);
        } else {
            drop(rows);
        }
        return rows;
    }

    private void drop(List<Integer> rows) {
        while (asked > target) {
            int row = rows.remove(random.below(rows.size()));
            asked -= pods.get(row).totalGpuMillis();
        }
    }

    /** What is drawn is weighed by the compute of one of its GPUs, so that the last one may exceed the demand. */
    private void append(List<Integer> rows, List<Integer> byName) {
        while (true) {
            int row = byName.get(random.below(byName.size()));
            TracePod pod = pods.get(row);
            if (asked + pod.gpuMillis() > target) {
                return;
            }
            asked += pod.totalGpuMillis();
            rows.add(row);
        }
    }

    private List<Integer> nodeRanks(int nodes) {
        for (int i = 0; i < LOST_DRAWS; i++) {
            random.int63();
        }
        Integer[] ranks = new Integer[nodes];
        for (int i = 0; i < nodes; i++) {
            int other = random.below(i + 1);
            ranks[i] = ranks[other];
            ranks[other] = i;
        }
        return Arrays.asList(ranks);
    }
}
