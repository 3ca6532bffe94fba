package io.gpusched.dialect.internal;

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

    private GfdLabels() {}
}
