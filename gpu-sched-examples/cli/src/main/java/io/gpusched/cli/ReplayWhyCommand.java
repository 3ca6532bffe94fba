package io.gpusched.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.json.JsonFormat;
import io.gpusched.json.JsonFormatException;
import io.gpusched.queue.Job;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.replay.AnswerHash;
import io.gpusched.replay.AnswerWords;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryReplay;
import io.gpusched.replay.Past;
import io.gpusched.replay.RecordedDecision;
import io.gpusched.workload.Pod;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gpu-sched replay why DIR JOB --at TIME}: why a job waited then. */
@Command(
        name = "why",
        description = "Says why a job waited at a time of a history, or by other rules would have waited then.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:it runs or starts", "1:it waits", "2:bad input, or no such job at that time"})
final class ReplayWhyCommand implements Callable<Integer> {
    private static final int MOST_NAMES = 8;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "DIR",
            description = "The folder of the history, or a state that bisect wrote.")
    private Path folder = Path.of("");

    @Parameters(index = "1", paramLabel = "JOB", description = "The name of the job, or of a pod of it.")
    private String job = "";

    @Option(
            names = "--at",
            required = true,
            paramLabel = "TIME",
            description = "A time of the history, as a number or a date: the last decision until then is asked.")
    private String at = "";

    @Option(
            names = "--by",
            paramLabel = "SETTINGS",
            description = "Other rules for that decision: policy=NAME, backfill=RULE or both with a comma between"
                    + " (default: recorded).")
    private String by = "recorded";

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (Files.isRegularFile(folder)) {
            return ofState();
        }
        History history = HistoryChanges.open(folder);
        HistoryReplay replay = HistoryReplay.by(
                changes().rules(() -> Past.of(history, any -> {}).pods()));
        Scan scan = new Scan();
        HistoryTimes times = new HistoryTimes(history.unitsPerSecond());
        long time = times.parse(at);
        ReplayCommand.shown(
                "read",
                progress -> history.readWhile(decision -> {
                    progress.accept(decision);
                    scan.see(decision);
                    return decision.time() <= time;
                }));
        RecordedDecision found = scan.until(time);
        if (found == null || scan.to < time) {
            throw new IllegalArgumentException("--at must be in the history, which goes from " + times.words(scan.from)
                    + (found == null ? " on" : " to " + times.words(scan.to)) + ", got " + times.words(time));
        }
        if (jobAsked(found.state()).isEmpty()) {
            throw new IllegalArgumentException("JOB: there is no job or pod \"" + job + "\" at "
                    + times.words(found.time()) + presence(history, times));
        }
        return say(found, replay.plan(found), times);
    }

    private HistoryChanges changes() {
        HistoryChanges changes = HistoryChanges.of(by);
        if (changes.version().isPresent()) {
            throw new IllegalArgumentException("--by does not go with a jar, got \"" + by
                    + "\"\nMaybe ask that version itself: its gpu-sched replay why.");
        }
        return changes;
    }

    /** When the job was there; if it never was, the first pods of this name. */
    private String presence(History history, HistoryTimes times) {
        Scan present = new Scan();
        Set<String> namesakes = new TreeSet<>();
        history.read(decision -> {
            if (jobAsked(decision.state()).isPresent()) {
                present.see(decision);
            }
            decision.state().jobs().stream()
                    .flatMap(each -> each.group().pods().stream())
                    .filter(pod ->
                            namesakes.size() < MOST_NAMES && pod.id().name().equals(job))
                    .forEach(pod -> namesakes.add(pod.id().toString()));
        });
        return present.last == null
                ? ", nor at any other time"
                        + (namesakes.isEmpty() ? "" : "\nMaybe " + String.join(" or ", namesakes) + ".")
                : "; it was there at " + times.words(present.from)
                        + (present.to == present.from ? "" : ", the last time at " + times.words(present.to));
    }

    /** The decisions that were read. */
    private static final class Scan {
        private @Nullable RecordedDecision last;
        private @Nullable RecordedDecision before;
        private long from;
        private long to;

        void see(RecordedDecision decision) {
            from = last == null ? decision.time() : from;
            to = decision.time();
            before = last;
            last = decision;
        }

        /** The last until a time, if no more than one after it was read. */
        @Nullable
        RecordedDecision until(long time) {
            return to <= time ? last : before;
        }
    }

    private Optional<Job> jobAsked(QueueState state) {
        return state.job(job)
                .or(() -> state.jobs().stream()
                        .filter(each -> each.group().pods().stream()
                                .anyMatch(pod -> pod.id().toString().equals(job)))
                        .findFirst());
    }

    /** Asks a state by itself: by the standard rules, as it does not say by which was decided. */
    private int ofState() throws IOException {
        QueueState state;
        try {
            state = HistoryChanges.named(JsonFormat.STATE.read(Files.readString(folder)));
        } catch (JsonFormatException e) {
            throw new IllegalArgumentException(folder + ": must be a state that bisect wrote: " + e.getMessage(), e);
        }
        HistoryTimes times = new HistoryTimes(1);
        if (!at.matches("-?\\d{1,18}")) {
            throw new IllegalArgumentException(
                    "--at must be a number where a state is asked, which has no unit of time, got \"" + at + "\"");
        }
        long time = Long.parseLong(at);
        RecordedDecision asked = new RecordedDecision(
                0,
                time,
                state,
                Optional.empty(),
                Optional.empty(),
                state,
                Map.of(),
                String.valueOf(folder.getFileName()));
        List<Pod> pods = new ArrayList<>();
        state.jobs().forEach(job -> pods.addAll(job.group().pods()));
        return say(asked, HistoryReplay.by(changes().rules(() -> pods)).plan(asked), times);
    }

    private int say(RecordedDecision found, Plan plan, HistoryTimes times) {
        PrintWriter out = Commands.out(spec);
        String name = jobAsked(found.state())
                .orElseThrow(() -> new IllegalArgumentException("JOB: there is no job or pod \"" + job + "\" in "
                        + found.where() + ", known are "
                        + found.state().jobs().stream()
                                .map(Job::name)
                                .limit(MOST_NAMES)
                                .toList()))
                .name();
        List<PlanStep> steps =
                plan.steps().stream().filter(step -> step.job().equals(name)).toList();
        Optional<PendingReason> reason = plan.reason(name);
        Optional<String> recorded = Optional.ofNullable(found.reasons().get(name));
        if (json) {
            ObjectNode document = JsonAnswer.document();
            ObjectNode why = times.put(document.putObject("why"), found).put("job", name);
            ArrayNode done = why.putArray("steps");
            steps.forEach(step -> done.addObject()
                    .put("kind", AnswerHash.kind(step))
                    .put("pod", step.pod().toString())
                    .put("words", words(step, times)));
            reason.ifPresent(waits -> why.putObject("waits")
                    .put("kind", AnswerHash.kind(waits))
                    .put("certainty", waits.certainty().name())
                    .put("words", AnswerWords.of(waits, times::words)));
            recorded.ifPresent(kind -> why.put("recordedReason", kind));
            out.println(document.toPrettyString());
        } else {
            out.println("asked " + found.where() + ", time " + times.words(found.time()));
            steps.forEach(step -> out.println(words(step, times)));
            reason.ifPresent(why -> out.println("job " + name + " waits: " + AnswerWords.of(why, times::words)));
            if (reason.isEmpty() && steps.isEmpty()) {
                out.println("job " + name + " runs");
            }
            recorded.ifPresent(kind -> out.println("recorded then: " + kind));
        }
        out.flush();
        return reason.isEmpty() ? 0 : 1;
    }

    private static String words(PlanStep step, HistoryTimes times) {
        if (step instanceof PlanStep.Bind bind) {
            return "pod " + step.pod() + " starts on " + bind.placement().node();
        }
        if (step instanceof PlanStep.Evict evict) {
            return "pod " + step.pod() + " is evicted"
                    + evict.beneficiary().map(other -> " for job " + other).orElse("");
        }
        if (step instanceof PlanStep.Move move) {
            return "pod " + step.pod() + " moves from " + move.from().node() + " to "
                    + move.to().node() + " for job " + move.beneficiary();
        }
        if (step instanceof PlanStep.Nominate nominate) {
            return "pod " + step.pod() + " is nominated to "
                    + nominate.placement().node() + ", and starts once what is in the way there has ended";
        }
        return step instanceof PlanStep.Reserve reserve
                ? "pod " + step.pod() + " is reserved a start on "
                        + reserve.placement().node() + " at " + times.words(reserve.start())
                : "the place that was kept for pod " + step.pod() + " is given up";
    }
}
