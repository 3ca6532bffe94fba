package io.gpusched.replay;

import io.gpusched.model.Placement;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What an answer means for a job, in words. */
final class AnswerWords {
    private AnswerWords() {}

    /** Returns a line for each job that a recorded answer and a plan treat differently. */
    static String difference(RecordedDecision recorded, Plan plan) {
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
                pending.ifPresent(
                        each -> text.append(" (").append(each.reason()).append(')'));
                text.append('\n');
            }
        }
        return text.length() == 0
                ? "the same steps and kinds of reasons, with other numbers or in another order\n"
                : text.toString();
    }

    /** Returns how two plans of one state differ, a line for each job that they treat differently. */
    static String difference(QueueState state, Plan one, Plan other) {
        StringBuilder text = new StringBuilder();
        Map<String, String> ofOne = changes(state, one.after());
        Map<String, String> ofOther = changes(state, other.after());
        for (Job job : state.jobs()) {
            String name = job.name();
            String a = ofOne.getOrDefault(name, "") + waits(one.reason(name).map(Object::toString));
            String b = ofOther.getOrDefault(name, "") + waits(other.reason(name).map(Object::toString));
            if (!a.equals(b)) {
                text.append("job ")
                        .append(name)
                        .append(":\n  A:")
                        .append(a)
                        .append("\n  B:")
                        .append(b)
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String waits(Optional<String> reason) {
        return reason.map(why -> " waits: " + why).orElse("");
    }

    /** What becomes of each job that changes. */
    private static Map<String, String> changes(QueueState before, QueueState after) {
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

    private static String words(JobStatus was, JobStatus is) {
        return words("starts", was.running(), is.running())
                + words("is evicted", was.terminating(), is.terminating())
                + words("is nominated", was.nominated(), is.nominated())
                + (is.reservation().equals(was.reservation())
                        ? ""
                        : is.reservation()
                                .map(reserved -> " is reserved a start at " + reserved.start()
                                        + words("", List.of(), reserved.placements()))
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
