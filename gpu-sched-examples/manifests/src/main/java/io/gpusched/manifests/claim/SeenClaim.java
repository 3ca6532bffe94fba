package io.gpusched.manifests.claim;

import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.NodeScope;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A claim of a namespace.
 *
 * @param claim what it asks for, called {@code namespace/name}
 * @param allocation what is allocated to it
 * @param reach from where that can be used; every node if nothing is said
 * @param reservedFor the names of the pods that use it, or may
 * @param ofGroup whether a pod group may use it as a whole, with any number of pods
 * @param uid its identity; empty if it is to be made, or not known
 * @param extendedFor the identity of the pod whose extended resources it stands for; empty if it is no such claim
 * @param isEnding whether it is being deleted
 */
public record SeenClaim(
        Claim claim,
        Optional<ClaimAllocation> allocation,
        NodeScope reach,
        List<String> reservedFor,
        boolean ofGroup,
        String uid,
        String extendedFor,
        boolean isEnding) {
    /** Copies the list. */
    public SeenClaim {
        Objects.requireNonNull(claim, "claim");
        Objects.requireNonNull(allocation, "allocation");
        Objects.requireNonNull(reach, "reach");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(extendedFor, "extendedFor");
        reservedFor = List.copyOf(reservedFor);
    }

    /** Returns it with these devices, or none. */
    SeenClaim with(Optional<ClaimAllocation> devices, NodeScope reached) {
        return new SeenClaim(claim, devices, reached, reservedFor, ofGroup, uid, extendedFor, isEnding);
    }

    /** Returns it as pods that start together ask for it. */
    public ClaimGang.PodClaim asked() {
        return new ClaimGang.PodClaim(
                claim,
                allocation.map(any -> reach),
                ofGroup ? Integer.MAX_VALUE : Math.max(1, ClaimGang.MOST_PODS - reservedFor.size()));
    }
}
