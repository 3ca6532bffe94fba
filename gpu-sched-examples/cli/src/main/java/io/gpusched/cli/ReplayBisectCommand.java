package io.gpusched.cli;

import io.gpusched.json.JsonFormat;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryReplay;
import io.gpusched.replay.Past;
import io.gpusched.workload.Pod;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gpu-sched replay bisect DIR A B}: the first decision that two settings make differently. */
@Command(
        name = "bisect",
        description = "Finds the first decision of a history that two settings make differently, on the state that was"
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
            description = "recorded, or policy=NAME, backfill=RULE, or both with a comma between.")
    private String one = "";

    @Parameters(index = "2", paramLabel = "B", description = "The other settings.")
    private String other = "";

    @Option(
            names = "--state",
            paramLabel = "F",
            description = "Writes the state before that decision as JSON: JsonFormat.STATE reads it.")
    private @Nullable Path state;

    @Override
    public Integer call() throws IOException {
        OptionErrors.checkWritable(spec, "--state", state);
        History history = HistoryChanges.open(folder);
        Supplier<List<Pod>> pods = () -> Past.of(history, any -> {}).pods();
        Optional<HistoryReplay.Disagreement> found = ReplayCommand.shown(
                "bisect",
                progress -> HistoryReplay.firstDifference(
                        history, HistoryChanges.rules(one, pods), HistoryChanges.rules(other, pods)));
        PrintWriter out = Commands.out(spec);
        if (found.isEmpty()) {
            out.println("all decisions are the same by both");
            out.flush();
            return 0;
        }
        HistoryReplay.Disagreement first = found.get();
        HistoryTimes times = new HistoryTimes(history.unitsPerSecond());
        out.println("the first that differs: " + first.seen().where() + ", time "
                + times.words(first.seen().time()));
        out.println("A is " + one + ", B is " + other);
        out.print(first.words(times::words));
        out.println("the state: " + first.seen().state());
        if (state != null) {
            Files.writeString(state, JsonFormat.STATE.write(first.seen().state()) + "\n");
            out.println("ask it: gpu-sched replay why " + state + " JOB --at "
                    + first.seen().time());
        }
        out.flush();
        return 1;
    }
}
