package io.gpusched.dialect.nvidia;

import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.internal.GfdLabels;
import io.gpusched.model.Gpu;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.NodeRequirement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resources under which NVIDIA's device plugin offers MIG devices with the strategy {@code mixed}: {@code nvidia.com/mig-} and
 * the profile, with {@code .} for {@code +}, as in {@code nvidia.com/mig-1g.5gb.me}. (With {@code single} every MIG device is offered as
 * an {@code nvidia.com/gpu}: a slot of its GPU, see {@link GpuOperatorDialect}; with {@code none} MIG is not looked at.)
 *
 * <p>Where the plugin shares MIG devices by time slicing and renames them, {@code .shared} ends the name, and replicas are counted,
 * of which none has memory or compute of its own.
 */
public final class MigResources {
    /** What all names begin with. */
    public static final String PREFIX = "nvidia.com/mig-";

    /**
     * Labels a node whose GPUs can be had whole or in partitions, by claims, with the numbers of those GPUs, separated by dots. It is of the
     * snapshot, and not on the node itself.
     */
    public static final String PARTITIONABLE = "gpu-sched.io/partitionable";

    /** Partitions that can be had by claims alone are none that a resource is given. */
    static final NodeRequirement BY_RESOURCE =
            new NodeRequirement(PARTITIONABLE, NodeRequirement.Operator.DOES_NOT_EXIST, List.of());

    /** Ends the names of replicas, where MIG devices are shared by time slicing and renamed. */
    private static final String SHARED = ".shared";

    private static final Map<String, String> PROFILES = profiles();

    /** A product whose MIG devices are offered as GPUs, such as {@code NVIDIA-A100-SXM4-80GB-MIG-1g.10gb-SHARED}. */
    private static final Pattern SLICE = Pattern.compile("(.*)-MIG-((\\d)g\\.[0-9a-z.+-]*?)(?:-SHARED)?");

    /** Of most models; a profile says first how many of them it has. */
    private static final int COMPUTE_SLICES = 7;

    private static final int MIB_PER_GB = 1_024;

    private MigResources() {}

    private static Map<String, String> profiles() {
        Map<String, String> profiles = new TreeMap<>();
        for (MigGeometry model : MigGeometry.values()) {
            for (String profile : model.geometry().names()) {
                profiles.put(resource(profile), profile);
                profiles.put(resource(profile) + SHARED, profile + SHARED);
            }
        }
        return profiles;
    }

    /** Returns the resource of a profile. */
    public static String resource(String profile) {
        Objects.requireNonNull(profile, "profile");
        return PREFIX + profile.replace('+', '.');
    }

    /** Returns the profile of a resource, as the models that are known call it, or nothing if it is no MIG resource. */
    public static Optional<String> profile(String resource) {
        Objects.requireNonNull(resource, "resource");
        return resource.startsWith(PREFIX) && resource.length() > PREFIX.length()
                ? Optional.of(PROFILES.getOrDefault(resource, resource.substring(PREFIX.length())))
                : Optional.empty();
    }

    /** Returns the resources of all models that are known, ascending. */
    public static List<String> known() {
        return List.copyOf(PROFILES.keySet());
    }

    /** Returns a GPU of a node, with the partitions into which claims may cut it. */
    static Gpu cut(NodeManifest manifest, Gpu gpu) {
        String numbers = manifest.labels().getOrDefault(PARTITIONABLE, "");
        return List.of(numbers.split("\\.")).contains(String.valueOf(gpu.index()))
                ? MigGeometry.ofProduct(gpu.model().name(), gpu.model().memoryMib())
                        .map(known -> gpu.withPartitions(known.geometry()))
                        .orElse(gpu)
                : gpu;
    }

    /**
     * Returns into how many MIG devices each GPU of a node is cut that offers them as GPUs, with the strategy {@code single} or as a node
     * of GKE; 1 where its GPUs are whole.
     */
    static int slicesOfEachGpu(NodeManifest manifest) {
        String product = GfdLabels.product(manifest.labels()).orElse("");
        Matcher slice = SLICE.matcher(product);
        if (!slice.matches()) {
            return 1;
        }
        String profile = PROFILES.getOrDefault(PREFIX + slice.group(2), slice.group(2));
        // the label of the memory is that of the slice, so that the profiles must tell 40 GB from 80 GB
        return Arrays.stream(MigGeometry.values())
                .filter(model -> MigGeometry.ofProduct(slice.group(1), (long) model.memoryGb() * MIB_PER_GB)
                        .filter(model::equals)
                        .isPresent())
                .flatMap(model -> model.geometry().profiles().stream())
                .filter(one -> one.name().equals(profile))
                .mapToInt(PartitionProfile::max)
                .max()
                .orElse(Math.max(1, COMPUTE_SLICES / Integer.parseInt(slice.group(3))));
    }
}
