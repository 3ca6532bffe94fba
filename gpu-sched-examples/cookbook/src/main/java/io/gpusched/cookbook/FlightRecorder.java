package io.gpusched.cookbook;

import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryReplay;
import io.gpusched.replay.Recorder;
import io.gpusched.replay.RecorderLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;

/** Gives a scheduler a flight recorder, and plays what it recorded. */
public final class FlightRecorder {
    private FlightRecorder() {}

    /** Records four cycles, asks each once more, and then by other rules. */
    public static void main(String... args) throws IOException {
        Path folder = Files.createTempDirectory("history");
        SchedulingCycle cycle = SchedulingCycle.create();
        QueueState state = RunQueues.twoSweeps();
        Consumer<String> told = System.err::println;
        try (Recorder recorder = Recorder.open(folder, RecorderLimits.USUAL, told)) {
            for (int time = 0; time < 4; time++) {
                Plan plan = cycle.plan(state, time);
                recorder.add(cycle, state, time, plan);
                state = plan.after().withEnded(RunQueues.ending(plan.after()));
                state = time == 0 ? state.withJob(RunQueues.job("serving", "production")) : state;
            }
        }

        History history = History.open(folder);
        HistoryReplay.Result result = HistoryReplay.of(history);
        System.out.println(result.same() + " of " + result.decisions() + " decisions are the same");

        CycleSettings onlyStarts = CycleSettings.standard().withPasses(Set.of());
        HistoryReplay.firstDifference(history, rules -> rules, rules -> rules.withSettings(onlyStarts))
                .ifPresent(difference -> System.out.print(difference.words(Long::toString)));
    }
}
