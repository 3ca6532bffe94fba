package io.gpusched.queue;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What stands in the way of a job. */
public sealed interface PendingReason {
    /** Returns how certain it is that the job cannot start, this plan's evictions included. */
    Certainty certainty();

    /**
     * Returns what stands in the way as a sentence for people, without the times. Costs as much as {@link Unschedulable#diagnosis()} where there is no
     * room, else O(1).
     */
    default String words() {
        return PendingWords.of(this);
    }

    /**
     * A queue on the way to the top would use more than its limit.
     *
     * @param queue the queue
     * @param resource of what
     * @param used what it uses
     * @param asked what the job asks in addition
     * @param limit its limit
     * @param certainty PROVEN if every place for the job uses as much; LIMIT if another place, on GPUs of another model or size, might not
     */
    record OverLimit(String queue, QueueResource resource, long used, long asked, long limit, Certainty certainty)
            implements PendingReason {
        /** Checks that nothing is missing. */
        public OverLimit {
            Checks.notBlank("over limit", "queue", queue);
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(certainty, "certainty");
        }
    }

    /**
     * The job may not be evicted, and a queue on the way to the top would use more than it deserves for such jobs.
     *
     * @param queue the queue
     * @param resource of what
     * @param used what its jobs use that may not be evicted
     * @param asked what the job asks in addition
     * @param deserved what the queue deserves
     * @param certainty PROVEN if every place for the job uses as much; LIMIT if another place, on GPUs of another model or size, might not
     */
    record OverDeserved(String queue, QueueResource resource, long used, long asked, long deserved, Certainty certainty)
            implements PendingReason {
        /** Checks that nothing is missing. */
        public OverDeserved {
            Checks.notBlank("over deserved", "queue", queue);
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(certainty, "certainty");
        }
    }

    /**
     * There is no place, and the queue would use more than its fair share, so that no pod is evicted for the job.
     *
     * @param queue the queue
     * @param resource of what
     * @param used what it uses
     * @param asked what the job asks in addition
     * @param fairShare its fair share
     * @param certainty how certain it is that there is no place
     */
    record OverFairShare(
            String queue, QueueResource resource, long used, long asked, long fairShare, Certainty certainty)
            implements PendingReason {
        /** Checks that nothing is missing. */
        public OverFairShare {
            Checks.notBlank("over fair share", "queue", queue);
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(certainty, "certainty");
        }
    }

    /**
     * There is not enough of a resource, even if every pod that may be evicted were.
     *
     * @param resource of what
     * @param asked what the job asks
     * @param free what is free
     * @param evictable what pods hold that may be evicted for it
     * @param certainty how certain it is that there is no place
     */
    record TooLittle(QueueResource resource, long asked, long free, long evictable, Certainty certainty)
            implements PendingReason {
        /** Checks that nothing is missing. */
        public TooLittle {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(certainty, "certainty");
        }
    }

    /**
     * There is no place, even if every pod that may be evicted were.
     *
     * @param refusal why not, on the snapshot without the pods that may be evicted
     * @param evictable how many pods these are
     */
    record NoRoom(Unschedulable refusal, int evictable) implements PendingReason {
        /** Checks that nothing is missing. */
        public NoRoom {
            Objects.requireNonNull(refusal, "refusal");
            Checks.inRange("no room", "evictable", evictable, 0, Integer.MAX_VALUE);
        }

        @Override
        public Certainty certainty() {
            return refusal.certainty();
        }
    }

    /**
     * There would be a place if every pod that may be evicted were, but no set of victims was found that leaves their queues what they may
     * keep.
     *
     * @param queue a queue that would lose too much
     * @param evictable how many pods may be evicted, each for itself
     */
    record Unfair(String queue, int evictable) implements PendingReason {
        /** Checks that nothing is missing. */
        public Unfair {
            Checks.notBlank("unfair", "queue", queue);
            Checks.inRange("unfair", "evictable", evictable, 0, Integer.MAX_VALUE);
        }

        @Override
        public Certainty certainty() {
            return Certainty.LIMIT;
        }
    }

    /**
     * There is no room, and others may be evicted for it only later.
     *
     * @param until when
     * @param certainty how certain it is that there is no place
     */
    record Delayed(long until, Certainty certainty) implements PendingReason {
        /** Checks that nothing is missing. */
        public Delayed {
            Objects.requireNonNull(certainty, "certainty");
        }
    }

    /**
     * There would be room if others moved, but one of them finds no other place.
     *
     * @param other the job that finds no other place
     * @param certainty how certain it is that no choice of moves helps
     */
    record NoMove(String other, Certainty certainty) implements PendingReason {
        /** Checks that nothing is missing. */
        public NoMove {
            Checks.notBlank("no move", "other", other);
            Objects.requireNonNull(certainty, "certainty");
        }
    }

    /**
     * There is no place, and no pod may be evicted for the job.
     *
     * @param pass the pass that looked for victims
     * @param certainty how certain it is that there is no place
     */
    record NoVictims(CyclePass pass, Certainty certainty) implements PendingReason {
        /** Checks that it is there. */
        public NoVictims {
            Objects.requireNonNull(pass, "pass");
            Objects.requireNonNull(certainty, "certainty");
        }
    }

    /**
     * A place is held for it, in which others have not ended yet.
     *
     * @param nodes the nodes of its places, each once, in the order of its members
     */
    record Nominated(List<String> nodes) implements PendingReason {
        /** Copies the list. */
        public Nominated {
            nodes = Checks.list("nodes", nodes);
        }

        @Override
        public Certainty certainty() {
            return Certainty.PROVEN;
        }
    }

    /**
     * It starts later, in a place that is reserved for it.
     *
     * @param start when
     * @param certainStart how certain that is
     * @param waitsFor the job that ends then; empty if the start follows from the reservation of another one, or a place is free already
     */
    record Reserved(long start, StartCertainty certainStart, Optional<String> waitsFor) implements PendingReason {
        /** Checks that nothing is missing. */
        public Reserved {
            Objects.requireNonNull(certainStart, "certainStart");
            Objects.requireNonNull(waitsFor, "waitsFor");
        }

        @Override
        public Certainty certainty() {
            return Certainty.LIMIT;
        }
    }

    /**
     * It is expected to start later. The start is not reserved: jobs that arrive before it may take the place.
     *
     * @param start when it starts if no other job arrives and all jobs run as long as planned
     * @param waitsFor the job that ends then; empty if the start follows from that of another one that waits, or a place is free already
     * @param now why it does not start now
     */
    record Expected(long start, Optional<String> waitsFor, PendingReason now) implements PendingReason {
        /** Checks that nothing is missing. */
        public Expected {
            Objects.requireNonNull(waitsFor, "waitsFor");
            Objects.requireNonNull(now, "now");
        }

        @Override
        public Certainty certainty() {
            return now.certainty();
        }
    }

    /**
     * It would delay a job that comes before it: the settings let no job pass another, or it would not end in time.
     *
     * @param first the first job that waits
     */
    record Behind(String first) implements PendingReason {
        /** Checks that it is there. */
        public Behind {
            Checks.notBlank("behind", "first", first);
        }

        @Override
        public Certainty certainty() {
            return Certainty.LIMIT;
        }
    }

    /**
     * Members of its last run have not ended yet.
     *
     * @param members how many
     */
    record Ending(int members) implements PendingReason {
        /** Checks the number. */
        public Ending {
            Checks.inRange("ending", "members", members, 1, Integer.MAX_VALUE);
        }

        @Override
        public Certainty certainty() {
            return Certainty.PROVEN;
        }
    }

    /** No pass has looked for room that could have. */
    record NotAsked() implements PendingReason {
        @Override
        public Certainty certainty() {
            return Certainty.LIMIT;
        }
    }

    /** What a place that was found would break. */
    enum Rule {
        /** Conditions of the node, rules between pods, or what is free there. */
        ADMISSION,
        /** A group starts with its minimum, and loses it only whole. */
        MINIMUM,
        /** A job that is to start elsewhere, or starts as it was told, is left alone, and so is one that has not run long enough. */
        PROTECTION,
        /** The members of a group are as close together as it demands. */
        LOCALITY
    }

    /**
     * A place was found, but what would follow from it breaks a rule.
     *
     * @param rule the rule
     * @param subject where or for which job, in words
     */
    record Forbidden(Rule rule, String subject) implements PendingReason {
        /** Checks that nothing is missing. */
        public Forbidden {
            Objects.requireNonNull(rule, "rule");
            Checks.notBlank("forbidden", "subject", subject);
        }

        @Override
        public Certainty certainty() {
            return Certainty.LIMIT;
        }
    }

    /**
     * The job cannot be decided about, as its data is contradictory; all other jobs are planned.
     *
     * @param why what is wrong with it
     */
    record Undecidable(String why) implements PendingReason {
        /** Checks that it is there. */
        public Undecidable {
            Objects.requireNonNull(why, "why");
        }

        @Override
        public Certainty certainty() {
            return Certainty.LIMIT;
        }
    }
}
