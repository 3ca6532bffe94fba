package io.gpusched.kubernetes.write;

import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.util.Optional;

/** Is told what comes of room that is being made, on any thread. */
public interface RoomListener {
    /** A pod was evicted for a job. */
    void evicted(NominationRecord.Victim victim, String job);

    /** A disruption budget forbids an eviction for a job for now. */
    void blocked(String job);

    /**
     * No more pods are evicted for a job, and its places are held no longer.
     *
     * @param kept the pod whose eviction was refused, if that is why
     * @param why what the API server said
     */
    void givenUp(String job, Optional<PodId> kept, String why);
}
