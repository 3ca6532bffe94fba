package io.gpusched.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.json.JsonFormat;
import io.gpusched.replay.AnswerHash;
import io.gpusched.replay.AnswerWords;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryReplay;
import io.gpusched.replay.Past;
import io.gpusched.replay.RecordedDecision;
import io.gpusched.workload.Pod;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gpu-sched replay bisect DIR A B}: the first decision that two settings or versions make differently. */
@Command(
        name = "bisect",
        description =
                "Finds the first decision of a history that two settings or versions make differently, on the state that was"
                        + " recorded.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all decisions are the same by both", "1:one differs", "2:bad input"})
final class ReplayBisectCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "The folder of the history.")
    private Path folder = Path.of("");

    @Parameters(
            index = "1",
            paramLabel = "A",
            description =
                    "recorded, or some of policy=NAME, backfill=RULE and jar=FILE with commas between. A jar is the"
                            + " gpu-sched-cli.jar of another version.")
    private String one = "";

    @Parameters(index = "2", paramLabel = "B", description = "The other settings.")
    private String other = "";

    @Option(
            names = "--state",
            paramLabel = "F",
            description = "Writes the state before that decision as JSON: JsonFormat.STATE reads it.")
    private @Nullable Path state;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        OptionErrors.checkWritable(spec, "--state", state);
        History history = HistoryChanges.open(folder);
        HistoryTimes times = new HistoryTimes(history.unitsPerSecond());
        List<RecordedDecision> found = new ArrayList<>();
        PrintWriter out = Commands.out(spec);
        try (Side a = side(one, history, times);
                Side b = side(other, history, times)) {
            ReplayCommand.shown(
                    "bisect",
                    progress -> history.readWhile(decision -> {
                        progress.accept(decision);
                        if (!a.hash(decision).equals(b.hash(decision))) {
                            found.add(decision);
                        }
                        return found.isEmpty();
                    }));
            if (found.isEmpty()) {
                out.print(json ? json(List.of()).toPrettyString() + "\n" : "all decisions are the same by both\n");
                out.flush();
                return 0;
            }
            RecordedDecision first = found.get(0);
            Map<String, String> byA = a.words(first);
            Map<String, String> byB = b.words(first);
            if (state != null) {
                Files.writeString(state, JsonFormat.STATE.write(first.state()) + "\n");
            }
            if (json) {
                ObjectNode document = json(found);
                times.put(document.withObject("/bisect").putObject("decision"), first);
                ArrayNode jobs = document.withObject("/bisect").putArray("jobs");
                AnswerWords.differing(first.state(), byA, byB)
                        .forEach(job -> jobs.addObject()
                                .put("job", job)
                                .put("a", byA.getOrDefault(job, "").strip())
                                .put("b", byB.getOrDefault(job, "").strip()));
                out.println(document.toPrettyString());
            } else {
                out.println("the first that differs: " + first.where() + ", time " + times.words(first.time()));
                out.println("A is " + one + ", B is " + other);
                out.print(AnswerWords.difference(first.state(), byA, byB));
                out.println("the state: " + first.state());
                if (state != null) {
                    out.println("ask it: gpu-sched replay why " + state + " JOB --at " + first.time());
                }
            }
        }
        out.flush();
        return 1;
    }

    private ObjectNode json(List<RecordedDecision> found) {
        ObjectNode document = JsonAnswer.document();
        document.putObject("bisect").put("a", one).put("b", other).put("differs", !found.isEmpty());
        return document;
    }

    private Side side(String settings, History history, HistoryTimes times) {
        HistoryChanges changes = HistoryChanges.of(settings);
        Optional<OtherVersion> version = changes.version();
        if (version.isEmpty()) {
            Supplier<List<Pod>> pods = () -> Past.of(history, any -> {}).pods();
            return new Here(HistoryReplay.by(changes.rules(pods)), times);
        }
        List<String> arguments = new ArrayList<>(changes.arguments());
        arguments.add(folder.toString());
        return new There(version.get(), arguments, version.get().answers(arguments));
    }

    /** One of the two that answer. */
    private interface Side extends Closeable {
        String hash(RecordedDecision decision);

        /** What becomes of each job, in words. */
        Map<String, String> words(RecordedDecision decision);
    }

    private record Here(HistoryReplay replay, HistoryTimes times) implements Side {
        @Override
        public String hash(RecordedDecision decision) {
            return AnswerHash.of(replay.plan(decision));
        }

        @Override
        public Map<String, String> words(RecordedDecision decision) {
            return AnswerWords.of(decision.state(), replay.plan(decision), times::words);
        }

        @Override
        public void close() {}
    }

    private record There(OtherVersion version, List<String> arguments, OtherVersion.Answers answers) implements Side {
        @Override
        public String hash(RecordedDecision decision) {
            return answers.next();
        }

        @Override
        public Map<String, String> words(RecordedDecision decision) {
            return version.words(arguments, decision.number());
        }

        @Override
        public void close() {
            answers.close();
        }
    }
}
