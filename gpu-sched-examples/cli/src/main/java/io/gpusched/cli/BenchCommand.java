package io.gpusched.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Runs the benchmarks in a Java process of their own. */
@Command(
        name = "bench",
        description =
                "Runs the benchmarks and prints the ratios between them; other arguments are handed to the benchmark "
                        + "program as they are.")
final class BenchCommand implements Callable<Integer> {
    private static final String JAR_PROPERTY = "gpusched.bench.jar";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "fewer and shorter runs, some twenty minutes")
    private boolean quick;

    @Option(names = "--json", paramLabel = "F", description = "write the results in JMH's JSON format")
    private @Nullable Path json;

    @Unmatched
    private List<String> others = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OptionErrors.checkWritable(spec, "--json", json);
        Path jar = Path.of(System.getProperty(JAR_PROPERTY, "gpu-sched-bench/target/benchmarks.jar"));
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("there is no benchmark program \"" + jar
                    + "\"\nMaybe start with ./gpu-sched bench, which builds it.");
        }
        return new ProcessBuilder(command(jar)).inheritIO().start().waitFor();
    }

    /** Returns the command line of the benchmark process. */
    List<String> command(Path jar) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-jar");
        command.add(jar.toString());
        if (quick) {
            command.add("--quick");
        }
        if (json != null) {
            command.add("--json");
            command.add(json.toString());
        }
        command.addAll(others);
        return command;
    }
}
