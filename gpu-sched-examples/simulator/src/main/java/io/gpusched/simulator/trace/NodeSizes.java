package io.gpusched.simulator.trace;

import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How many GPUs the nodes of a cluster have, which says how many pods a job becomes there. Asked for models, only their nodes count.
 *
 * @param gpus how many GPUs of each model are in nodes of each size
 */
public record NodeSizes(Map<Integer, Map<String, Long>> gpus) {
    /** Nodes of 8 GPUs: what a job list is read for until it is known where its jobs are played. */
    static final NodeSizes EIGHT = new NodeSizes(Map.of(8, Map.of("", 8L)));

    /** Copies the map. */
    public NodeSizes {
        gpus = Map.copyOf(gpus);
    }

    /** Returns the sizes of these nodes; nodes without GPUs have none. */
    public static NodeSizes of(List<Node> nodes) {
        Map<Integer, Map<String, Long>> sizes = new TreeMap<>();
        for (Node node : nodes) {
            for (Gpu gpu : node.gpus()) {
                sizes.computeIfAbsent(node.gpus().size(), size -> new HashMap<>())
                        .merge(gpu.model().name(), 1L, Long::sum);
            }
        }
        return new NodeSizes(sizes);
    }

    /** Returns the sizes of nodes with these models, the largest first; of all nodes if no node has one of them or none is named. */
    List<Integer> sizes(Set<String> models) {
        List<Integer> sizes = gpus.keySet().stream()
                .filter(size -> count(size, models) > 0)
                .sorted(Comparator.reverseOrder())
                .toList();
        if (sizes.isEmpty()) {
            return models.isEmpty() ? EIGHT.sizes(models) : sizes(Set.of());
        }
        return sizes;
    }

    /** Returns the largest size such that nodes of it or larger have at least half of the GPUs. */
    int usual(Set<String> models) {
        List<Integer> sizes = sizes(models);
        long all = sizes.stream().mapToLong(size -> count(size, models)).sum();
        long larger = 0;
        for (int size : sizes) {
            larger += count(size, models);
            if (2 * larger >= all) {
                return size;
            }
        }
        return sizes.get(0);
    }

    private long count(int size, Set<String> models) {
        long count = 0;
        for (Map.Entry<String, Long> model : gpus.getOrDefault(size, Map.of()).entrySet()) {
            count += models.isEmpty() || models.contains(model.getKey()) ? model.getValue() : 0;
        }
        return count;
    }
}
