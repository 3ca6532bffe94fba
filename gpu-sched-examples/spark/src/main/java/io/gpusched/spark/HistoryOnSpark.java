package io.gpusched.spark;

import io.gpusched.json.JsonFormatException;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryException;
import io.gpusched.replay.Past;
import io.gpusched.replay.Variant;
import io.gpusched.simulator.RowFile;
import io.gpusched.simulator.RowRuns;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.trace.TraceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.spark.SparkFiles;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code spark-submit --class io.gpusched.spark.HistoryOnSpark gpu-sched-spark.jar}: what {@code gpu-sched replay grid} does, on Apache
 * Spark, of the variants that it wrote. Each is a task; the driver gives executors the files of the history and writes the CSV file.
 */
@Command(
        name = "gpu-sched-spark",
        mixinStandardHelpOptions = true,
        description = "Plays variants of a recorded history as gpu-sched replay grid does, on Apache Spark.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all variants have numbers", "1:some have none, and why is printed", "2:bad input"})
public final class HistoryOnSpark implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "the folder of the history")
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Option(
            names = "--variants",
            required = true,
            paramLabel = "F.jsonl",
            description = "what gpu-sched replay grid DIR --variants wrote")
    @SuppressWarnings("NullAway.Init")
    private Path variants;

    @Option(
            names = "--csv",
            required = true,
            paramLabel = "F",
            description = "a row for each variant; what is there already is not played again")
    @SuppressWarnings("NullAway.Init")
    private Path csv;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "local[*], spark://host:7077 and so on (default: that of spark-submit, else local[*])")
    private @Nullable String master;

    private HistoryOnSpark() {}

    /** Returns the command, ready to execute arguments. */
    public static CommandLine commandLine() {
        return new CommandLine(new HistoryOnSpark()).setExecutionExceptionHandler((e, line, parsed) -> {
            if (e instanceof IllegalArgumentException
                    || e instanceof HistoryException
                    || e instanceof TraceException
                    || e instanceof UncheckedIOException
                    || e instanceof IOException) {
                line.getErr().println("gpu-sched-spark: " + e.getMessage());
                return CommandLine.ExitCode.USAGE;
            }
            throw e;
        });
    }

    /** Runs the program and exits with its code. */
    public static void main(String... args) {
        System.exit(commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        History history = History.open(folder);
        Map<String, Variant> all = read(variants);
        Map<String, String> digests = Variant.digests(history, all);
        try (RowFile file = RowFile.open(csv, Variant.columns());
                SparkSession session = SparkSession.builder()
                        .config(GridOnSpark.conf("gpu-sched replay", master))
                        .getOrCreate()) {
            JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
            spark.setLogLevel("WARN");
            history.paths().forEach(path -> spark.addFile(path.toString()));
            RowRuns.Outcome<String> outcome = RowRuns.play(
                    all.keySet(),
                    file,
                    row -> Variant.played(row, digests),
                    name -> {
                        String variant = Variant.FORMAT.write(Objects.requireNonNull(all.get(name)));
                        Task task = new Task(Objects.requireNonNull(digests.get(name)));
                        return spark.parallelize(List.of(variant), 1)
                                .map(task)
                                .collect()
                                .get(0);
                    },
                    GridOnSpark.MOST_AT_ONCE);
            outcome.print(spec.commandLine().getOut(), csv, "variants");
            return outcome.broken().isEmpty() ? 0 : 1;
        }
    }

    private static Map<String, Variant> read(Path variants) throws IOException {
        try {
            return Variant.byName(Files.readAllLines(variants).stream()
                    .map(Variant.FORMAT::read)
                    .toList());
        } catch (JsonFormatException e) {
            throw new IllegalArgumentException(
                    variants + ": must have what gpu-sched replay grid --variants wrote: " + e.getMessage(), e);
        }
    }

    /** What an executor does. */
    private record Task(String digest) implements Function<String, List<String>> {
        @Override
        public List<String> call(String variant) {
            Past past = Past.of(History.open(Path.of(SparkFiles.getRootDirectory())), any -> {});
            return Variant.FORMAT
                    .read(variant)
                    .play(past, name -> LibraryPolicies.of(name, past::pods, Variant.SEED), digest);
        }
    }
}
