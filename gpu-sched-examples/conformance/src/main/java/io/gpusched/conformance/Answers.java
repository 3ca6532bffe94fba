package io.gpusched.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import java.util.Collection;

/** Puts decisions into the words of vector files. */
public final class Answers {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Answers() {}

    /** Returns {@code {"fits": ...}}. */
    public static ObjectNode fits(boolean fits) {
        return JSON.objectNode().put("fits", fits);
    }

    private static final String EMULATED = "emulated";

    /** Marks an answer that an emulation of the system gave, not dialect and scheduler. */
    public static ObjectNode emulated(ObjectNode answer) {
        return answer.put(EMULATED, true);
    }

    /** Returns whether an emulation gave the answer. */
    public static boolean isEmulated(JsonNode answer) {
        return answer.path(EMULATED).booleanValue();
    }

    /** The member of an answer that says why the library answers otherwise than its system, on purpose. */
    public static final String DEPARTURE = "departure";

    /**
     * Marks an answer that is known to depart from its system, for a reason that the runner has checked. Where a case
     * documents a defect, such an answer is skipped with the reason; any other wrong answer fails.
     */
    public static ObjectNode departing(ObjectNode answer, String reason) {
        return answer.put(DEPARTURE, reason);
    }

    /** Returns {@code {"fits": false}} for what the dialect forbids by rule, which its system may not do. */
    public static ObjectNode refused(String rule) {
        return departing(fits(false), "refused here, " + rule);
    }

    /** Returns the GPUs of each container as lists, null where it has none. */
    public static ArrayNode gpusPerContainer(Placement placement) {
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
    public static ArrayNode gpuPerContainer(Placement placement) {
        ArrayNode list = JSON.arrayNode();
        placement
                .containers()
                .forEach(grant -> list.add(
                        grant.gpus() instanceof GpuGrant.None
                                ? -1
                                : grant.gpus().indexes().get(0)));
        return list;
    }

    public static ArrayNode numbers(Collection<Integer> values) {
        ArrayNode list = JSON.arrayNode();
        values.forEach(list::add);
        return list;
    }

    public static ArrayNode texts(Collection<String> values) {
        ArrayNode list = JSON.arrayNode();
        values.forEach(list::add);
        return list;
    }

    public static ObjectNode object() {
        return JSON.objectNode();
    }
}
