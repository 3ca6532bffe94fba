package io.gpusched.cli;

import io.gpusched.replay.History;
import io.gpusched.replay.Past;
import io.gpusched.replay.Variant;
import io.gpusched.simulator.RowFile;
import io.gpusched.simulator.RowRuns;
import io.gpusched.simulator.policy.LibraryPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gpu-sched replay grid DIR}: every policy with every backfill rule, queues and nodes over one history. */
@Command(
        name = "grid",
        description =
                "Plays what would have happened with every policy, backfill rule, queues and nodes that are given, and writes a"
                        + " row for each combination as CSV. The word recorded stands for what was.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all variants have numbers", "1:some have none, and why is printed", "2:bad input"})
final class ReplayGridCommand implements Callable<Integer> {
    private static final String RECORDED = "recorded";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The folder of the history.")
    private Path folder = Path.of("");

    @Option(names = "--policy", split = ",", paramLabel = "a,b", description = "policies, by which places are compared")
    private List<String> policies = List.of(RECORDED);

    @Option(
            names = "--backfill",
            split = ",",
            paramLabel = "a,b",
            description = "which jobs may start while a job before them waits")
    private List<String> backfill = List.of(RECORDED);

    @Option(names = "--queues", split = ",", paramLabel = "F.yaml", description = "files of queues")
    private List<String> queues = List.of(RECORDED);

    @Option(names = "--nodes", split = ",", paramLabel = "F", description = "files of nodes; none of these nodes fails")
    private List<String> nodes = List.of(RECORDED);

    @Option(
            names = "--add",
            split = ",",
            paramLabel = "N@NODE",
            description = "as if there had been N more nodes like NODE")
    private List<String> added = List.of(RECORDED);

    @Option(names = "--without", split = ",", paramLabel = "NODE", description = "as if this node had not been there")
    private List<String> without = List.of(RECORDED);

    @Option(
            names = "--csv",
            paramLabel = "F",
            description = "a row for each variant; what is there already is not played again")
    private @Nullable Path csv;

    @Option(
            names = "--variants",
            paramLabel = "F.jsonl",
            description = "writes the variants for gpu-sched-spark, which plays them, and plays none")
    private @Nullable Path variants;

    @Option(
            names = "--threads",
            paramLabel = "n",
            converter = Ranges.Threads.class,
            description =
                    "variants to play at once, 1..1024 (default: one for each processor); the file is the same with any")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() throws IOException {
        OptionErrors.checkWritable(spec, "--csv", csv);
        OptionErrors.checkWritable(spec, "--variants", variants);
        if ((csv == null) == (variants == null)) {
            throw OptionErrors.bad(spec, "one of --csv and --variants must be given");
        }
        History history = HistoryChanges.open(folder);
        Past past = ReplayCommand.shown("read", progress -> Past.of(history, progress));
        Map<String, Variant> all = Variant.byName(all(past));
        if (variants != null) {
            Files.write(
                    variants, all.values().stream().map(Variant.FORMAT::write).toList());
            return 0;
        }
        Path rows = Objects.requireNonNull(csv, "csv");
        Map<String, String> digests = Variant.digests(history, all);
        try (RowFile file = RowFile.open(rows, Variant.columns())) {
            RowRuns.Outcome<String> outcome = RowRuns.play(
                    all.keySet(),
                    file,
                    row -> Variant.played(row, digests),
                    name -> Objects.requireNonNull(all.get(name))
                            .play(
                                    past,
                                    policy -> LibraryPolicies.of(policy, past::pods, Variant.SEED),
                                    Objects.requireNonNull(digests.get(name))),
                    threads);
            outcome.print(Commands.out(spec), rows, "variants");
            return outcome.broken().isEmpty() ? 0 : 1;
        }
    }

    private List<Variant> all(Past past) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        options.put("policy", policies);
        options.put("backfill", backfill);
        options.put("queues", queues);
        options.put("nodes", nodes);
        options.put("add", added);
        options.put("without", without);
        List<Map<String, String>> combinations = List.of(Map.of());
        for (Map.Entry<String, List<String>> option : options.entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> one : combinations) {
                for (String value : option.getValue()) {
                    Map<String, String> with = new LinkedHashMap<>(one);
                    with.put(option.getKey(), value);
                    longer.add(with);
                }
            }
            combinations = longer;
        }
        return combinations.stream().map(one -> variant(one, past)).toList();
    }

    private static Variant variant(Map<String, String> values, Past past) {
        HistoryChanges changes = new HistoryChanges();
        values.forEach((option, value) -> {
            if (!value.equals(RECORDED)) {
                changes.set(option, value);
            }
        });
        return changes.variant(past.begin());
    }
}
