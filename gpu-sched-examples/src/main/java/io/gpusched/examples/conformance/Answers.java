package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import java.util.Collection;

/** Puts decisions into the words of vector files. */
final class Answers {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Answers() {}

    /** Returns {@code {"fits": ...}}. */
    static ObjectNode fits(boolean fits) {
        return JSON.objectNode().put("fits", fits);
    }

    /** Returns {@code {"fits": false, "refused": <rule>}}: the dialect forbids it by rule. */
    static ObjectNode refused(String rule) {
        return fits(false).put("refused", rule);
    }

    /** Returns the GPUs of each container as lists, null where it has none. */
    static ArrayNode gpusPerContainer(Placement placement) {
        ArrayNode list = JSON.arrayNode();
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.None) {
                list.addNull();
            } else {
                list.add(numbers(grant.gpus().indexes()));
            }
        }
        return list;
    }

    /** Returns the one GPU of each container, -1 where it has none. */
    static ArrayNode gpuPerContainer(Placement placement) {
        ArrayNode list = JSON.arrayNode();
        placement
                .containers()
                .forEach(grant -> list.add(
                        grant.gpus() instanceof GpuGrant.None
                                ? -1
                                : grant.gpus().indexes().get(0)));
        return list;
    }

    static ArrayNode numbers(Collection<Integer> values) {
        ArrayNode list = JSON.arrayNode();
        values.forEach(list::add);
        return list;
    }

    static ArrayNode texts(Collection<String> values) {
        ArrayNode list = JSON.arrayNode();
        values.forEach(list::add);
        return list;
    }

    static ObjectNode object() {
        return JSON.objectNode();
    }
}
