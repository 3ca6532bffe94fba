package io.gpusched.simulator.bound;

import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ways to cut a GPU into the most demanded sizes of shares that leave no room for another.
 *
 * @param levels the sizes in milli, the largest first
 * @param patterns of each way, how many pieces of each size
 */
record CuttingPatterns(List<Integer> levels, List<int[]> patterns) {
    /** Smaller shares are not looked at: they fit nearly everywhere, and make the ways innumerable. */
    private static final int LEAST_MILLIS = 50;

    private static final int MOST_LEVELS = 13;
    private static final int MOST_PATTERNS = 2_000;

    /** Returns the patterns for the most demanded sizes, as many of them as go into a program of reasonable size. */
    static CuttingPatterns of(List<DemandGroup> groups) {
        Map<Integer, Double> asked = new TreeMap<>();
        for (DemandGroup group : groups) {
            if (group.isShare() && group.gpuMillis() >= LEAST_MILLIS) {
                asked.merge(group.gpuMillis(), group.totalGpuMillis(), Double::sum);
            }
        }
        List<Integer> byDemand = new ArrayList<>(asked.keySet());
        byDemand.sort((a, b) -> Double.compare(asked.getOrDefault(b, 0.0), asked.getOrDefault(a, 0.0)));
        CuttingPatterns best = new CuttingPatterns(List.of(), List.of());
        for (int count = 1; count <= Math.min(MOST_LEVELS, byDemand.size()); count++) {
            CuttingPatterns more = cut(byDemand.subList(0, count));
            if (more.patterns.size() > MOST_PATTERNS) {
                break;
            }
            best = more;
        }
        return best;
    }

    private static CuttingPatterns cut(List<Integer> sizes) {
        List<Integer> levels = new ArrayList<>(sizes);
        levels.sort(Collections.reverseOrder());
        List<int[]> patterns = new ArrayList<>();
        cut(levels, 0, Demand.WHOLE, new int[levels.size()], patterns);
        return new CuttingPatterns(List.copyOf(levels), patterns);
    }

    private static void cut(List<Integer> levels, int at, int left, int[] pieces, List<int[]> patterns) {
        int most = left / levels.get(at);
        if (at == levels.size() - 1) {
            pieces[at] = most;
            patterns.add(pieces.clone());
            return;
        }
        for (int count = most; count >= 0 && patterns.size() <= MOST_PATTERNS; count--) {
            pieces[at] = count;
            cut(levels, at + 1, left - count * levels.get(at), pieces, patterns);
        }
    }

    /**
     * Returns the largest size that is no more than this, by its place among the levels, or -1: shares are rounded
     * down.
     */
    int levelOf(int gpuMillis) {
        for (int level = 0; level < levels.size(); level++) {
            if (levels.get(level) <= gpuMillis) {
                return level;
            }
        }
        return -1;
    }
}
