package io.gpusched.replay;

import io.gpusched.json.ForeignPolicy;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Puts the policies in place of which a file has the names alone. */
final class NamedPolicies {
    private final Function<String, Optional<PlacementPolicy>> known;
    private final Map<String, PlacementPolicy> found = new HashMap<>();

    NamedPolicies(Function<String, Optional<PlacementPolicy>> known) {
        this.known = known;
    }

    /** Returns an event with the policies that are meant. */
    HistoryEvent in(HistoryEvent event) {
        if (event instanceof HistoryEvent.Settings set) {
            return new HistoryEvent.Settings(set.settings(), meant(set.policy()), set.searchSteps());
        }
        if (event instanceof HistoryEvent.JobSet set) {
            return new HistoryEvent.JobSet(in(set.spec()));
        }
        if (event instanceof HistoryEvent.Snapshot snapshot) {
            List<Job> jobs = snapshot.state().jobs().stream()
                    .map(job -> job.withSpec(in(job.spec())))
                    .toList();
            return new HistoryEvent.Snapshot(snapshot.state().withJobs(jobs));
        }
        return event;
    }

    private JobSpec in(JobSpec spec) {
        return spec.policy().filter(ForeignPolicy.class::isInstance).isEmpty()
                ? spec
                : spec.toBuilder().policy(meant(spec.policy().get())).build();
    }

    private PlacementPolicy meant(PlacementPolicy policy) {
        return policy instanceof ForeignPolicy foreign
                ? found.computeIfAbsent(
                        foreign.name(), name -> known.apply(name).orElse(foreign))
                : policy;
    }
}
