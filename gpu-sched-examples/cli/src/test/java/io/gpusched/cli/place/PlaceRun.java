package io.gpusched.cli.place;

import io.gpusched.cli.GpuSched;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of {@code gpu-sched place}.
 *
 * @param code its exit code
 * @param out what it printed
 * @param err what it complained of
 */
record PlaceRun(int code, String out, String err) {
    /** A node of four whole GPUs that takes three pods. */
    static final String T9K_NODE = """
            kind: Node
            metadata:
              name: n1
              labels:
                sched.tensorstack.dev/node-alloc-mode: xgn
                nvidia.com/gpu.product: A100
                nvidia.com/gpu.memory: "81920"
                nvidia.com/gpu.count: "4"
            status: {allocatable: {cpu: "8", memory: 8Gi, pods: "3"}}
            """;

    /** A node of two GPUs, as a device plugin offers them. */
    static final String NODE = """
            kind: Node
            metadata: {name: n1, labels: {zone: a}}
            status: {allocatable: {cpu: 8, memory: 8Gi, pods: 10, nvidia.com/gpu: 2}}
            """;

    /** A pod that asks for one GPU; more of its spec may follow. */
    static final String POD = """
            kind: Pod
            metadata: {name: p}
            spec:
              containers:
                - name: main
                  resources: {limits: {cpu: 1, nvidia.com/gpu: 1}}
            """;

    /** Runs with these arguments. */
    static PlaceRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("place"));
        all.addAll(List.of(arguments));
        int code = GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        return new PlaceRun(code, out.toString(), err.toString());
    }

    /** Writes the two files {@code c.yaml} and {@code p.yaml} into a folder and runs with them. */
    static PlaceRun of(Path folder, String cluster, String pod, String... more) {
        try {
            List<String> all = new ArrayList<>();
            all.addAll(List.of(
                    "--cluster",
                    Files.writeString(folder.resolve("c.yaml"), cluster).toString()));
            all.addAll(List.of(
                    "--pod", Files.writeString(folder.resolve("p.yaml"), pod).toString()));
            all.addAll(List.of(more));
            return of(all.toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs with Kubernetes manifests under the dialect of NVIDIA's device plugin. */
    static PlaceRun manifests(Path folder, String cluster, String pod, String... more) {
        List<String> all = new ArrayList<>(List.of("--dialect", "device-plugin"));
        all.addAll(List.of(more));
        return of(folder, cluster, pod, all.toArray(String[]::new));
    }
}
