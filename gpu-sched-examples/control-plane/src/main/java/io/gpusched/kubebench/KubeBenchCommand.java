package io.gpusched.kubebench;

import io.gpusched.controlplane.ControlPlane;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./gpu-sched kube-bench}: measures {@code kube} and kube-scheduler side by side on one real API server. */
@Command(
        name = "kube-bench",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 110,
        description = "Measures \"gpu-sched kube\" and kube-scheduler on one real API server, one after the other: pods"
                + " bound a second, CPU, memory and writes. Starts the server itself, from programs that"
                + " gpu-sched-examples/control-plane/build makes.")
public final class KubeBenchCommand implements Callable<Integer> {
    @Option(
            names = "--shape",
            paramLabel = "SHAPE",
            split = ",",
            description = "What to schedule: pods:N, gangs:GROUPSxPODS, racks:GROUPSxPODS; racks are gangs that stay in"
                    + " one rack; claims:N and partitions:N are pods with a resource claim for a GPU or a MIG partition"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<String> shapes = List.of("pods:5000", "gangs:1000x3", "gangs:3x1000", "racks:750x4");

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            split = ",",
            description = "The schedulers to measure, in this order (default: ${DEFAULT-VALUE}).")
    private List<Contender> contenders = List.of(Contender.KUBE_SCHEDULER, Contender.GPU_SCHED);

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes (default: ${DEFAULT-VALUE}).")
    private int nodes = 5_000;

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs of each node (default: ${DEFAULT-VALUE}).")
    private int gpus = 8;

    @Option(names = "--rack", paramLabel = "N", description = "Nodes of each rack (default: ${DEFAULT-VALUE}).")
    private int nodesPerRack = 100;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "How many pods are created at one time (default: ${DEFAULT-VALUE}).")
    private int clients = 16;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "How long to wait for the last pod of a shape (default: ${DEFAULT-VALUE}).")
    private int patience = 900;

    @Option(
            names = "--java-option",
            paramLabel = "OPTION",
            description = "An option of the JVM in which \"gpu-sched kube\" runs, such as -Xmx700m, added to those that"
                    + " ./gpu-sched gives it; may be repeated.")
    private List<String> javaOptions = List.of();

    @Option(
            names = "--kube-option",
            paramLabel = "OPTION",
            description = "An option of \"gpu-sched kube\", such as --record=FOLDER; may be repeated.")
    private List<String> kubeOptions = List.of();

    @Option(
            names = "--programs",
            paramLabel = "FOLDER",
            description =
                    "Where etcd, kube-apiserver and kube-scheduler are (default: $" + ControlPlane.PROGRAMS + ").")
    private @Nullable Path programs;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** Runs the command; the command line, {@code io.gpusched.cli.GpuSched}, must be on the class path. */
    public static void main(String... arguments) {
        System.exit(new CommandLine(new KubeBenchCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<BenchShape> asked = shapes.stream().map(BenchShape::parse).toList();
        BenchSettings settings = new BenchSettings(
                nodes, gpus, nodesPerRack, clients, Duration.ofSeconds(patience), javaOptions, kubeOptions);
        PrintWriter out = spec.commandLine().getOut();
        List<Measurement> measurements = new ArrayList<>();
        try (ControlPlane plane = ControlPlane.start(programs());
                KubeBench bench = new KubeBench(plane, settings, this::tell)) {
            for (BenchShape shape : asked) {
                for (Contender contender : contenders) {
                    Measurement one = bench.measure(shape, contender);
                    measurements.add(one);
                    tell(BenchTable.of(List.of(one)).lines().skip(2).findFirst().orElse(""));
                }
            }
        }
        out.println(BenchTable.of(measurements));
        out.println(BenchTable.ratios(measurements));
        out.print(BenchTable.writes(measurements));
        out.flush();
        return measurements.stream().allMatch(one -> one.bound() == one.shape().pods()) ? 0 : 1;
    }

    private void tell(String words) {
        spec.commandLine().getErr().println(words);
        spec.commandLine().getErr().flush();
    }

    private Path programs() {
        Path folder = programs == null ? ControlPlane.programs().orElse(null) : programs;
        if (folder == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no API server: give --programs or " + ControlPlane.PROGRAMS
                            + " the folder that gpu-sched-examples/control-plane/build prints");
        }
        return folder;
    }
}
