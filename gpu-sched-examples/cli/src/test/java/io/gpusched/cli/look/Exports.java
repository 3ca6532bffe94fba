package io.gpusched.cli.look;

/** What kubectl prints of clusters with different schedulers, in short. */
final class Exports {
    private Exports() {}

    /** A node of a device plugin. */
    static String node(String name, int gpus) {
        return """
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {nvidia.com/gpu.product: A100, nvidia.com/gpu.memory: "81920"}}
            status:
              allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "%d"}
              daemonEndpoints: {kubeletEndpoint: {Port: 10250}}
            """.formatted(name, gpus);
    }

    /** A pod; more of its metadata and of its spec may be given. */
    static String pod(String name, String metadata, String spec, String limits) {
        return """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: ml, uid: uid-%s%s}
            spec:
              containers: [{name: main, resources: {limits: {cpu: "4", memory: 16Gi%s}}}]
            %s
            """.formatted(
                        name,
                        name,
                        metadata.isEmpty() ? "" : ", " + metadata,
                        limits.isEmpty() ? "" : ", " + limits,
                        spec.indent(2));
    }

    static String running(String name, String node, int gpus) {
        return pod(name, "", "nodeName: " + node, "nvidia.com/gpu: \"" + gpus + "\"") + "status: {phase: Running}\n";
    }

    static String waiting(String name, int gpus) {
        return pod(name, "", "schedulerName: default-scheduler", "nvidia.com/gpu: \"" + gpus + "\"");
    }
}
