package io.gpusched.dialect.nvidia;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The resources under which NVIDIA's device plugin offers MIG devices with the strategy {@code mixed}: {@code nvidia.com/mig-} and
 * the profile, with {@code .} for {@code +}, as in {@code nvidia.com/mig-1g.5gb.me}. (With {@code single} every MIG device is an
 * {@code nvidia.com/gpu}, and with {@code none} MIG is not looked at.)
 *
 * <p>Where the plugin shares MIG devices by time slicing and renames them, {@code .shared} ends the name, and replicas are counted,
 * of which none has memory or compute of its own.
 *
 * <p>A node tells how many there are of each, not on which GPU: the plugin chooses among them. So they are kept as one device
 * that is always cut, into templates that are counted and have no place.
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

    private static final int MOST = 255;

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

    /** Returns the device that stands for a node's MIG devices, or nothing if it has none. */
    static Optional<Gpu> device(NodeManifest manifest, int index) {
        GpuModel model = manifest.nvidiaModel();
        Optional<MigGeometry> known = MigGeometry.ofProduct(model.name(), model.memoryMib());
        List<PartitionProfile> templates = new ArrayList<>();
        long compute = 0;
        long memory = 0;
        for (String resource : manifest.allocatable().keySet()) {
            String profile = profile(resource).orElse("");
            long count = profile.isEmpty() ? 0 : manifest.count(resource);
            if (count > 0) {
                PartitionProfile template = template(profile, (int) Math.min(MOST, count), known);
                templates.add(template);
                compute += (long) template.max() * template.computeMillis();
                memory += template.max() * template.memoryMib();
            }
        }
        if (templates.isEmpty()) {
            return Optional.empty();
        }
        String name = manifest.name() + "-mig";
        PartitionGeometry geometry =
                PartitionGeometry.of(name, 0, NamedAmounts.NONE, templates).withAlwaysCut(true);
        return Optional.of(Gpu.of(index, name, model)
                .withComputeMillis((int) Math.max(1, Math.min((1 << 16) - 1, compute)))
                .withMemoryMib(Math.min(GpuModel.MAX_MEMORY_MIB, memory))
                .withPartitions(geometry));
    }

    private static PartitionProfile template(String profile, int count, Optional<MigGeometry> model) {
        PartitionProfile template = PartitionProfile.template(profile, count);
        return model.stream()
                .flatMap(one -> one.geometry().profiles().stream())
                .filter(one -> one.name().equals(profile))
                .findFirst()
                .map(one -> template.withComputeMillis(one.computeMillis()).withMemoryMib(one.memoryMib()))
                .orElse(template);
    }

    /** Returns what a container asks of MIG devices, one request for each profile, resources ascending. */
    static List<GpuRequest> requests(ContainerManifest container) {
        TreeMap<String, String> asked = new TreeMap<>(container.requests());
        asked.putAll(container.limits());
        List<GpuRequest> requests = new ArrayList<>();
        for (String resource : asked.keySet()) {
            String profile = profile(resource).orElse("");
            long count = profile.isEmpty() ? 0 : container.extended(resource).orElse(0L);
            if (count > 0) {
                requests.add(GpuRequest.partition(profile, Manifests.within(container, resource, count, 1, MOST)));
            }
        }
        return requests;
    }
}
