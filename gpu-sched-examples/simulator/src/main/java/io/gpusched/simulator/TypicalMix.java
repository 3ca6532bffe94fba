package io.gpusched.simulator;

import io.gpusched.simulator.trace.TracePod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The most frequent shapes of a workload: what fragmentation is measured against ("Beware of Fragmentation", section 4).
 *
 * @param shapes the shapes, most frequent first
 * @param counts how many pods have each shape
 * @param pods how many pods the workload has in all, the other shapes included
 */
public record TypicalMix(List<TypicalShape> shapes, List<Integer> counts, int pods) {
    private static final int THRESHOLD_PERCENT = 95;

    /** Copies the lists. */
    public TypicalMix {
        shapes = List.copyOf(shapes);
        counts = List.copyOf(counts);
    }

    /** Returns the fewest shapes, the most frequent first, that 95 % of the pods have. */
    public static TypicalMix of(Collection<TracePod> pods) {
        Map<TypicalShape, Integer> byShape = new LinkedHashMap<>();
        pods.forEach(pod -> byShape.merge(TypicalShape.of(pod), 1, Integer::sum));
        List<Map.Entry<TypicalShape, Integer>> sorted = new ArrayList<>(byShape.entrySet());
        sorted.sort(Comparator.comparing((Map.Entry<TypicalShape, Integer> entry) -> entry.getValue())
                .thenComparing(Map.Entry::getKey, TypicalShape.ORDER)
                .reversed());
        List<TypicalShape> shapes = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        long covered = 0;
        for (Map.Entry<TypicalShape, Integer> entry : sorted) {
            if (100 * covered >= (long) THRESHOLD_PERCENT * pods.size()) {
                break;
            }
            shapes.add(entry.getKey());
            counts.add(entry.getValue());
            covered += entry.getValue();
        }
        return new TypicalMix(shapes, counts, pods.size());
    }

    /** Returns how many pods have one of the shapes. */
    public int covered() {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }
}
