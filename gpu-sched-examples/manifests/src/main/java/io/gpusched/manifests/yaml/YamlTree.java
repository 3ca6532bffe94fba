package io.gpusched.manifests.yaml;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Turns one parsed document into {@link YamlNode}s: anchors are followed, {@code <<} is merged, keys are unique. */
final class YamlTree {
    /**
     * How many values aliases may stand for, beside so many for each value that is written out; a file of a few lines could stand for
     * billions.
     */
    private static final int MAX_ALIASED = 20_000;

    private static final int ALIASED_PER_VALUE = 10;

    private final String file;
    /** The collections met so far: true while what they hold is being read. */
    private final IdentityHashMap<Node, Boolean> seen = new IdentityHashMap<>();

    private long aliased;
    private long written;
    private boolean inAlias;

    YamlTree(String file) {
        this.file = file;
    }

    YamlNode document(Node root) {
        return value(root, lineOf(root), "");
    }

    private static int lineOf(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private YamlNode value(Node node, int line, String path) {
        count(line, path);
        if (node instanceof ScalarNode scalar) {
            YamlNode.Kind kind = kind(scalar.getTag());
            String text = kind == YamlNode.Kind.NOTHING ? null : scalar.getValue();
            return new YamlNode(file, line, path, kind, null, null, text);
        }
        Boolean open = seen.put(node, true);
        if (Boolean.TRUE.equals(open)) {
            throw new InputException(file, line, path, "must not contain itself");
        }
        boolean outer = inAlias;
        inAlias |= open != null;
        YamlNode value = node instanceof MappingNode mapping
                ? new YamlNode(file, line, path, YamlNode.Kind.MAPPING, members(mapping, path), null, null)
                : new YamlNode(file, line, path, YamlNode.Kind.LIST, null, elements((SequenceNode) node, path), null);
        inAlias = outer;
        seen.put(node, false);
        return value;
    }

    private void count(int line, String path) {
        written += inAlias ? 0 : 1;
        aliased += inAlias ? 1 : 0;
        long most = MAX_ALIASED + ALIASED_PER_VALUE * written;
        if (aliased > most) {
            throw new InputException(file, line, path, "aliases must stand for at most " + most + " values here");
        }
    }

    private static YamlNode.Kind kind(Tag tag) {
        if (tag.equals(Tag.NULL)) {
            return YamlNode.Kind.NOTHING;
        }
        if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return YamlNode.Kind.NUMBER;
        }
        return tag.equals(Tag.BOOL) ? YamlNode.Kind.TRUTH : YamlNode.Kind.TEXT;
    }

    private Map<String, YamlNode> members(MappingNode mapping, String path) {
        Map<String, YamlNode> own = new LinkedHashMap<>();
        Map<String, YamlNode> merged = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            int line = lineOf(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new InputException(file, line, path, "must have plain names, got a name that is no text");
            }
            if (key.getTag().equals(Tag.MERGE)) {
                merge(tuple.getValueNode(), line, path, merged);
                continue;
            }
            String child = path.isEmpty() ? key.getValue() : path + "." + key.getValue();
            if (own.put(key.getValue(), value(tuple.getValueNode(), line, child)) != null) {
                throw new InputException(file, line, child, "occurs twice");
            }
        }
        merged.forEach(own::putIfAbsent);
        return own;
    }

    /** Adds the members of a mapping, or of several; the first that has a name counts. */
    private void merge(Node source, int line, String path, Map<String, YamlNode> merged) {
        if (source instanceof SequenceNode several) {
            several.getValue().forEach(one -> merge(one, line, path, merged));
        } else if (source instanceof MappingNode one) {
            YamlNode value = value(one, line, path);
            value.map().forEach(merged::putIfAbsent);
        } else {
            throw new InputException(file, line, path, "<< must name a mapping or a list of mappings");
        }
    }

    private List<YamlNode> elements(SequenceNode sequence, String path) {
        List<YamlNode> elements = new ArrayList<>(sequence.getValue().size());
        for (Node element : sequence.getValue()) {
            elements.add(value(element, lineOf(element), path + "[" + elements.size() + "]"));
        }
        return elements;
    }
}
