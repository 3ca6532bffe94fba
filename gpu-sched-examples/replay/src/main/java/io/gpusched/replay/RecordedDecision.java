package io.gpusched.replay;

import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a scheduler saw at a time and what it decided, as it was recorded.
 *
 * @param number its number in what is read, from 0
 * @param time the time that it was told
 * @param state what it was asked about
 * @param rules by which rules it decided; empty if another scheduler than the library's did
 * @param answer the {@linkplain AnswerHash hash} of its plan; empty if another scheduler decided
 * @param after the state after its plan; the same as before if another scheduler decided
 * @param reasons the kinds of the reasons for which jobs wait after it, by job
 * @param where the file and line
 */
public record RecordedDecision(
        long number,
        long time,
        QueueState state,
        Optional<Rules> rules,
        Optional<String> answer,
        QueueState after,
        Map<String, String> reasons,
        String where) {
    /**
     * By which rules was decided.
     *
     * @param settings how jobs are chosen
     * @param policy how places are compared
     * @param budget how much one decision about a place may search
     */
    public record Rules(CycleSettings settings, PlacementPolicy policy, SearchBudget budget) {
        /** The standard settings, with the policy of a scheduler that is not told otherwise. */
        public static final Rules STANDARD = of(SchedulingCycle.create());

        /** Checks that nothing is missing. */
        public Rules {
            Objects.requireNonNull(settings, "settings");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(budget, "budget");
        }

        private static Rules of(SchedulingCycle cycle) {
            return new Rules(cycle.settings(), cycle.policy(), cycle.budget());
        }

        /** Returns a job as it is asked by these rules: another policy than the given one is that of jobs too that name one. */
        JobSpec asked(JobSpec spec, Rules given) {
            return spec.policy().isEmpty() || policy.equals(given.policy())
                    ? spec
                    : spec.toBuilder().policy(policy).build();
        }

        /** Returns a cycle that decides by these rules. */
        public SchedulingCycle cycle() {
            return SchedulingCycle.of(
                    settings,
                    GpuScheduler.builder().policy(policy).budget(budget).build());
        }

        /** Returns these rules with other settings. */
        public Rules withSettings(CycleSettings value) {
            return new Rules(value, policy, budget);
        }

        /** Returns these rules with another policy. */
        public Rules withPolicy(PlacementPolicy value) {
            return new Rules(settings, value, budget);
        }
    }
}
