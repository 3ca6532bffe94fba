package io.gpusched.replay;

import io.gpusched.model.Placement;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Has what was recorded judged by the checker, which shares no code with the scheduler: plans of the library's own cycle, and of other schedulers each placement
 * that came since the state before. A pod placed by another scheduler is asked as a new pod would be, with all others where they are.
 *
 * @param checked how many plans or placements were judged
 * @param broken how many of them break a law
 * @param unknown how many plans could not be judged, as the same question has another answer now
 * @param first the first violations, each with the file, the line and the time
 */
public record HistoryCheck(long checked, long broken, long unknown, List<String> first) {
    private static final int MOST = 20;
    private static final long TRIES = 1_000;

    /** Copies the list. */
    public HistoryCheck {
        first = List.copyOf(first);
    }

    /**
     * Judges a history.
     *
     * @param progress hears of each decision before it is judged
     * @throws HistoryException if the history cannot be read
     */
    public static HistoryCheck of(History history, Consumer<? super RecordedDecision> progress) {
        Objects.requireNonNull(progress, "progress");
        Judging judging = new Judging();
        history.read(decision -> {
            progress.accept(decision);
            judging.judge(decision);
        });
        return new HistoryCheck(judging.checked, judging.broken, judging.unknown, judging.first);
    }

    private static final class Judging {
        private final Verifier verifier = Verifier.ofTries(TRIES);
        private final HistoryReplay replay = HistoryReplay.by(UnaryOperator.identity());
        private final List<String> first = new ArrayList<>();
        private @Nullable QueueState last;
        private long checked;
        private long broken;
        private long unknown;

        void judge(RecordedDecision decision) {
            if (decision.answer().isEmpty()) {
                placements(decision);
            } else {
                Plan plan = replay.plan(decision);
                if (decision.answer().get().equals(AnswerHash.of(plan))) {
                    note(
                            decision,
                            verifier.check(
                                    decision.state(),
                                    decision.rules().orElseThrow().settings(),
                                    decision.time(),
                                    plan));
                } else {
                    unknown++;
                }
            }
            last = decision.after();
        }

        private void placements(RecordedDecision decision) {
            QueueState before = last;
            if (before == null) {
                return; // what runs when a history begins was placed in another state
            }
            List<Placement> placed = new ArrayList<>();
            decision.state().cluster().forEachChange(before.cluster(), (was, is) -> {
                if (is != null) {
                    placed.addAll(is.placements());
                    if (was != null) {
                        placed.removeAll(was.placements());
                    }
                }
            });
            for (Placement placement : placed) {
                Pod.of(placement)
                        .ifPresent(pod -> note(
                                decision,
                                verifier.check(decision.state().cluster().without(placement), pod, placement)));
            }
        }

        private void note(RecordedDecision decision, List<Violation> violations) {
            checked++;
            broken += violations.isEmpty() ? 0 : 1;
            for (Violation violation : violations) {
                if (first.size() < MOST) {
                    first.add(decision.where() + ", time " + decision.time() + ": " + violation.law() + ", "
                            + violation.subject() + ": " + violation.words());
                }
            }
        }
    }
}
