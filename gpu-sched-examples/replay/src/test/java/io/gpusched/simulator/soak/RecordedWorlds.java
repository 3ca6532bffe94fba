package io.gpusched.simulator.soak;

import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.replay.Recorder;
import io.gpusched.replay.RecorderLimits;
import io.gpusched.schedule.GpuScheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Plays random histories of queues, with restarts, lost nodes and failed binds, and records them. */
public final class RecordedWorlds {
    private RecordedWorlds() {}

    /** What was asked and answered. */
    public record Asked(QueueState state, long now, Plan plan) {}

    /** Plays and records a small world by a seed; returns all that was asked. A restart of the scheduler goes on in the same recording. */
    public static List<Asked> record(long seed, Path folder, RecorderLimits limits) {
        List<Asked> asked = new ArrayList<>();
        QueueWorld world = QueueWorlds.of(Math.floorMod(seed, QueueWorlds.LARGE));
        try (Recorder recorder = Recorder.open(folder, limits, why -> {
            throw new AssertionError(why);
        })) {
            QueueHistory.play(world, () -> {
                SchedulingCycle cycle = SchedulingCycle.of(world.settings(), GpuScheduler.create());
                return (state, now) -> {
                    Plan plan = cycle.plan(state, now);
                    recorder.add(cycle, state, now, plan);
                    asked.add(new Asked(state, now, plan));
                    return plan;
                };
            });
        }
        return asked;
    }
}
