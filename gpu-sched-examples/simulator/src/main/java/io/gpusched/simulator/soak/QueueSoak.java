package io.gpusched.simulator.soak;

import java.util.Locale;

/** Random histories of queues, one after the other, each plan judged by the checker. */
final class QueueSoak {
    private long histories;
    private long plans;
    private long steps;

    /**
     * Plays the history of a seed.
     *
     * @throws IllegalStateException if a plan breaks a law; the message has the smallest world that does
     */
    void play(long seed) {
        QueueWorld world = QueueWorlds.of(seed);
        QueueHistory.Outcome outcome = QueueHistory.play(world);
        histories++;
        plans += outcome.plans();
        steps += outcome.steps();
        outcome.failure().ifPresent(failure -> {
            QueueWorld smallest = QueueHistory.smallest(world, QueueHistory::play, failure);
            QueueHistory.Failure same = QueueHistory.play(smallest).failure().orElse(failure);
            throw new IllegalStateException(
                    "seed " + seed + ", after " + plans + " plans: at " + same.time() + " a plan breaks "
                            + same.law() + ": " + same.words() + "\nThe smallest world that does so:\n" + smallest
                            + "To see it again: gpu-sched soak --queues --minutes 1 --seed " + seed);
        });
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d plans of %,d histories with queues, %,d steps, no law is broken",
                plans,
                histories,
                steps);
    }
}
