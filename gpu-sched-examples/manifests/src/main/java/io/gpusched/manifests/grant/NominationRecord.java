package io.gpusched.manifests.grant;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Optional;

/**
 * The annotation of a pod with a nominated place: what it is to hold there, as a grant, and which pods are evicted for that. It is for
 * readers; no scheduler goes by it.
 *
 * @param placement the place
 * @param victims the pods that are evicted for the job
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
     * @param graceSeconds how long it may take to end; nothing for as long as it says itself
     */
    public record Victim(PodId pod, String uid, Optional<Long> graceSeconds) {
        /** A pod that may take as long to end as it says itself. */
        public Victim(PodId pod, String uid) {
            this(pod, uid, Optional.empty());
        }
    }

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
}
