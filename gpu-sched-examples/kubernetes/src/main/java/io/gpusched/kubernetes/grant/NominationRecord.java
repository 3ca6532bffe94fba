package io.gpusched.kubernetes.grant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The annotation of a pod for which a place is held: what it is to hold there, as a grant, and who leaves for that. It counts only
 * together with {@code status.nominatedNodeName}.
 *
 * @param placement the place
 * @param victims who leaves for the job
 */
public record NominationRecord(Placement placement, List<Victim> victims) {
    /** The annotation. */
    public static final String NOMINATION = "gpu-sched.io/nomination";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * A pod that leaves.
     *
     * @param pod its name
     * @param uid its identity
     */
    public record Victim(PodId pod, String uid) {}

    /** Copies the list. */
    public NominationRecord {
        victims = List.copyOf(victims);
    }

    /** Returns the text of the annotation. */
    public String write(Node node) {
        ObjectNode object = JSON.createObjectNode();
        object.put("grant", GrantRecord.write(placement, node));
        ArrayNode list = object.putArray("victims");
        for (Victim victim : victims) {
            list.addObject()
                    .put("namespace", victim.pod().namespace())
                    .put("name", victim.pod().name())
                    .put("uid", victim.uid());
        }
        return object.toString();
    }

    /**
     * Reads the annotation of a pod.
     *
     * @throws GrantException if it cannot be read, or is not one of this pod on this node
     */
    public static NominationRecord read(String text, PodManifest pod, NodeState node, Dialect dialect) {
        JsonNode object = parse(text);
        List<Victim> victims = new ArrayList<>();
        for (JsonNode victim : object.path("victims")) {
            victims.add(new Victim(
                    new PodId(
                            victim.path("namespace").asText(),
                            victim.path("name").asText()),
                    victim.path("uid").asText()));
        }
        PodManifest granted = pod.withAnnotations(
                Map.of(GrantAnnotations.GRANT, object.path("grant").asText()));
        Placement placement =
                GrantedPods.placement(granted, node, dialect).orElseThrow(() -> new GrantException("no grant"));
        return new NominationRecord(placement, victims);
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new GrantException("nomination: " + e.getOriginalMessage());
        }
    }
}
