package io.gpusched.kubebench;

import io.gpusched.controlplane.ControlPlane;
import io.gpusched.controlplane.RunningProgram;
import java.io.File;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A scheduler that can be measured, as a process of its own. */
public enum Contender {
    /** The scheduler that comes with the API server. */
    KUBE_SCHEDULER("kube-scheduler", "default-scheduler"),
    /** {@code gpu-sched kube}, from the classes that run here. */
    GPU_SCHED("gpu-sched", "gpu-sched");

    private static final String CONFIGURATION = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        """;

    /** As {@code ./gpu-sched kube} and the image run it. */
    private static final List<String> JAVA_OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** The command line, which must be on the class path. */
    private static final String GPU_SCHED_MAIN = "io.gpusched.cli.GpuSched";

    private final String label;
    private final String schedulerName;

    Contender(String label, String schedulerName) {
        this.label = label;
        this.schedulerName = schedulerName;
    }

    /** Returns the {@code spec.schedulerName} of its pods. */
    String schedulerName() {
        return schedulerName;
    }

    RunningProgram start(ControlPlane plane, BenchSettings settings) throws IOException {
        return switch (this) {
            case KUBE_SCHEDULER -> plane.startScheduler(CONFIGURATION);
            case GPU_SCHED -> startOurs(plane, settings);
        };
    }

    private RunningProgram startOurs(ControlPlane plane, BenchSettings settings) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JAVA_OPTIONS);
        command.addAll(settings.javaOptions());
        command.addAll(List.of("-cp", classPath(), GPU_SCHED_MAIN, "kube", "--no-leader-elect"));
        command.addAll(List.of("--scheduler-name", schedulerName, "--dialect", "device-plugin", "--health-port", "-1"));
        command.addAll(settings.kubeOptions());
        return RunningProgram.start(
                label, command, Map.of("KUBECONFIG", plane.kubeconfig().toString()), plane.folder());
    }

    /** The classes that run here, with names that hold from any folder. */
    private static String classPath() {
        Stream<Path> parts = Contender.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs()).map(url -> Path.of(url.getPath()))
                : Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                        .splitAsStream(System.getProperty("java.class.path"))
                        .map(Path::of);
        return parts.map(part -> part.toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
    }

    @Override
    public String toString() {
        return label;
    }
}
