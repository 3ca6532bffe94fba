package io.gpusched.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.replay.AnswerHash;
import io.gpusched.replay.AnswerWords;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryReplay;
import io.gpusched.replay.Outcome;
import io.gpusched.replay.Past;
import io.gpusched.replay.WhatIf;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gpu-sched replay answers DIR}: what {@link OtherVersion} reads. */
@Command(
        name = "answers",
        hidden = true,
        description =
                "Answers another version, which was told this one by --jar: a hash for each decision, or with --of"
                        + " what becomes of each job, or with --outcome what would have happened.")
final class ReplayAnswersCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private HistoryChanges changes = new HistoryChanges();

    @Parameters(paramLabel = "DIR", description = "The folder of the history.")
    private Path folder = Path.of("");

    @Option(names = "--from", paramLabel = "N", description = "Reads from the file of this number on.")
    private @Nullable Integer from;

    @Option(names = "--of", paramLabel = "NUMBER", description = "Answers this decision alone.")
    private @Nullable Long of;

    @Option(names = "--outcome", description = "Plays what would have happened.")
    private boolean outcome;

    @Override
    public Integer call() {
        PrintWriter out = Commands.out(spec);
        out.println(OtherVersion.FORM);
        out.flush();
        History history = HistoryChanges.open(folder, from);
        if (outcome) {
            Past past = Past.of(history, any -> {});
            WhatIf.Change change = changes.change(past.begin(), past::pods);
            out.println(Outcome.FORMAT.write(WhatIf.play(past, change, any -> {})));
        } else {
            answer(history, out);
        }
        out.flush();
        return 0;
    }

    private void answer(History history, PrintWriter out) {
        HistoryReplay replay =
                HistoryReplay.by(changes.rules(() -> Past.of(history, any -> {}).pods()));
        HistoryTimes times = new HistoryTimes(history.unitsPerSecond());
        history.readWhile(decision -> {
            if (of == null) {
                out.println(AnswerHash.of(replay.plan(decision)));
                return !out.checkError();
            }
            if (decision.number() == of) {
                ObjectNode words = JsonAnswer.object();
                AnswerWords.of(decision.state(), replay.plan(decision), times::words)
                        .forEach(words::put);
                out.println(words);
            }
            return decision.number() < of;
        });
    }
}
