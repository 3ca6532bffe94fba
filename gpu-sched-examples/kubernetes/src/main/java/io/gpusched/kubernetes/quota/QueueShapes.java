package io.gpusched.kubernetes.quota;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.workload.Shape;
import java.util.List;

/** Reads the shapes that a queue owns, of an object as of a file: {@code - {count: 2, level: rack, size: 8, model: H100}}. */
public final class QueueShapes {
    private QueueShapes() {}

    /**
     * Returns the shapes of a list; none where it is absent.
     *
     * @throws io.gpusched.manifests.yaml.InputException if it is not as it must be; the message names the field
     */
    public static List<Shape> read(YamlNode list) {
        return list.list().stream().map(node -> node.build(() -> shape(node))).toList();
    }

    private static Shape shape(YamlNode node) {
        node.only("count", "level", "size", "model");
        return new Shape(
                node.need("count").integer(),
                node.need("level").text(),
                node.at("size").integerOr(1),
                node.need("model").text());
    }
}
