package io.gpusched.kubernetes.decide;

import java.util.List;

/** A scheduler that is told what changed at an API server, and decides, whenever a test says so. */
final class Rounds {
    final FakeApi api = new FakeApi();
    final SchedulerState state;

    /** What the scheduler is to be told next. */
    final List<Change> untold = api.watch();

    /** The time in milliseconds. */
    long now;

    Rounds(String dialect) {
        state = FakeApi.scheduler(dialect);
    }

    /** Tells what changed, lets the time of a pause pass, and returns what is decided. */
    Decisions decide() {
        now += 100;
        state.apply(List.copyOf(untold), now);
        untold.clear();
        return state.decide(now);
    }

    /** As {@link #decide}, and makes the bindings; returns the names of the pods that are bound. */
    List<String> bindAll() {
        Decisions decisions = decide();
        decisions.bindings().forEach(binding -> api.bind(binding).ifPresent(untold::add));
        return decisions.bindings().stream()
                .map(binding -> binding.pod().id().name())
                .toList();
    }
}
