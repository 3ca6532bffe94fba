package io.gpusched.examples.kubernetes.group;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpusched.dialect.NodeManifest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Volcano's tree of hyper nodes as labels of nodes: for each tier that there is, {@code gpu-sched.io/hyper-node-tier-N} names the
 * topmost hyper node of tier N or lower that a node belongs to. Of several on one tier it is the first by name. Not thread-safe.
 */
public final class HyperNodes {
    /** The API of hyper nodes. */
    public static final String API_GROUP = "topology.volcano.sh";

    /** The version of that API. */
    public static final String VERSION = "v1alpha1";

    /** The highest tier that is looked at. */
    public static final int HIGHEST_TIER = 15;

    private static final String LABEL = "gpu-sched.io/hyper-node-tier-";

    /**
     * What a hyper node consists of.
     *
     * @param tier how far apart its nodes are: the higher, the farther
     * @param members selectors of nodes and of other hyper nodes
     */
    private record HyperNode(int tier, List<Fields> members) {}

    private final Map<String, HyperNode> byName = new TreeMap<>();
    private final Map<String, Optional<Pattern>> patterns = new HashMap<>();

    /** Returns the label of a tier. */
    public static String label(int tier) {
        return LABEL + tier;
    }

    /** Returns whether a label is that of a tier. */
    public static boolean isTier(String label) {
        return label.startsWith(LABEL);
    }

    /** Takes note of a hyper node, new or changed. */
    public void put(GenericKubernetesResource object) {
        Fields spec = Fields.of(object.getAdditionalProperties()).at("spec");
        int tier = spec.at("tier").number(0).orElse(0);
        byName.put(
                object.getMetadata().getName(),
                new HyperNode(tier, spec.at("members").list()));
    }

    /** Takes note that a hyper node is gone. */
    public void remove(String name) {
        byName.remove(name);
    }

    /** Returns a node with a label for each tier. */
    public NodeManifest extend(NodeManifest node) {
        if (byName.isEmpty()) {
            return node;
        }
        Map<String, String> labels = new HashMap<>(node.labels());
        Map<Integer, String> around = around(node);
        byName.values().stream()
                .map(HyperNode::tier)
                .distinct()
                .forEach(tier -> around.keySet().stream()
                        .filter(lower -> lower <= tier)
                        .max(Integer::compare)
                        .ifPresent(lower -> labels.put(label(tier), around.get(lower))));
        return new NodeManifest(
                node.name(),
                labels,
                node.annotations(),
                node.allocatable(),
                node.taints(),
                node.cordoned(),
                node.named());
    }

    /** The hyper nodes that a node belongs to, by tier. */
    private Map<Integer, String> around(NodeManifest node) {
        Map<Integer, String> around = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>();
        byName.forEach((name, hyperNode) -> {
            if (hyperNode.members().stream().anyMatch(member -> holdsNode(member, node))) {
                open.add(name);
            }
        });
        List<String> met = new ArrayList<>();
        while (!open.isEmpty()) {
            String name = open.remove();
            if (met.contains(name)) {
                continue;
            }
            met.add(name);
            int tier = Objects.requireNonNull(byName.get(name), name).tier();
            around.merge(tier, name, (one, other) -> one.compareTo(other) <= 0 ? one : other);
            byName.forEach((parent, hyperNode) -> {
                if (hyperNode.members().stream().anyMatch(member -> holdsHyperNode(member, name))) {
                    open.add(parent);
                }
            });
        }
        return around;
    }

    private boolean holdsNode(Fields member, NodeManifest node) {
        if (!"Node".equals(member.at("type").text())) {
            return false;
        }
        Fields labels = member.at("selector").at("labelMatch");
        return labels.isPresent() ? matches(labels, node.labels()) : matches(member.at("selector"), node.name());
    }

    private boolean holdsHyperNode(Fields member, String name) {
        return "HyperNode".equals(member.at("type").text()) && matches(member.at("selector"), name);
    }

    private boolean matches(Fields selector, String name) {
        String pattern = selector.at("regexMatch").at("pattern").text();
        return name.equals(selector.at("exactMatch").at("name").text())
                || !pattern.isEmpty()
                        && patterns.computeIfAbsent(pattern, HyperNodes::compile)
                                .filter(compiled -> compiled.matcher(name).find())
                                .isPresent();
    }

    /** What is no pattern matches nothing, as with Volcano. */
    private static Optional<Pattern> compile(String pattern) {
        try {
            return Optional.of(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            return Optional.empty();
        }
    }

    /** A selector that demands nothing matches nothing. */
    private static boolean matches(Fields selector, Map<String, String> labels) {
        Map<String, Fields> exact = selector.at("matchLabels").entries();
        List<Fields> expressions = selector.at("matchExpressions").list();
        return (!exact.isEmpty() || !expressions.isEmpty())
                && exact.entrySet().stream()
                        .allMatch(one -> one.getValue().text().equals(labels.get(one.getKey())))
                && expressions.stream().allMatch(one -> meets(one, labels));
    }

    private static boolean meets(Fields expression, Map<String, String> labels) {
        String value = labels.get(expression.at("key").text());
        boolean listed = expression.at("values").list().stream()
                .anyMatch(one -> one.text().equals(value));
        return switch (expression.at("operator").text()) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
