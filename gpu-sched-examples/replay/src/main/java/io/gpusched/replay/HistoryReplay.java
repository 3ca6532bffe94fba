package io.gpusched.replay;

import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Asks each decision of a history once more: the same state, time and rules must give the same answer, on any machine. Each decision is asked about the state that
 * was recorded, so one that differs does not make later ones differ. Not thread-safe.
 */
public final class HistoryReplay {
    private final UnaryOperator<RecordedDecision.Rules> rules;
    private RecordedDecision.@Nullable Rules last;
    private RecordedDecision.Rules asked = RecordedDecision.Rules.STANDARD;
    private @Nullable SchedulingCycle cycle;

    private HistoryReplay(UnaryOperator<RecordedDecision.Rules> rules) {
        this.rules = rules;
    }

    /**
     * Returns a replay of single decisions.
     *
     * @param rules by which rules is decided, given those that were recorded; {@link RecordedDecision.Rules#STANDARD} are given where another
     *     scheduler decided
     */
    public static HistoryReplay by(UnaryOperator<RecordedDecision.Rules> rules) {
        return new HistoryReplay(Objects.requireNonNull(rules, "rules"));
    }

    /**
     * A decision that was made differently.
     *
     * @param recorded what was recorded
     * @param plan what is decided now
     */
    public record Difference(RecordedDecision recorded, Plan plan) {
        /** Checks that nothing is missing. */
        public Difference {
            Objects.requireNonNull(recorded, "recorded");
            Objects.requireNonNull(plan, "plan");
        }

        /**
         * Returns how the answers differ: a line for each job that is treated differently, with both answers.
         *
         * @param times says a time in words
         */
        public String words(LongFunction<String> times) {
            return AnswerWords.with(times).difference(recorded, plan);
        }
    }

    /**
     * What came of a replay.
     *
     * @param decisions how many decisions were asked once more
     * @param same how many of them are the same
     * @param first the first that differs
     * @param read what was read
     */
    public record Result(long decisions, long same, Optional<Difference> first, History.Summary read) {}

    /** Asks all decisions of a history once more. States of another scheduler are passed over. */
    public static Result of(History history) {
        return of(history, decision -> {});
    }

    /**
     * Asks all decisions of a history once more, on a second thread, while this one reads on.
     *
     * @param progress hears of each decision when it is read
     * @throws HistoryException if the history cannot be read
     */
    public static Result of(History history, Consumer<? super RecordedDecision> progress) {
        Objects.requireNonNull(progress, "progress");
        try (Tally tally = new Tally()) {
            History.Summary read = history.read(decision -> {
                progress.accept(decision);
                if (decision.answer().isPresent()) {
                    tally.add(decision);
                }
            });
            return tally.result(read);
        }
    }

    /**
     * Asks decisions in their order on a thread of its own, and counts which are the same. At most two runs of decisions are in memory: the one that is
     * asked and the one that is read.
     */
    private static final class Tally implements AutoCloseable {
        private static final int RUN = 256;

        private final ExecutorService asker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "gpu-sched-replay");
            thread.setDaemon(true);
            return thread;
        });
        private final HistoryReplay replay = by(UnaryOperator.identity());
        private List<RecordedDecision> run = new ArrayList<>();
        private Future<?> asked = CompletableFuture.completedFuture(null);
        private long decisions;
        private long same;
        private @Nullable Difference first;

        void add(RecordedDecision decision) {
            run.add(decision);
            if (run.size() == RUN) {
                askRun();
            }
        }

        private void askRun() {
            waitForRun();
            List<RecordedDecision> next = run;
            run = new ArrayList<>();
            asked = asker.submit(() -> next.forEach(this::ask));
        }

        private void ask(RecordedDecision decision) {
            Plan plan = replay.plan(decision);
            decisions++;
            if (decision.answer().orElseThrow().equals(AnswerHash.of(plan))) {
                same++;
            } else if (first == null) {
                first = new Difference(decision, plan);
            }
        }

        private void waitForRun() {
            try {
                asked.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException("the replay was interrupted");
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException wrong ? wrong : new IllegalStateException(e.getCause());
            }
        }

        Result result(History.Summary read) {
            askRun();
            waitForRun();
            return new Result(decisions, same, Optional.ofNullable(first), read);
        }

        @Override
        public void close() {
            asker.shutdownNow();
        }
    }

    /**
     * A decision that two sets of rules make differently.
     *
     * @param seen what was seen
     * @param one what one decides
     * @param other what the other decides
     */
    public record Disagreement(RecordedDecision seen, Plan one, Plan other) {
        /**
         * Returns how the answers differ: for each job that is treated differently both answers.
         *
         * @param times says a time in words
         */
        public String words(LongFunction<String> times) {
            return AnswerWords.difference(
                    seen.state(), AnswerWords.of(seen.state(), one, times), AnswerWords.of(seen.state(), other, times));
        }
    }

    /**
     * Returns the first decision that two sets of rules make differently; empty if they make all alike.
     *
     * @param one by which rules is decided, given those that were recorded
     * @param other the other rules
     * @throws HistoryException if the history cannot be read
     */
    public static Optional<Disagreement> firstDifference(
            History history, UnaryOperator<RecordedDecision.Rules> one, UnaryOperator<RecordedDecision.Rules> other) {
        HistoryReplay a = by(one);
        HistoryReplay b = by(other);
        List<Disagreement> found = new ArrayList<>();
        history.readWhile(decision -> {
            Plan ofA = a.plan(decision);
            Plan ofB = b.plan(decision);
            if (!AnswerHash.of(ofA).equals(AnswerHash.of(ofB))) {
                found.add(new Disagreement(decision, ofA, ofB));
            }
            return found.isEmpty();
        });
        return found.stream().findFirst();
    }

    /** Returns what is decided now on what was seen then. */
    public Plan plan(RecordedDecision decision) {
        RecordedDecision.Rules given = decision.rules().orElse(RecordedDecision.Rules.STANDARD);
        SchedulingCycle known = cycle;
        if (known == null || !JobChanges.same(given, last)) {
            asked = rules.apply(given);
            known = asked.cycle();
            cycle = known;
            last = given;
        }
        return known.plan(state(decision.state(), given), decision.time());
    }

    private QueueState state(QueueState state, RecordedDecision.Rules given) {
        if (asked.policy().equals(given.policy())
                || state.jobs().stream().allMatch(job -> job.spec().policy().isEmpty())) {
            return state;
        }
        return state.withJobs(state.jobs().stream()
                .map(job -> job.withSpec(asked.asked(job.spec(), given)))
                .toList());
    }
}
