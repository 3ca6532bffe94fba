package io.gpusched.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * Runs what short runs of the command line run, and {@code kube} where asked, so that the JVM can archive the classes they load (class-data
 * sharing); prints nothing but what {@code kube} logs. The start script calls it once after a build, and the image while it is built.
 */
final class StartupTraining {
    private static final List<List<String>> PLACES = List.of(
            List.of("cluster.yaml", "pod.yaml"),
            List.of("cluster.yaml", "pod-too-large.yaml"),
            List.of("cluster.yaml", "group.yaml", "--json"),
            List.of("t9k-cluster.yaml", "t9k-pod.yaml", "--dialect", "t9k", "--json"),
            List.of("t9k-cluster.yaml", "t9k-group.yaml", "--dialect", "t9k"),
            List.of("gpushare-cluster.yaml", "gpushare-pod.yaml", "--dialect", "gpushare"),
            List.of("hami-cluster.yaml", "hami-pod.yaml", "--dialect", "hami"),
            List.of("plugin-cluster.yaml", "plugin-deployment.yaml", "--dialect", "device-plugin"),
            List.of("slurm-cluster.yaml", "slurm-job.yaml", "--dialect", "slurm"));

    private StartupTraining() {}

    /**
     * Runs {@code place} on the example files in the folder that is the first argument, and texts of help and errors; if the second one is
     * {@code kube}, that too. Ends with 1 if {@code kube} does not do what it is meant to.
     */
    public static void main(String... args) throws IOException, InterruptedException {
        commands(args[0]).forEach(StartupTraining::run);
        if (args.length > 1 && !KubeTraining.run(kube -> run(List.of(kube)))) {
            System.exit(1);
        }
    }

    /** Returns the arguments of each run. */
    static List<List<String>> commands(String examples) {
        Path folder = Path.of(examples);
        List<List<String>> commands = new ArrayList<>();
        for (List<String> place : PLACES) {
            List<String> arguments = new ArrayList<>(List.of("place"));
            arguments.addAll(List.of("--cluster", folder.resolve(place.get(0)).toString()));
            arguments.addAll(List.of("--pod", folder.resolve(place.get(1)).toString()));
            arguments.addAll(place.subList(2, place.size()));
            commands.add(arguments);
        }
        commands.add(List.of("--help"));
        commands.add(List.of("place", "--nonsense"));
        return commands;
    }

    private static void run(List<String> arguments) {
        CommandLine line = GpuSched.commandLine();
        line.setOut(new PrintWriter(Writer.nullWriter()));
        line.setErr(new PrintWriter(Writer.nullWriter()));
        line.execute(arguments.toArray(String[]::new));
    }
}
