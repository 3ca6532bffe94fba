package io.gpusched.kubernetes.evict;

import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.util.List;

/**
 * Room that is to be made for a job: places that are held for its pods, and who has to leave. A job that runs with too few pods for too
 * long leaves itself; it has no places.
 *
 * @param job the name of the job
 * @param places the places
 * @param victims who leaves, in the order in which they are evicted
 */
public record Room(String job, List<Place> places, List<NominationRecord.Victim> victims) {
    /**
     * A place that is held.
     *
     * @param pod for whom
     * @param uid the identity of the pod
     * @param node where
     * @param record the annotation that says what is held and who leaves
     */
    public record Place(PodId pod, String uid, String node, String record) {}

    /** Copies the lists. */
    public Room {
        places = List.copyOf(places);
        victims = List.copyOf(victims);
    }
}
