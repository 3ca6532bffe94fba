package io.gpusched.dialect.internal;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The labels that NVIDIA's GPU feature discovery puts on nodes, and their likes of other vendors. */
public final class GfdLabels {
    /** Product name, such as {@code NVIDIA-A100-SXM4-80GB}; {@code -SHARED} is appended while GPUs are shared. */
    public static final String PRODUCT = "nvidia.com/gpu.product";

    /** Memory of each GPU in MiB. */
    public static final String MEMORY = "nvidia.com/gpu.memory";

    /** Number of physical GPUs. */
    public static final String COUNT = "nvidia.com/gpu.count";

    /** Number of replicas each GPU is offered as; absent, 0 or 1 where GPUs are not shared. */
    public static final String REPLICAS = "nvidia.com/gpu.replicas";

    /** {@code time-slicing}, {@code mps} or {@code none}. */
    public static final String SHARING_STRATEGY = "nvidia.com/gpu.sharing-strategy";

    /** Suffix of {@link #PRODUCT} on nodes that share GPUs without renaming the resource. */
    public static final String SHARED_SUFFIX = "-SHARED";

    /** Google's name of the GPU of a node, such as {@code nvidia-tesla-t4}. */
    public static final String GKE_ACCELERATOR = "cloud.google.com/gke-accelerator";

    /** {@code time-sharing} or {@code mps} on GKE's nodes that share their GPUs; a container may ask for one share there. */
    public static final String GKE_SHARING = "cloud.google.com/gke-gpu-sharing-strategy";

    /** As how many each GPU is offered on GKE's nodes that share them. */
    public static final String GKE_SHARES = "cloud.google.com/gke-max-shared-clients-per-gpu";

    /** GKE's MIG profile, where its nodes offer partitions as GPUs. */
    public static final String GKE_PARTITION = "cloud.google.com/gke-gpu-partition-size";

    /** Precedes the profile in the name of a GPU whose partitions are offered as GPUs. */
    private static final String SLICE = "-MIG-";

    /** Labels of clouds that name the GPU of a node, where NVIDIA's feature discovery does not; the first that is there counts. */
    private static final List<String> PRODUCTS = List.of(
            PRODUCT,
            GKE_ACCELERATOR,
            "karpenter.k8s.aws/instance-gpu-name",
            "eks.amazonaws.com/instance-gpu-name",
            "k8s.amazonaws.com/accelerator",
            "cluster-api/accelerator");

    /** Labels that say how much memory a GPU has, in MiB. */
    private static final List<String> MEMORIES =
            List.of(MEMORY, "karpenter.k8s.aws/instance-gpu-memory", "eks.amazonaws.com/instance-gpu-memory");

    /** Labels that say how many GPUs a node has. */
    private static final List<String> COUNTS = List.of(
            COUNT,
            "karpenter.k8s.aws/instance-gpu-count",
            "eks.amazonaws.com/instance-gpu-count",
            "cloud.google.com/gke-accelerator-count");

    /** A machine of Azure names its GPU: {@code Standard_NC24ads_A100_v4}. */
    private static final Pattern AZURE =
            Pattern.compile("Standard_N\\w*?_(?:\\d+)?(A10|A100|H100|H200|T4|V100|MI300X)_v\\d+");

    private GfdLabels() {}

    /** Returns the name of a node's GPUs as its labels tell it. */
    public static Optional<String> product(Map<String, String> labels) {
        String size = labels.getOrDefault(GKE_PARTITION, "");
        return first(PRODUCTS, labels)
                .map(name -> size.isBlank() || name.contains(SLICE) ? name : name + SLICE + size)
                .or(() -> Optional.of(AZURE.matcher(labels.getOrDefault("node.kubernetes.io/instance-type", "")))
                        .filter(Matcher::matches)
                        .map(name -> name.group(1)));
    }

    /** Returns how much memory each of a node's GPUs has in MiB, as text. */
    public static Optional<String> memory(Map<String, String> labels) {
        return first(MEMORIES, labels);
    }

    /** Returns the label by which a node tells how many GPUs it has. */
    public static Optional<String> count(Map<String, String> labels) {
        return COUNTS.stream().filter(labels::containsKey).findFirst();
    }

    private static Optional<String> first(List<String> names, Map<String, String> labels) {
        return names.stream()
                .map(labels::get)
                .filter(Objects::nonNull)
                .filter(text -> !text.isBlank())
                .findFirst();
    }
}
