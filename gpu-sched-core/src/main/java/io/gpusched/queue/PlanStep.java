package io.gpusched.queue;

import io.gpusched.check.Checks;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Objects;
import java.util.Optional;

/** One thing to do. The steps of a plan are done in their order. */
public sealed interface PlanStep {
    /** Returns the name of the job whose member it is about. */
    String job();

    /** Returns the pod. */
    PodId pod();

    /** Returns the pass that decided it. */
    CyclePass pass();

    /**
     * A pod starts now: all that it takes is free.
     *
     * @param job its job
     * @param placement where it starts
     * @param pass the pass that decided it
     */
    record Bind(String job, Placement placement, CyclePass pass) implements PlanStep {
        /** Checks that nothing is missing. */
        public Bind {
            Checks.notBlank("bind", "job", job);
            Objects.requireNonNull(placement, "placement");
            Objects.requireNonNull(pass, "pass");
        }

        @Override
        public PodId pod() {
            return placement.pod();
        }
    }

    /**
     * A pod leaves. What it holds stays held until it has ended.
     *
     * @param job its job
     * @param placement what it holds
     * @param beneficiary the job for which it leaves; empty if it leaves because its own job is stale
     * @param pass the pass that decided it
     */
    record Evict(String job, Placement placement, Optional<String> beneficiary, CyclePass pass) implements PlanStep {
        /** Checks that nothing is missing. */
        public Evict {
            Checks.notBlank("evict", "job", job);
            Objects.requireNonNull(placement, "placement");
            Objects.requireNonNull(beneficiary, "beneficiary");
            Objects.requireNonNull(pass, "pass");
        }

        @Override
        public PodId pod() {
            return placement.pod();
        }
    }

    /**
     * A pod leaves its place for another one, which is held for it.
     *
     * @param job its job
     * @param from what it holds
     * @param to where it starts again, as soon as it has ended and this place is free
     * @param beneficiary the job for which it moves
     * @param pass the pass that decided it
     */
    record Move(String job, Placement from, Placement to, String beneficiary, CyclePass pass) implements PlanStep {
        /** Checks that both places are of one pod. */
        public Move {
            Checks.notBlank("move", "job", job);
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            Checks.notBlank("move", "beneficiary", beneficiary);
            Objects.requireNonNull(pass, "pass");
            if (!from.pod().equals(to.pod())) {
                throw new IllegalArgumentException(
                        "move: both places must be of one pod, got \"" + from.pod() + "\" and \"" + to.pod() + "\"");
            }
        }

        @Override
        public PodId pod() {
            return from.pod();
        }
    }

    /**
     * A place is held for a pod. It starts there once what is in the way has ended; a later plan says so.
     *
     * @param job its job
     * @param placement the place
     * @param pass the pass that decided it
     */
    record Nominate(String job, Placement placement, CyclePass pass) implements PlanStep {
        /** Checks that nothing is missing. */
        public Nominate {
            Checks.notBlank("nominate", "job", job);
            Objects.requireNonNull(placement, "placement");
            Objects.requireNonNull(pass, "pass");
        }

        @Override
        public PodId pod() {
            return placement.pod();
        }
    }

    /**
     * A place is reserved for a pod from a later time on: when others will have ended that are not evicted. Others start there only if
     * they end before.
     *
     * @param job its job
     * @param placement the place
     * @param start from when on
     * @param pass the pass that decided it
     */
    record Reserve(String job, Placement placement, long start, CyclePass pass) implements PlanStep {
        /** Checks that nothing is missing. */
        public Reserve {
            Checks.notBlank("reserve", "job", job);
            Objects.requireNonNull(placement, "placement");
            Objects.requireNonNull(pass, "pass");
        }

        @Override
        public PodId pod() {
            return placement.pod();
        }
    }

    /**
     * The place that was held or reserved for a pod is given up: it no longer exists, or others have it. A reserved start that is taken, or for
     * which places are nominated instead, is not withdrawn.
     *
     * @param job its job
     * @param placement the place
     * @param pass the pass that decided it
     */
    record Withdraw(String job, Placement placement, CyclePass pass) implements PlanStep {
        /** Checks that nothing is missing. */
        public Withdraw {
            Checks.notBlank("withdraw", "job", job);
            Objects.requireNonNull(placement, "placement");
            Objects.requireNonNull(pass, "pass");
        }

        @Override
        public PodId pod() {
            return placement.pod();
        }
    }
}
