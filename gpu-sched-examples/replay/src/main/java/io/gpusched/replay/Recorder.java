package io.gpusched.replay;

import io.gpusched.model.Cluster;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A flight recorder for a scheduler: what it sees and decides is written into a folder, from which {@link History} reads it.
 *
 * <pre>{@code
 * try (Recorder recorder = Recorder.open(folder, RecorderLimits.USUAL, why -> log("recording ended: " + why))) {
 *     ...
 *     Plan plan = cycle.plan(state, now);
 *     recorder.add(cycle, state, now, plan);
 * }
 * }</pre>
 *
 * <p>Nothing is recorded that a decision does not read. States are values, so the scheduler hands over references; a thread of the
 * recorder compares each state with the one before and writes what changed. The recorder never throws at the scheduler and never
 * makes it wait: if the disk is full, or so slow that more decisions wait for it than {@link RecorderLimits#backlog}, the recording
 * ends and the listener is told why, once, on the recorder's thread. Each file begins with the whole state, so that the oldest can
 * be deleted, and what a crash cuts off is the end of one file alone.
 *
 * <p>For one scheduling thread.
 */
public final class Recorder implements AutoCloseable {
    private static final HistoryWriter.Seen END = new HistoryWriter.Seen(
            QueueState.of(Cluster.of(List.of()), QueueTree.of(List.of()), List.of()), 0, null, null);

    private static final long LONGEST_CLOSE_MILLIS = 10_000;

    private final HistoryWriter writer;
    private final RecorderLimits limits;
    private final Consumer<String> ended;
    private final @Nullable BlockingQueue<HistoryWriter.Seen> backlog;
    private final @Nullable Thread thread;
    private volatile boolean recording = true;

    private Recorder(HistoryWriter writer, RecorderLimits limits, Consumer<String> ended) {
        this.writer = writer;
        this.limits = limits;
        this.ended = ended;
        if (limits.backlog() == 0) {
            backlog = null;
            thread = null;
        } else {
            BlockingQueue<HistoryWriter.Seen> queue = new ArrayBlockingQueue<>(limits.backlog() + 1);
            backlog = queue;
            thread = new Thread(() -> write(queue), "gpu-sched-recorder");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Begins a recording, in a new file of the folder.
     *
     * @param ended is told why the recording ended before it was closed
     * @throws UncheckedIOException if the folder cannot be made or read
     */
    public static Recorder open(Path folder, RecorderLimits limits, Consumer<String> ended) {
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(ended, "ended");
        try {
            return new Recorder(new HistoryWriter(folder, limits), limits, ended);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Records a decision.
     *
     * @param cycle what decided
     * @param state what it was asked about
     * @param now the time that it was told
     * @param plan its answer
     */
    public void add(SchedulingCycle cycle, QueueState state, long now, Plan plan) {
        Objects.requireNonNull(plan, "plan");
        HistoryWriter.Rules rules = new HistoryWriter.Rules(
                cycle.settings(), cycle.policy(), cycle.budget().steps());
        add(new HistoryWriter.Seen(Objects.requireNonNull(state, "state"), now, rules, plan));
    }

    /**
     * Records a state that another scheduler decides about.
     *
     * @param state the cluster with its jobs
     * @param now the time
     */
    public void add(QueueState state, long now) {
        add(new HistoryWriter.Seen(Objects.requireNonNull(state, "state"), now, null, null));
    }

    /** Returns whether what is added is still recorded. */
    public boolean isRecording() {
        return recording;
    }

    private void add(HistoryWriter.Seen seen) {
        if (!recording) {
            return;
        }
        if (backlog == null) {
            write(seen);
        } else if (backlog.size() >= limits.backlog() || !backlog.offer(seen)) {
            end("the disk is too slow: " + limits.backlog() + " decisions wait for it");
        }
    }

    private void write(HistoryWriter.Seen seen) {
        try {
            writer.write(seen);
        } catch (IOException | RuntimeException e) {
            end(e.toString());
        }
    }

    private synchronized void end(String why) {
        if (recording) {
            recording = false;
            try {
                ended.accept(why);
            } catch (RuntimeException e) {
                // a listener that fails is no reason to stop the scheduler
            }
        }
    }

    private void write(BlockingQueue<HistoryWriter.Seen> queue) {
        long pause = limits.flush().toNanos();
        long due = System.nanoTime() + pause;
        try {
            while (true) {
                HistoryWriter.Seen seen = queue.poll(Math.max(1, due - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (JobChanges.same(seen, END)) {
                    return;
                }
                if (seen != null && recording) {
                    write(seen);
                }
                if (System.nanoTime() - due >= 0) {
                    writer.flush();
                    due = System.nanoTime() + pause;
                }
            }
        } catch (IOException e) {
            end(e.toString());
        } catch (InterruptedException e) {
            end("its thread was interrupted");
        }
    }

    /** Writes what is left, and ends the recording. A disk that does not take it within ten seconds is not waited for. */
    @Override
    public void close() {
        Thread running = thread;
        if (running != null && backlog != null) {
            try {
                long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_CLOSE_MILLIS);
                boolean isTold = false;
                while (!isTold && running.isAlive() && System.nanoTime() - due < 0) {
                    isTold = backlog.offer(END, 100, TimeUnit.MILLISECONDS);
                }
                running.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (running.isAlive()) {
                end("the disk is too slow: what is left was not written");
                return;
            }
        }
        try {
            writer.close();
        } catch (IOException e) {
            end(e.toString());
        }
        recording = false;
    }
}
