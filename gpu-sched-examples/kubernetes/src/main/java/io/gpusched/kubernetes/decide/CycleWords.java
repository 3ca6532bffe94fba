package io.gpusched.kubernetes.decide;

import io.gpusched.queue.PendingReason.Delayed;
import io.gpusched.queue.PendingReason.NoMove;
import io.gpusched.queue.PendingReason.NoVictims;
import io.gpusched.queue.PendingReason.NotAsked;
import io.gpusched.queue.PendingReason.OverFairShare;
import io.gpusched.queue.PendingReason.TooLittle;
import io.gpusched.queue.PendingReason.Unfair;
import java.util.regex.Pattern;

/** Says in words what stands in the way of a job. */
final class CycleWords {
    private static final Pattern NAMED = Pattern.compile("\\bjob (?:(group )\\S+ |(?=pod ))");

    private CycleWords() {}

    /** Returns whether the words on a reason say all that there is to say, or it is not for want of room. */
    static boolean isDiagnosed(io.gpusched.queue.PendingReason reason) {
        return !(reason instanceof OverFairShare
                || reason instanceof TooLittle
                || reason instanceof Unfair
                || reason instanceof Delayed
                || reason instanceof NoMove
                || reason instanceof NoVictims
                || reason instanceof NotAsked);
    }

    /**
     * Returns the words on a reason with what a diagnosis adds to them.
     *
     * @param isOneQueue whether there is one queue alone, whose name says nothing to users
     * @param diagnosis why there is no room now, node by node; empty if that is not known
     */
    static String of(io.gpusched.queue.PendingReason reason, boolean isOneQueue, String diagnosis) {
        boolean isSaid = isOneQueue
                && !diagnosis.isEmpty()
                && (reason instanceof OverFairShare || reason instanceof NoVictims || reason instanceof NotAsked);
        return isSaid ? diagnosis : of(reason) + (diagnosis.isEmpty() ? "" : "\n  " + diagnosis);
    }

    /** May cost O(n); any thread may ask. */
    static String of(io.gpusched.queue.PendingReason reason) {
        // the names of jobs say here what they are
        return NAMED.matcher(reason.words()).replaceAll("$1");
    }
}
