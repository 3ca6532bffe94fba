package io.gpusched.queue;

import io.gpusched.queue.PendingReason.Behind;
import io.gpusched.queue.PendingReason.Delayed;
import io.gpusched.queue.PendingReason.Ending;
import io.gpusched.queue.PendingReason.Expected;
import io.gpusched.queue.PendingReason.Forbidden;
import io.gpusched.queue.PendingReason.NoMove;
import io.gpusched.queue.PendingReason.NoRoom;
import io.gpusched.queue.PendingReason.NoVictims;
import io.gpusched.queue.PendingReason.Nominated;
import io.gpusched.queue.PendingReason.NotAsked;
import io.gpusched.queue.PendingReason.OverDeserved;
import io.gpusched.queue.PendingReason.OverFairShare;
import io.gpusched.queue.PendingReason.OverLimit;
import io.gpusched.queue.PendingReason.Reserved;
import io.gpusched.queue.PendingReason.TooLittle;
import io.gpusched.queue.PendingReason.Undecidable;
import io.gpusched.queue.PendingReason.Unfair;
import java.math.BigDecimal;

/** Says in words what stands in the way of a job. */
final class PendingWords {
    private PendingWords() {}

    static String of(PendingReason reason) {
        if (reason instanceof OverLimit over) {
            return queue(over.queue()) + " would exceed its limit of " + amount(over.resource(), over.limit())
                    + ": uses " + amount(over.resource(), over.used()) + ", asked "
                    + amount(over.resource(), over.asked());
        }
        if (reason instanceof OverDeserved over) {
            return queue(over.queue()) + " would exceed what it deserves with pods that are not evicted, "
                    + amount(over.resource(), over.deserved()) + ": they use " + amount(over.resource(), over.used())
                    + ", asked " + amount(over.resource(), over.asked());
        }
        if (reason instanceof OverFairShare over) {
            return "no room now, and " + queue(over.queue()) + " would exceed its fair share of "
                    + amount(over.resource(), over.fairShare()) + ", so no pod is evicted for it: uses "
                    + amount(over.resource(), over.used()) + ", asked " + amount(over.resource(), over.asked());
        }
        return rest(reason);
    }

    private static String rest(PendingReason reason) {
        if (reason instanceof TooLittle little) {
            return "no room now: asked " + amount(little.resource(), little.asked()) + ", free "
                    + amount(little.resource(), little.free()) + ", with all pods that may be evicted for it "
                    + amount(little.resource(), little.evictable());
        }
        if (reason instanceof NoRoom none) {
            return none.refusal().diagnosis()
                    + (none.evictable() == 0
                            ? ""
                            : "\n  without the " + pods(none.evictable()) + " that may be evicted");
        }
        if (reason instanceof Unfair unfair) {
            return "no room now: " + queue(unfair.queue()) + " would lose too much if others were evicted";
        }
        if (reason instanceof Expected expected) {
            return of(expected.now());
        }
        if (reason instanceof Reserved) {
            return "no room now; it starts later, in a place that is kept for it";
        }
        if (reason instanceof Behind behind) {
            return "it would delay job " + behind.first() + ", which comes before it";
        }
        if (reason instanceof Nominated nominated) {
            return "waits for pods to end on " + String.join(", ", nominated.nodes());
        }
        if (reason instanceof Ending ending) {
            return "waits for " + pods(ending.members()) + " of its own to end";
        }
        if (reason instanceof NoMove move) {
            return "no room now: job " + move.other() + " finds no other place";
        }
        if (reason instanceof Delayed) {
            return "no room now; no pod is evicted for it yet";
        }
        if (reason instanceof NoVictims || reason instanceof NotAsked) {
            return "no room now; no pod may be evicted for it";
        }
        return reason instanceof Forbidden forbidden
                ? forbidden(forbidden)
                : "it cannot be decided about: " + ((Undecidable) reason).why();
    }

    private static String forbidden(Forbidden forbidden) {
        return "the place that was found "
                + switch (forbidden.rule()) {
                    case ADMISSION -> "does not take it";
                    case MINIMUM -> "would leave a group with less than its minimum";
                    case PROTECTION -> "would take from a job that may not be moved now";
                    case LOCALITY -> "is not as close together as the group demands";
                }
                + ": " + forbidden.subject();
    }

    private static String queue(String name) {
        return "queue \"" + name + "\"";
    }

    private static String amount(QueueResource resource, long amount) {
        return switch (resource.kind()) {
            case GPU -> thousandths(amount, "GPU");
            case GPU_MODEL -> thousandths(amount, "GPU") + " of " + resource.name();
            case CPU -> thousandths(amount, "CPU");
            case MEMORY -> amount + " MiB of memory";
            case NAMED -> amount + " " + resource.name();
        };
    }

    private static String thousandths(long amount, String what) {
        return BigDecimal.valueOf(amount, 3).stripTrailingZeros().toPlainString() + " " + what
                + (amount == 1_000 ? "" : "s");
    }

    private static String pods(int count) {
        return count + (count == 1 ? " pod" : " pods");
    }
}
