package io.gpusched.replay;

import io.gpusched.model.PodId;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a history apart from the decisions: which jobs came and how long they ran, what became of nodes and queues. From
 * this {@link WhatIf} plays what would have happened under other rules. Kept in memory: O(jobs + decisions). Immutable once read.
 *
 * <p>A pod that ended by itself ran as long as its last run took; what it had run before it was evicted or lost its node is lost. A pod that still ran
 * when the history ended runs on.
 */
public final class Past {
    /** Something that happens whatever is decided. */
    record Happening(long time, Object what) {}

    /** The scheduler looked. */
    static final Object LOOKED = new Object();

    /** A job is withdrawn that had not run. */
    record Withdrawn(Life life) {}

    /** Something else is said of a job. */
    record Said(Life life, JobSpec spec) {}

    private final QueueState begin;
    private final List<Happening> happenings;
    private final List<Life> lives;
    private final Outcome outcome;
    private final boolean foreign;
    private final long unitsPerSecond;
    private final WorkloadProfile profile;
    private final long ending;

    private Past(Reading reading, long unitsPerSecond) {
        this.unitsPerSecond = unitsPerSecond;
        begin = Objects.requireNonNull(reading.begin);
        happenings = List.copyOf(reading.happenings);
        lives = List.copyOf(reading.lives.all());
        foreign = !reading.isOurs;
        ending = reading.ending();
        profile = WorkloadProfile.typical(pods(lives));
        Meter meter = Objects.requireNonNull(reading.meter);
        List<Outcome.Use> uses = meter.uses(profile);
        outcome = new Outcome(
                lives.stream().map(Life::outcome).toList(),
                meter.gpus(),
                meter.usedGpus(),
                meter.strandedGpus(uses),
                uses,
                reading.lives.holdings(reading.to).least(),
                reading.from,
                reading.to,
                reading.notes());
    }

    /**
     * Reads a history.
     *
     * @param progress hears of each decision
     * @throws HistoryException if it cannot be read, or has no decision or no job
     */
    public static Past of(History history, Consumer<? super RecordedDecision> progress) {
        Objects.requireNonNull(progress, "progress");
        Reading reading = new Reading();
        History.Summary read = history.read(decision -> {
            progress.accept(decision);
            reading.add(decision);
        });
        if (reading.begin == null) {
            throw new HistoryException("history: it must have at least one decision");
        }
        if (reading.lives.all().isEmpty()) {
            throw new HistoryException(
                    "history: it must have at least one job, got none in " + read.decisions() + " states");
        }
        return new Past(reading, read.unitsPerSecond());
    }

    /** Returns what became of the jobs in truth. */
    public Outcome outcome() {
        return outcome;
    }

    /** Returns whether another scheduler decided. */
    public boolean isForeign() {
        return foreign;
    }

    /** What became of all jobs in truth. */
    List<Life> lives() {
        return lives;
    }

    /** Whether there was a node of this name at some time. */
    boolean hasNode(String name) {
        return begin.cluster().node(name).isPresent()
                || happenings.stream()
                        .anyMatch(each -> each.what() instanceof HistoryEvent.NodeSet set
                                && set.node().name().equals(name));
    }

    /** Returns a number of things, whose first word is in the singular. */
    static String counted(long number, String what) {
        return number + " " + (number == 1 ? what : what.replaceFirst(" ", "s "));
    }

    /** Returns how many units of time make a second. */
    public long unitsPerSecond() {
        return unitsPerSecond;
    }

    /** Returns the pods of all its jobs. */
    public List<Pod> pods() {
        return pods(lives);
    }

    private static List<Pod> pods(List<Life> lives) {
        List<Pod> pods = new ArrayList<>();
        lives.forEach(life -> pods.addAll(life.spec.group().pods()));
        return pods;
    }

    /** Returns the state with which it begins. */
    public QueueState begin() {
        return begin;
    }

    List<Happening> happenings() {
        return happenings;
    }

    /** What pods of all its jobs ask. */
    WorkloadProfile profile() {
        return profile;
    }

    /** How long an evicted pod took to end, as a median. */
    long ending() {
        return ending;
    }

    private static final class Reading {
        private final List<Happening> happenings = new ArrayList<>();
        private final List<Long> endings = new ArrayList<>();
        private final Map<PodId, Long> evicted = new HashMap<>();
        private @Nullable QueueState begin;
        private @Nullable Meter meter;
        private @Nullable QueueState last;
        private RecordedDecision.@Nullable Rules rules;
        private boolean isOurs;
        private String wentBack = "";
        private long from;
        private long to;
        private final Lives lives = new Lives() {
            @Override
            void came(Life life, long time) {
                if (last != null) { // else it is part of the state with which the history begins
                    happenings.add(new Happening(time, life));
                }
            }

            @Override
            void said(Life life, JobSpec spec, long time) {
                happenings.add(new Happening(time, new Said(life, spec)));
            }

            @Override
            void evicted(Life life, PodId pod, long time) {
                evicted.put(pod, time);
            }

            @Override
            void kept(Life life, PodId pod) {
                evicted.remove(pod);
            }

            @Override
            void left(Life life, long time) {
                if (life.ran.isEmpty()) {
                    happenings.add(new Happening(time, new Withdrawn(life)));
                }
            }
        };

        void add(RecordedDecision decision) {
            long time = begin == null ? decision.time() : Math.max(to, decision.time());
            if (time > decision.time() && wentBack.isEmpty()) {
                wentBack = decision.where();
            }
            QueueState state = decision.state();
            if (begin == null) {
                begin = state;
                from = time;
                meter = new Meter(time);
                lives.see(time, List.of(), state, true);
            } else {
                Objects.requireNonNull(meter)
                        .until(time, Objects.requireNonNull(last).cluster());
                happened(time, Objects.requireNonNull(last), state);
                // what a scheduler evicts is in its plan; a state of another one has the pods as ending that it evicts
                lives.see(
                        time,
                        Objects.requireNonNull(last).jobs(),
                        state,
                        decision.answer().isEmpty());
            }
            decision.rules().filter(now -> !JobChanges.same(now, rules)).ifPresent(now -> {
                rules = now;
                happenings.add(new Happening(time, now));
            });
            isOurs |= decision.answer().isPresent();
            lives.see(time, state.jobs(), decision.after(), true);
            happenings.add(new Happening(time, LOOKED));
            last = decision.after();
            to = time;
        }

        private void happened(long time, QueueState before, QueueState after) {
            evicted.entrySet().removeIf(pod -> {
                boolean isOver = after.cluster().placement(pod.getKey()).isEmpty();
                if (isOver) {
                    endings.add(time - pod.getValue());
                }
                return isOver;
            });
            for (HistoryEvent event : StateChanges.between(before, after)) {
                boolean isOfJobs = event instanceof HistoryEvent.JobSet
                        || event instanceof HistoryEvent.JobGone
                        || event instanceof HistoryEvent.StatusSet
                        || event instanceof HistoryEvent.JobsOrdered
                        || event instanceof HistoryEvent.UsageSet;
                if (!isOfJobs) {
                    happenings.add(new Happening(time, event));
                }
            }
        }

        List<String> notes() {
            List<String> notes = new ArrayList<>();
            if (!wentBack.isEmpty()) {
                notes.add("the clock goes back at " + wentBack
                        + "; until it is where it was, it counts as standing still");
            }
            long unfinished = lives.all().stream()
                    .filter(life -> life.outcome().unfinished())
                    .count();
            if (unfinished > 0) {
                notes.add(
                        unfinished == 1
                                ? "1 job never ended by itself: it was evicted or lost its node, and was deleted;"
                                        + " played, it runs as long as it had"
                                : unfinished
                                        + " jobs never ended by themselves: they were evicted or lost their node, and"
                                        + " were deleted; played, they run as long as they had");
            }
            return notes;
        }

        long ending() {
            return endings.isEmpty() ? 0 : endings.stream().sorted().toList().get(endings.size() / 2);
        }
    }
}
