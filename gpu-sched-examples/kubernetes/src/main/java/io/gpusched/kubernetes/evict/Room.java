package io.gpusched.kubernetes.evict;

import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.util.List;

/**
 * Room that is to be made for a job: places that are held for its pods, and the victims. A job that runs with too few pods for too
 * long leaves itself; it has no places.
 *
 * @param job the name of the job
 * @param places the places
 * @param victims the pods to evict, in that order
 */
public record Room(String job, List<Place> places, List<NominationRecord.Victim> victims) {
    /**
     * A place that is held.
     *
     * @param pod the pod that it is for
     * @param uid the identity of the pod
     * @param node where
     * @param record the annotation that says what is held and which pods are evicted
     */
    public record Place(PodId pod, String uid, String node, String record) {}

    /** Copies the lists. */
    public Room {
        places = List.copyOf(places);
        victims = List.copyOf(victims);
    }
}
