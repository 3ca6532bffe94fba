package io.gpusched.conformance;

import io.gpusched.conformance.dra.DraFormat;
import io.gpusched.conformance.dra.DraTimes;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./gpu-sched conformance}, in a checkout: runs vector files. Exit code 0 if nothing failed, 1 if something did, 2 for bad input. */
@Command(
        name = "conformance",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 110,
        description = "Runs what other systems' own tests and runs expect, and says what differs.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:no case failed", "1:a case failed", "2:a file is malformed or missing"})
public final class ConformanceCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Folders with vector files (sharing vectors, KAI cases, Slurm recordings), or single files.")
    private List<Path> folders = new ArrayList<>();

    @Option(names = "--json", paramLabel = "F", description = "Writes every case's outcome to this file.")
    private @Nullable Path json;

    @Option(
            names = "--times",
            paramLabel = "N",
            description =
                    "Measures instead, over N calls, how long the cases of Kubernetes' allocator of devices take.")
    private int times;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** Runs the command. */
    public static void main(String... arguments) {
        System.exit(new CommandLine(new ConformanceCommand()).execute(arguments));
    }

    @Override
    public Integer call() {
        List<String> errors = new ArrayList<>();
        try {
            if (times > 0) {
                return measure();
            }
            ConformanceReport report = new ConformanceReport(runAll(errors));
            errors.addAll(report.errors());
            report.print(spec.commandLine().getOut());
            spec.commandLine().getOut().flush();
            if (json != null) {
                report.write(json);
            }
            print(errors);
            return !errors.isEmpty() ? 2 : report.count(Outcome.Failed.class) == 0 ? 0 : 1;
        } catch (IOException e) {
            errors.add(String.valueOf(e.getMessage()));
            print(errors);
            return 2;
        }
    }

    private int measure() throws IOException {
        for (Path file : files()) {
            YamlNode root = Conformance.parse(file);
            if (new DraFormat().matches(root)) {
                for (YamlNode element : root.list()) {
                    spec.commandLine().getOut().print(DraTimes.of(element, times));
                    spec.commandLine().getOut().flush();
                }
            }
        }
        return 0;
    }

    private void print(List<String> errors) {
        PrintWriter err = spec.commandLine().getErr();
        errors.forEach(error -> err.println(spec.qualifiedName() + ": " + error));
        err.flush();
    }

    private List<Path> files() throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path folder : folders) {
            if (!Files.exists(folder)) {
                throw new IOException(folder + ": no such file or folder");
            }
            List<Path> files = Conformance.files(folder);
            if (files.isEmpty()) {
                throw new IOException(folder + ": no vector file (*.json) in this folder or below it");
            }
            all.addAll(files);
        }
        return all;
    }

    /** Runs all files; one that cannot be understood does not keep the others from being run. */
    private List<FileResult> runAll(List<String> errors) throws IOException {
        Conformance conformance = Conformance.standard();
        List<FileResult> results = new ArrayList<>();
        for (Path file : files()) {
            try {
                results.add(conformance.run(file));
            } catch (InputException e) {
                errors.add(String.valueOf(e.getMessage()));
            }
        }
        return results;
    }
}
