package io.gpusched.cli;

import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.replay.AnonymousCopy;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryCheck;
import io.gpusched.replay.HistoryReplay;
import io.gpusched.replay.Outcome;
import io.gpusched.replay.Past;
import io.gpusched.replay.RecordedDecision;
import io.gpusched.replay.WhatIf;
import io.gpusched.simulator.report.ReportPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gpu-sched replay DIR}: the same answers once more, or what would have happened otherwise. */
@Command(
        name = "replay",
        subcommands = {
            ReplayWhyCommand.class,
            ReplayBisectCommand.class,
            ReplayGridCommand.class,
            ReplayAnswersCommand.class
        },
        description = {
            "Plays a recorded history again.",
            "Without other options each decision is asked once more, and must be the same. With options such as"
                    + " --policy or --queues it says what would have happened: the same jobs come at the same times and"
                    + " run as long as they did."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all decisions are the same, or what would have happened was played",
            "1:a decision differs (with --anonymous: under the new names), with --check a law is broken, or with --expect something is not met",
            "2:bad input"
        })
final class ReplayCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private HistoryChanges changes = new HistoryChanges();

    @Parameters(paramLabel = "DIR", arity = "0..1", description = "The folder of the history.")
    private @Nullable Path folder;

    @Option(names = "--from", paramLabel = "N", description = "Reads from the file of this number on.")
    private @Nullable Integer from;

    @Option(
            names = "--check",
            description = "Has each recorded plan or placement judged by the checker, which shares no code with the"
                    + " scheduler.")
    private boolean check;

    @Option(
            names = "--expect",
            paramLabel = "F.yaml",
            description = "Says whether what a file expects is met, by what was recorded or would have happened.")
    private @Nullable Path expect;

    @Option(names = "--junit", paramLabel = "F", description = "With --expect: writes the results as JUnit does.")
    private @Nullable Path junit;

    @Option(
            names = "--anonymous",
            paramLabel = "OUT",
            description = "Writes a copy with pseudonyms into another folder, which can be given away, and says whether"
                    + " the same is decided under them.")
    private @Nullable Path anonymous;

    @Option(
            names = "--report",
            paramLabel = "F.html",
            description =
                    "Draws what would have happened as a page: the table, and GPUs in use, stranded GPUs and waiting"
                            + " jobs over time.")
    private @Nullable Path report;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (folder == null) {
            throw OptionErrors.bad(spec, "DIR, the folder of the history, is missing");
        }
        if (check && (changes.isAny() || expect != null || json)) {
            throw OptionErrors.bad(spec, "--check judges what was recorded, and goes with --from alone");
        }
        if (expect != null && json) {
            throw OptionErrors.bad(spec, "--expect goes with --junit, not with --json");
        }
        if (report != null && (!changes.isAny() || expect != null)) {
            throw OptionErrors.bad(
                    spec,
                    "--report draws what would have happened: it goes with options such as --policy, and not with --expect");
        }
        OptionErrors.checkWritable(spec, "--junit", junit);
        OptionErrors.checkWritable(spec, "--report", report);
        History history = HistoryChanges.open(folder, from);
        PrintWriter out = Commands.out(spec);
        if (junit != null && expect == null) {
            throw OptionErrors.bad(spec, "--junit goes with --expect");
        }
        if (anonymous != null && (changes.isAny() || check || expect != null || json)) {
            throw OptionErrors.bad(spec, "--anonymous copies what was recorded, and goes with --from alone");
        }
        int code;
        if (anonymous != null) {
            code = anonymous(history, anonymous, out);
        } else if (expect != null) {
            code = expectations(history, expect, out);
        } else if (check) {
            code = check(history, out);
        } else {
            code = changes.isAny() ? whatIf(history, out) : same(history, out);
        }
        out.flush();
        return code;
    }

    /** Shows progress, for histories whose length is not known. */
    static <T> T shown(String task, Function<Consumer<Object>, T> work) {
        try (Progress progress = Progress.of(task, -1)) {
            return work.apply(any -> progress.ended());
        }
    }

    private int same(History history, PrintWriter out) {
        HistoryReplay.Result result = shown("replay", progress -> HistoryReplay.of(history, progress));
        History.Summary read = result.read();
        HistoryTimes times = new HistoryTimes(read.unitsPerSecond());
        if (json) {
            out.println(JsonAnswer.object()
                    .put("version", 1)
                    .put("files", read.files())
                    .put("bytes", read.bytes())
                    .put("events", read.lines())
                    .put("states", read.decisions())
                    .put("decisions", result.decisions())
                    .put("same", result.same())
                    .put("from", read.from())
                    .put("to", read.to())
                    .put("unitsPerSecond", read.unitsPerSecond())
                    .put(
                            "firstDifference",
                            result.first().map(each -> each.recorded().where()).orElse(null))
                    .toPrettyString());
        } else {
            out.printf(
                    Locale.ROOT,
                    "%,d events in %d file%s of %,d bytes, from %s to %s%n",
                    read.lines(),
                    read.files(),
                    read.files() == 1 ? "" : "s",
                    read.bytes(),
                    times.words(read.from()),
                    times.words(read.to()));
            read.cut().forEach(cut -> out.println("the end was cut off: " + cut));
            if (result.decisions() == 0) {
                out.printf(
                        Locale.ROOT,
                        "%,d states of another scheduler; what would this one do? --policy, --queues, --backfill,"
                                + " --nodes, --add, --without%n",
                        read.decisions());
            } else {
                out.printf(Locale.ROOT, "%,d of %,d decisions are the same%n", result.same(), result.decisions());
            }
            result.first().ifPresent(first -> {
                RecordedDecision recorded = first.recorded();
                out.println("the first that differs: " + recorded.where() + ", time " + times.words(recorded.time()));
                out.print(first.words(times::words));
            });
        }
        return result.first().isEmpty() ? 0 : 1;
    }

    private int check(History history, PrintWriter out) {
        HistoryCheck result = shown("check", progress -> HistoryCheck.of(history, progress));
        out.printf(Locale.ROOT, "%,d plans or placements judged, %,d break a law%n", result.checked(), result.broken());
        if (result.unknown() > 0) {
            out.printf(Locale.ROOT, "%,d plans are not known: this version answers otherwise%n", result.unknown());
        }
        result.first().forEach(out::println);
        return result.broken() == 0 ? 0 : 1;
    }

    private static int anonymous(History history, Path to, PrintWriter out) {
        AnonymousCopy copy = shown("copy", progress -> AnonymousCopy.write(history, to, progress));
        copy.cut().forEach(cut -> out.println("the end was cut off: " + cut));
        out.printf(Locale.ROOT, "%,d names replaced in %s%n", copy.names(), to);
        if (copy.decisions() > 0) {
            out.printf(
                    Locale.ROOT,
                    "%,d of %,d decisions are the same under the new names%n",
                    copy.same(),
                    copy.decisions());
        }
        return copy.same() == copy.decisions() ? 0 : 1;
    }

    private int whatIf(History history, PrintWriter out) throws IOException {
        Function<Past, Outcome> asked = asked();
        Past past = shown("read", progress -> Past.of(history, progress));
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        outcomes.put("recorded", past.outcome());
        Outcome other = asked.apply(past);
        if (!past.isForeign()) {
            outcomes.put("same rules", play("same rules", past, WhatIf.Change.NONE));
        }
        outcomes.put(changes.toString(), other);
        HistoryComparison comparison = new HistoryComparison(outcomes, new HistoryTimes(past.unitsPerSecond()));
        if (report != null) {
            ReportPage.write(report, comparison.page("gpu-sched: what if, " + changes));
        }
        out.print(json ? comparison.json().toPrettyString() + "\n" : comparison.toString());
        return 0;
    }

    private int expectations(History history, Path file, PrintWriter out) throws IOException {
        Function<Past, Outcome> asked = changes.isAny() ? asked() : Past::outcome;
        Past past = shown("read", progress -> Past.of(history, progress));
        Outcome outcome = asked.apply(past);
        List<HistoryExpectations.Result> results =
                HistoryExpectations.results(file, outcome, new HistoryTimes(past.unitsPerSecond()));
        results.forEach(each -> out.println(
                (each.isMet() ? "met: " : "NOT MET: ") + each.name() + (each.isMet() ? "" : ": " + each.problem())));
        if (junit != null) {
            HistoryExpectations.writeJUnit(junit, String.valueOf(file.getFileName()), results);
        }
        return results.stream().allMatch(HistoryExpectations.Result::isMet) ? 0 : 1;
    }

    /** Returns what plays the changes: this version or the one that they name. */
    private Function<Past, Outcome> asked() {
        Optional<OtherVersion> other = changes.version();
        if (other.isEmpty()) {
            return past -> play(changes.toString(), past, changes.change(past.begin(), past::pods));
        }
        List<String> arguments = new ArrayList<>(changes.arguments());
        arguments.add(String.valueOf(folder));
        if (from != null) {
            arguments.add("--from=" + from);
        }
        return past -> other.get().outcome(arguments);
    }

    private static Outcome play(String name, Past past, WhatIf.Change change) {
        return shown(name, progress -> WhatIf.play(past, change, progress::accept));
    }
}
