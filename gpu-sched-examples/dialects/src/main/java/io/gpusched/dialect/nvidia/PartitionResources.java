package io.gpusched.dialect.nvidia;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.NodeState;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.AmdGeometry;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources under which device plugins offer partitions of their devices: NVIDIA's {@link MigResources}; AMD's
 * {@code amd.com/cpx_nps4} and its like, with the strategy {@code mixed}; and the cores of AWS Neuron, whose devices are offered under a
 * name of their own as well.
 *
 * <p>A node tells how many there are of each, not on which GPU: the plugin chooses among them. So they are kept as one device
 * that is always cut, into templates that are counted and have no place.
 */
final class PartitionResources {
    private static final int MOST = 255;
    private static final String AMD = "amd.com/";
    private static final String AMD_LABEL = "amd.com/compute-memory-partition";
    private static final String AS_GPU = "-gpu";
    private static final String NEURON_CORE = "neuroncore";

    /** The resource of Neuron cores. */
    static final String NEURON_CORES = "aws.amazon.com/" + NEURON_CORE;

    private static final Pattern AMD_MODE = Pattern.compile("(spx|dpx|tpx|qpx|cpx)_nps[1248]");

    private PartitionResources() {}

    /** Returns the resources of all partitions of AMD's GPUs. */
    static List<String> ofAmd() {
        return Stream.of("spx", "dpx", "tpx", "qpx", "cpx")
                .flatMap(mode -> Stream.of(1, 2, 4, 8).map(memory -> AMD + mode + "_nps" + memory))
                .toList();
    }

    /** Returns the profile of a resource, or nothing if it is of no partitions of this vendor's GPUs. */
    static Optional<String> profile(String resource, String vendor) {
        String mode = resource.substring(resource.indexOf('/') + 1);
        return switch (vendor) {
            case "nvidia" -> MigResources.profile(resource);
            case "amd" ->
                Optional.of(mode)
                        .filter(any -> resource.startsWith(AMD)
                                && AMD_MODE.matcher(mode).matches());
            case "aws" -> Optional.of(NEURON_CORE).filter(any -> resource.equals(NEURON_CORES));
            default -> Optional.empty();
        };
    }

    /** Returns the resource of a profile. */
    static String resource(String profile) {
        return profile.equals(NEURON_CORE)
                ? NEURON_CORES
                : AMD_MODE.matcher(profile).matches() ? AMD + profile : MigResources.resource(profile);
    }

    /**
     * Returns the mode of a node of AMD's whose partitions are offered as GPUs, with the strategy {@code single}; nothing where its GPUs
     * are whole.
     */
    static Optional<String> modeOfAll(NodeManifest manifest) {
        return Optional.ofNullable(manifest.labels().get(AMD_LABEL))
                .filter(mode -> AMD_MODE.matcher(mode).matches() && !mode.startsWith("spx"));
    }

    /** Returns the profiles of partitions of these nodes that are offered as GPUs, ascending. */
    static List<String> offeredAsGpus(Collection<NodeState> nodes) {
        return nodes.stream()
                .flatMap(node -> node.node().gpus().stream())
                .flatMap(gpu -> gpu.partitions().names().stream())
                .filter(name -> name.endsWith(AS_GPU))
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns a device of a node that reports the cores of so many devices as well: it can be had whole or core by core. */
    static Gpu withCores(NodeManifest manifest, int devices, Gpu gpu) {
        long cores = (manifest.count(NEURON_CORES) + devices - 1) / devices;
        if (cores == 0 || cores > MOST) {
            return gpu;
        }
        PartitionProfile core = PartitionProfile.template(NEURON_CORE, (int) cores)
                .withComputeMillis((int) (gpu.computeMillis() / cores));
        return gpu.withPartitions(
                PartitionGeometry.of("neuron of " + cores + " cores", 0, NamedAmounts.NONE, List.of(core)));
    }

    /** Returns the device that stands for a node's partitions, or nothing if it has none. */
    static Optional<Gpu> device(NodeManifest manifest, int index, GpuModel model) {
        List<PartitionProfile> templates = new ArrayList<>();
        long compute = 0;
        long memory = 0;
        for (String resource : manifest.allocatable().keySet()) {
            String profile = profile(resource, model.vendor()).orElse("");
            long count = profile.isEmpty() ? 0 : manifest.count(resource);
            if (count > 0) {
                PartitionProfile template = template(profile, (int) Math.min(MOST, count), model);
                templates.add(template);
                compute += (long) template.max() * template.computeMillis();
                memory += template.max() * template.memoryMib();
            }
        }
        Optional<String> all = model.vendor().equals("amd") ? modeOfAll(manifest) : Optional.empty();
        long gpus = all.isPresent() ? manifest.count(AMD + "gpu") : 0;
        if (gpus > 0) {
            PartitionProfile part = template(all.get(), (int) Math.min(MOST, gpus), model);
            compute += (long) part.max() * part.computeMillis();
            templates.add(
                    PartitionProfile.template(all.get() + AS_GPU, part.max()).withComputeMillis(part.computeMillis()));
        }
        if (templates.isEmpty()) {
            return Optional.empty();
        }
        String name = manifest.name() + (model.vendor().equals("nvidia") ? "-mig" : "-partitions");
        PartitionGeometry geometry =
                PartitionGeometry.of(name, 0, NamedAmounts.NONE, templates).withAlwaysCut(true);
        return Optional.of(Gpu.of(index, name, model)
                .withComputeMillis((int) Math.max(1, Math.min((1 << 16) - 1, compute)))
                .withMemoryMib(Math.min(GpuModel.MAX_MEMORY_MIB, memory))
                .withPartitions(geometry));
    }

    private static PartitionProfile template(String profile, int count, GpuModel model) {
        PartitionProfile template = PartitionProfile.template(profile, count);
        Optional<PartitionGeometry> known = model.vendor().equals("amd")
                ? Optional.of(amd(model, profile))
                : MigGeometry.ofProduct(model.name(), model.memoryMib()).map(MigGeometry::geometry);
        return known.stream()
                .flatMap(one -> one.profiles().stream())
                .filter(one -> one.name().equals(profile))
                .findFirst()
                .map(one -> template.withComputeMillis(one.computeMillis()).withMemoryMib(one.memoryMib()))
                .orElse(template);
    }

    /** An MI300A has six accelerator complexes, and can alone be cut in three; all others that can be cut have eight. */
    private static PartitionGeometry amd(GpuModel model, String mode) {
        boolean isSix = model.name().toUpperCase(Locale.ROOT).contains("MI300A") || mode.startsWith("tpx");
        return AmdGeometry.of(model.name(), isSix ? 6 : 8, 0, List.of(mode));
    }

    /** Returns what a container asks of partitions of a vendor's GPUs, one request for each profile, resources ascending. */
    static List<GpuRequest> requests(ContainerManifest container, String vendor) {
        TreeMap<String, String> asked = new TreeMap<>(container.requests());
        asked.putAll(container.limits());
        List<GpuRequest> requests = new ArrayList<>();
        for (String resource : asked.keySet()) {
            String profile = profile(resource, vendor).orElse("");
            long count = profile.isEmpty() ? 0 : container.extended(resource).orElse(0L);
            if (count > 0) {
                requests.add(GpuRequest.partition(profile, Manifests.within(container, resource, count, 1, MOST)));
            }
        }
        return requests;
    }
}
