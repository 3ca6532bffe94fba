package io.gpusched.dialect.internal;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The environment variables that HAMi's in-container library obeys; Volcano's vgpu uses the same one. */
public final class VgpuEnvironment {
    private VgpuEnvironment() {}

    /** Returns the variables of each container of a pod, which hold these shares in the pod's order. */
    public static Map<String, Map<String, String>> of(PodManifest pod, List<List<VgpuShare>> shares, Node node) {
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (int c = 0; c < shares.size(); c++) {
            ContainerManifest container = pod.containers().get(c);
            environment.put(container.name(), of(shares.get(c), node, container.limits()));
        }
        return environment;
    }

    /** Returns the variables of a container with these shares; without any it sees no GPU. A limit of 0 cores is none. */
    private static Map<String, String> of(List<VgpuShare> shares, Node node, Map<String, String> limits) {
        Map<String, String> variables = new TreeMap<>();
        if (shares.isEmpty()) {
            variables.put("NVIDIA_VISIBLE_DEVICES", "none");
            return variables;
        }
        variables.put(
                "NVIDIA_VISIBLE_DEVICES", shares.stream().map(VgpuShare::gpu).collect(Collectors.joining(",")));
        for (int i = 0; i < shares.size(); i++) {
            variables.put("CUDA_DEVICE_MEMORY_LIMIT_" + i, shares.get(i).memoryMib() + "m");
        }
        variables.put("CUDA_DEVICE_SM_LIMIT", Long.toString(shares.get(0).cores()));
        if (node.gpus().stream().anyMatch(VgpuEnvironment::isOversubscribed)) {
            variables.put("CUDA_OVERSUBSCRIBE", "true");
        }
        String priority = limits.get("nvidia.com/priority");
        if (priority != null) {
            variables.put("CUDA_TASK_PRIORITY", priority);
        }
        return variables;
    }

    private static boolean isOversubscribed(Gpu gpu) {
        return gpu.model().memoryMib() > 0 && gpu.memoryMib() > gpu.model().memoryMib();
    }
}
