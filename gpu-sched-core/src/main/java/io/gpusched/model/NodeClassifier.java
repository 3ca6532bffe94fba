package io.gpusched.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sorts nodes into classes: first by what they are, then label by label, the label with the fewest values first, as long
 * as the classes stay few.
 */
final class NodeClassifier {
    private static final int MAX_CLASSES = 256;
    private static final int NODES_PER_CLASS = 8;

    private final int[] classIndex;
    private final List<NodeClass> classes;

    private NodeClassifier(int[] classIndex, List<NodeClass> classes) {
        this.classIndex = classIndex;
        this.classes = classes;
    }

    int classIndex(int order) {
        return classIndex[order];
    }

    List<NodeClass> classes() {
        return classes;
    }

    /** What makes two nodes of a kind before labels are looked at; UUIDs and health are left out. */
    private record Kind(NodeMode mode, long cpu, long memory, int maxPods, List<Taint> taints, List<GpuKind> gpus) {
        static Kind of(Node node) {
            List<GpuKind> gpus = new ArrayList<>(node.gpus().size());
            for (Gpu gpu : node.gpus()) {
                gpus.add(GpuKind.of(gpu));
            }
            return new Kind(
                    node.mode(),
                    roundUp(node.capacity().cpuMillis()),
                    roundUp(node.capacity().memoryMib()),
                    node.maxPods(),
                    node.taints(),
                    gpus);
        }

        /** Rounds up to five leading bits: amounts within about three percent fall together. */
        private static long roundUp(long amount) {
            int drop = Math.max(0, 64 - Long.numberOfLeadingZeros(amount) - 5);
            return (amount + (1L << drop) - 1) >> drop << drop;
        }
    }

    private record GpuKind(GpuModel model, int computeMillis, long memoryMib, int slots, int numaNode) {
        static GpuKind of(Gpu gpu) {
            return new GpuKind(gpu.model(), gpu.computeMillis(), gpu.memoryMib(), gpu.slots(), gpu.numaNode());
        }
    }

    static NodeClassifier classify(List<Node> nodes) {
        int[] index = new int[nodes.size()];
        Map<Kind, Integer> kinds = new HashMap<>();
        for (int i = 0; i < index.length; i++) {
            index[i] = kinds.computeIfAbsent(Kind.of(nodes.get(i)), kind -> kinds.size());
        }
        int count = kinds.size();
        int limit = Math.min(MAX_CLASSES, nodes.size() / NODES_PER_CLASS);
        List<String> common = new ArrayList<>();
        for (String key : keysByNumberOfValues(nodes, limit)) {
            Map<Long, Integer> refined = new HashMap<>();
            Map<String, Integer> values = new HashMap<>();
            int[] next = new int[index.length];
            for (int i = 0; i < index.length; i++) {
                String value = nodes.get(i).labels().get(key);
                int number = value == null ? 0 : values.computeIfAbsent(value, v -> values.size() + 1);
                next[i] = refined.computeIfAbsent(((long) index[i] << 32) | number, pair -> refined.size());
            }
            if (refined.size() == count || refined.size() <= limit) {
                index = next;
                count = refined.size();
                common.add(key);
            }
        }
        return new NodeClassifier(index, describe(nodes, index, count, common));
    }

    /** The label keys with at most {@code limit} values, those with fewer values first, then by name. */
    private static List<String> keysByNumberOfValues(List<Node> nodes, int limit) {
        Map<String, Set<String>> values = new TreeMap<>();
        for (Node node : nodes) {
            node.labels().forEach((key, value) -> {
                Set<String> seen = values.computeIfAbsent(key, k -> new HashSet<>());
                if (seen.size() <= limit) {
                    seen.add(value);
                }
            });
        }
        return values.entrySet().stream()
                .filter(entry -> entry.getValue().size() <= limit)
                .sorted(Comparator.comparingInt((Map.Entry<String, Set<String>> entry) ->
                                entry.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<NodeClass> describe(List<Node> nodes, int[] index, int count, List<String> common) {
        int[] sizes = new int[count];
        Node[] samples = new Node[count];
        Resources[] capacities = new Resources[count];
        Resources[] least = new Resources[count];
        for (int i = index.length - 1; i >= 0; i--) {
            Node node = nodes.get(i);
            int at = index[i];
            sizes[at]++;
            samples[at] = node;
            capacities[at] = sizes[at] == 1 ? node.capacity() : capacities[at].max(node.capacity());
            least[at] = sizes[at] == 1 ? node.capacity() : least[at].min(node.capacity());
        }
        Set<String> keys = Set.copyOf(common);
        List<NodeClass> classes = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            Map<String, String> labels = new TreeMap<>(samples[at].labels());
            labels.keySet().retainAll(common);
            classes.add(new NodeClass(at, samples[at], least[at], capacities[at], labels, keys, sizes[at]));
        }
        return classes;
    }
}
