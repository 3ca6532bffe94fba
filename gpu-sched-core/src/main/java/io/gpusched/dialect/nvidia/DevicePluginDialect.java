package io.gpusched.dialect.nvidia;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.internal.dialect.GfdLabels;
import io.gpusched.internal.dialect.GpuRule;
import io.gpusched.internal.dialect.Manifests;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Kubernetes device plugin: whole devices under a name {@code vendor/resource}, such as {@code nvidia.com/gpu},
 * {@code amd.com/gpu} or {@code huawei.com/Ascend910}.
 *
 * <p>Whole numbers; a limit without a request sets the request, both must be equal, and a request without a limit is
 * refused. Which model a node has is read from its labels; pods choose by node selectors on them. Lowest index first.
 */
public final class DevicePluginDialect implements Dialect {
    private static final Map<String, String> VISIBLE_DEVICES =
            Map.of("nvidia", "NVIDIA_VISIBLE_DEVICES", "huawei", "ASCEND_VISIBLE_DEVICES");

    private static final Map<String, String> PRODUCT_LABELS =
            Map.of("nvidia", GfdLabels.PRODUCT, "amd", "amd.com/gpu.product-name", "huawei", "accelerator-type");

    private final String resource;

    private DevicePluginDialect(String resource) {
        this.resource = resource;
    }

    /**
     * Returns the dialect of a resource.
     *
     * @throws IllegalArgumentException if the name is not {@code domain/name} or is longer than 63 characters
     */
    public static DevicePluginDialect of(String resource) {
        if (!resource.matches("[a-z0-9.-]+/[A-Za-z0-9._-]+") || resource.length() > 63) {
            throw new IllegalArgumentException(
                    "resource must be domain/name with at most 63 characters, got \"" + resource + "\"");
        }
        return new DevicePluginDialect(resource);
    }

    @Override
    public String name() {
        return "device-plugin";
    }

    /** Returns the resource's name. */
    public String resource() {
        return resource;
    }

    @Override
    public PlacementPolicy policy() {
        return GpuRule.LOWEST_INDEX;
    }

    /** Returns the vendor: the first part of the domain. */
    private String vendor() {
        return resource.substring(0, resource.indexOf('/')).replaceFirst("\\..*", "");
    }

    @Override
    public Node node(NodeManifest manifest) {
        String product = manifest.labels().getOrDefault(PRODUCT_LABELS.getOrDefault(vendor(), ""), "gpu");
        long memory = vendor().equals("nvidia") ? manifest.nvidiaModel().memoryMib() : 0;
        GpuModel model = GpuModel.of(vendor(), product, memory);
        Node.Builder builder = manifest.toNode().mode(NodeMode.EXCLUSIVE);
        for (int i = 0; i < manifest.count(resource); i++) {
            builder.gpu(Gpu.of(i, manifest.name() + "-gpu-" + i, model));
        }
        return builder.build();
    }

    @Override
    public Pod pod(PodManifest manifest) {
        return Manifests.translate(manifest, container -> {
            long count = container.extended(resource).orElse(0L);
            return count == 0
                    ? GpuRequest.none()
                    : GpuRequest.exclusive(Manifests.within(container, resource, count, 1, Node.MAX_GPUS));
        });
    }

    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        return "Insufficient " + resource;
    }

    /** Returns the ids that the plugin puts into the environment; AMD's mounts devices and sets nothing. */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        String variable = VISIBLE_DEVICES.get(vendor());
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (ContainerGrant grant : placement.containers()) {
            if (variable != null && !(grant.gpus() instanceof GpuGrant.None)) {
                String ids = grant.gpus().indexes().stream()
                        .map(gpu -> node.gpus().get(gpu).uuid())
                        .collect(Collectors.joining(","));
                environment.put(grant.container(), Map.of(variable, ids));
            }
        }
        return BindingMetadata.environment(environment);
    }
}
