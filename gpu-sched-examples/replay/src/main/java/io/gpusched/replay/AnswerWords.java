package io.gpusched.replay;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Placement;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** What an answer means for a job, in words. */
public final class AnswerWords {
    private final LongFunction<String> times;

    private AnswerWords(LongFunction<String> times) {
        this.times = times;
    }

    /** Returns how a time is said in words. */
    static AnswerWords with(LongFunction<String> times) {
        return new AnswerWords(times);
    }

    /**
     * Returns why a job waits, in the words of {@link PendingReason#words()}, and until when.
     *
     * @param times says a time in words
     */
    public static String of(PendingReason reason, LongFunction<String> times) {
        Objects.requireNonNull(times, "times");
        if (reason instanceof PendingReason.Reserved reserved) {
            return "no room now; it starts at " + times.apply(reserved.start()) + after(reserved.waitsFor())
                    + ", in a place that is reserved for it";
        }
        if (reason instanceof PendingReason.Expected expected) {
            return of(expected.now(), times) + "; it is expected to start at " + times.apply(expected.start())
                    + after(expected.waitsFor());
        }
        return reason.words()
                + (reason instanceof PendingReason.Delayed delayed ? ", until " + times.apply(delayed.until()) : "");
    }

    private static String after(Optional<String> job) {
        return job.map(name -> " when job " + name + " ends").orElse("");
    }

    /** Returns a line for each job that a recorded answer and a plan treat differently. */
    String difference(RecordedDecision recorded, Plan plan) {
        StringBuilder text = new StringBuilder();
        Map<String, String> then = changes(recorded.state(), recorded.after());
        Map<String, String> now = changes(recorded.state(), plan.after());
        for (Job job : recorded.state().jobs()) {
            String name = job.name();
            String before = then.getOrDefault(name, "")
                    + waits(Optional.ofNullable(recorded.reasons().get(name)));
            Optional<PendingJob> pending = plan.pending().stream()
                    .filter(each -> each.job().equals(name))
                    .findFirst();
            String after = now.getOrDefault(name, "") + waits(pending.map(each -> AnswerHash.kind(each.reason())));
            if (!before.equals(after)) {
                text.append("job ")
                        .append(name)
                        .append(": recorded")
                        .append(before)
                        .append("; now")
                        .append(after);
                pending.ifPresent(each ->
                        text.append(" (").append(of(each.reason(), times)).append(')'));
                text.append('\n');
            }
        }
        return text.length() == 0
                ? "the same steps and kinds of reasons, with other numbers or in another order\n"
                : text.toString();
    }

    /**
     * Returns what becomes of each job by a plan: what is done with its pods, and why it waits. Jobs that the plan does
     * not touch, and that do not wait, are left out.
     *
     * @param times says a time in words
     */
    public static Map<String, String> of(QueueState state, Plan plan, LongFunction<String> times) {
        AnswerWords words = new AnswerWords(Objects.requireNonNull(times, "times"));
        Map<String, String> all = words.changes(state, plan.after());
        plan.pending().forEach(each -> all.merge(each.job(), " waits: " + words.words(each.reason()), String::concat));
        return all;
    }

    /**
     * Returns how two answers to one state differ, three lines for each job that they treat differently.
     *
     * @param one what becomes of each job by one of them, as {@link #of(QueueState, Plan, LongFunction)} says it
     * @param other what becomes of each job by the other
     */
    public static String difference(QueueState state, Map<String, String> one, Map<String, String> other) {
        StringBuilder text = new StringBuilder();
        for (String job : differing(state, one, other)) {
            text.append("job ").append(job).append(":\n  A:").append(one.getOrDefault(job, ""));
            text.append("\n  B:").append(other.getOrDefault(job, "")).append('\n');
        }
        return text.length() == 0
                ? "the same pods on the same nodes and the same reasons, with other GPUs, numbers or in another order\n"
                : text.toString();
    }

    /** Returns the jobs that two answers to one state treat differently, in the state's order; each as for {@link #difference}. */
    public static List<String> differing(QueueState state, Map<String, String> one, Map<String, String> other) {
        return state.jobs().stream()
                .map(Job::name)
                .filter(job -> !one.getOrDefault(job, "").equals(other.getOrDefault(job, "")))
                .toList();
    }

    private String words(PendingReason reason) {
        return of(reason, times).replace("\n", "\n    ")
                + (reason.certainty() == Certainty.PROVEN ? "" : " (not proven)");
    }

    private static String waits(Optional<String> reason) {
        return reason.map(why -> " waits: " + why).orElse("");
    }

    /** What becomes of each job that changes. */
    private Map<String, String> changes(QueueState before, QueueState after) {
        Map<String, JobStatus> old = new TreeMap<>();
        before.jobs().forEach(job -> old.put(job.name(), job.status()));
        Map<String, String> changes = new TreeMap<>();
        for (Job job : after.jobs()) {
            JobStatus was = old.getOrDefault(job.name(), JobStatus.PENDING);
            if (!was.equals(job.status())) {
                changes.put(job.name(), words(was, job.status()));
            }
        }
        return changes;
    }

    private String words(JobStatus was, JobStatus is) {
        return words("starts", was.running(), is.running())
                + words("is evicted", was.terminating(), is.terminating())
                + words("is nominated", was.nominated(), is.nominated())
                + (is.reservation().equals(was.reservation())
                        ? ""
                        : is.reservation()
                                .map(reserved -> " is reserved a start at " + times.apply(reserved.start())
                                        + words("of", List.of(), reserved.placements()))
                                .orElse(" has no reserved start any more"));
    }

    private static String words(String what, List<Placement> was, List<Placement> is) {
        List<Placement> more = new ArrayList<>(is);
        more.removeAll(was);
        StringBuilder text = new StringBuilder();
        for (Placement placement : more) {
            text.append(text.length() == 0 ? " " + what : ",")
                    .append(" ")
                    .append(placement.pod())
                    .append(" on ")
                    .append(placement.node());
        }
        return text.toString();
    }
}
