package io.gpusched.spark;

import io.gpusched.simulator.grid.Grid;
import io.gpusched.simulator.grid.GridOptions;
import io.gpusched.simulator.grid.GridRun;
import io.gpusched.simulator.trace.TraceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code spark-submit gpu-sched-spark.jar}: what {@code gpu-sched simulate grid} does, on Apache Spark. The driver reads and writes the
 * CSV file, and gives executors the files of job lists and machines.
 */
@Command(
        name = "gpu-sched-spark",
        mixinStandardHelpOptions = true,
        description = "Plays a grid as gpu-sched simulate grid does, on Apache Spark. Machines are node lists in CSV.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all cells have numbers", "1:some have none, and why is printed", "2:bad input"})
public final class GridOnSpark implements Callable<Integer> {
    /** Each cell that waits for an executor holds a thread of the driver. */
    static final int MOST_AT_ONCE = 1_024;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private GridOptions options = new GridOptions();

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "local[*], spark://host:7077 and so on (default: that of spark-submit, else local[*])")
    private @Nullable String master;

    @Option(
            names = "--parquet",
            paramLabel = "F.parquet",
            description = "writes all rows of the CSV file as Parquet too, a folder that driver and executors see;"
                    + " one of this name is replaced")
    private @Nullable String parquet;

    private GridOnSpark() {}

    /** Returns the command, ready to execute arguments. */
    public static CommandLine commandLine() {
        return new CommandLine(new GridOnSpark()).setExecutionExceptionHandler((e, line, parsed) -> {
            if (e instanceof IllegalArgumentException
                    || e instanceof TraceException
                    || e instanceof UncheckedIOException) {
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
        Grid grid = options.grid();
        if (parquet != null && !parquet.endsWith(".parquet")) {
            throw new ParameterException(spec.commandLine(), "--parquet must end in .parquet, got \"" + parquet + "\"");
        }
        try (SparkSession session =
                SparkSession.builder().config(conf("gpu-sched grid", master)).getOrCreate()) {
            JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
            spark.setLogLevel("WARN");
            GridRun.Outcome outcome = GridRun.play(grid, options.csv(), SparkCells.player(spark, grid), MOST_AT_ONCE);
            if (parquet != null) {
                ParquetRows.write(session, GridRun.rows(options.csv()), parquet);
            }
            outcome.print(spec.commandLine().getOut(), options.csv());
            return outcome.isComplete() ? 0 : 1;
        }
    }

    /** Returns the settings of a session, of spark-submit unless a master is given. */
    static SparkConf conf(String name, @Nullable String master) {
        SparkConf conf = new SparkConf().setAppName(name).setIfMissing("spark.master", "local[*]");
        String[] jar = JavaSparkContext.jarOfClass(GridOnSpark.class);
        if (jar.length > 0 && !conf.contains("spark.jars")) {
            conf.setJars(jar);
        }
        return master == null ? conf : conf.setMaster(master);
    }
}
