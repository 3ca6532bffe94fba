package io.gpusched.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Objects of dynamic resource allocation, as NVIDIA's driver and users write them. */
public final class DeviceObjects {
    /** The class of whole GPUs; some of its devices are told something. */
    public static final String CLASS =
            "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec:"
                    + " {selectors: [{cel: {expression: \"device.driver == 'gpu.nvidia.com' &&"
                    + " device.attributes['gpu.nvidia.com'].type == 'gpu'\"}}], config: [{opaque: {driver: gpu.nvidia.com,"
                    + " parameters: {apiVersion: v1, kind: OfClass}}}]}}";

    private DeviceObjects() {}

    /** Returns the slice of a node with this many GPUs, of which those with an even number are large. */
    public static String slice(String node, int gpus) {
        String devices = IntStream.range(0, gpus)
                .mapToObj(gpu -> "{name: gpu-" + gpu + ", attributes: {type: {string: gpu}, uuid: {string: GPU-" + node
                        + "-" + gpu + "}, productName: {string: NVIDIA A100-SXM4-40GB}}, capacity: {memory: {value: "
                        + (gpu % 2 == 0 ? "80Gi" : "40Gi") + "}}}")
                .collect(Collectors.joining(", "));
        return "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: " + node
                + "}, spec: {driver: gpu.nvidia.com, nodeName: " + node + ", pool: {name: " + node
                + ", generation: 1, resourceSliceCount: 1}, devices: [" + devices + "]}}";
    }

    /** Returns a claim for GPUs. */
    public static String claim(String name, int count) {
        return claim(name, "{name: r, exactly: {deviceClassName: gpu, count: " + count + "}}");
    }

    /** Returns a claim with these requests. */
    public static String claim(String name, String requests) {
        return "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: " + name
                + ", namespace: default, uid: claim-" + name + "}, spec: {devices: {requests: [" + requests + "]}}}";
    }

    /** Returns the claim that stands for the extended resources of a pod. */
    public static String extended(String name, Pod pod, String request, int count) {
        return claim(name, "{name: " + request + ", exactly: {deviceClassName: gpu, count: " + count + "}}")
                .replace(
                        "metadata: {",
                        "metadata: {annotations: {resource.kubernetes.io/extended-resource-claim: 'true'},"
                                + " ownerReferences: [{apiVersion: v1, kind: Pod, controller: true, name: "
                                + pod.getMetadata().getName() + ", uid: "
                                + pod.getMetadata().getUid() + "}], ");
    }

    /** Returns a claim as another scheduler has allocated it. */
    public static String allocated(String claim, String node, List<String> devices) {
        String results = devices.stream()
                .map(device -> "{request: r, driver: gpu.nvidia.com, pool: " + node + ", device: " + device + "}")
                .collect(Collectors.joining(", "));
        return claim.substring(0, claim.length() - 1)
                + ", status: {allocation: {devices: {results: [" + results
                + "]}, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: ["
                + node + "]}]}]}}}}";
    }

    /** Returns a pod with a claim. */
    public static Pod user(String name, String claim) {
        return new PodBuilder(Manifests.pod(name, Map.of()))
                .editSpec()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec()
                .build();
    }
}
