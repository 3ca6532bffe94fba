package io.gpusched.kubernetes.decide;

/** Why a pod is not placed. */
public enum PendingReason {
    /** Nowhere is room. */
    NO_ROOM,
    /** The rules of its dialect forbid it. */
    REFUSED,
    /** It demands something that this scheduler does not honour. */
    NOT_HONOURED,
    /** Its group is not there, or too small. */
    GROUP,
    /** Its queue is not there, closed, or has no more for it. */
    QUEUE,
    /** A resource claim that it uses is not there, or not ready. */
    CLAIM,
    /** A volume that it uses is not ready. */
    VOLUME,
    /** A volume was not made in time on the node that was chosen for it. */
    PROVISIONING
}
