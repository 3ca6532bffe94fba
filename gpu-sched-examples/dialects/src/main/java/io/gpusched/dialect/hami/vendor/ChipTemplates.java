package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.registration.VendorDevice;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A chip that is had whole, cut by templates, or shared softly (Ascend). Memory is rounded up to that of the next template, above
 * the largest to the whole chip: 10,000 MiB of an Ascend910B3 are {@code vir05_1c_16g} with 16,384. Templates are counted by all
 * that they state, memory, AI cores and AI CPUs, and go one to a container.
 *
 * <p>A pod with the annotation {@value #MODE}{@code : hami-core} shares softly, any memory and percent of compute, on nodes that
 * are set up for it: by their annotation {@value #SOFT}, or else all nodes or none.
 *
 * @param unitMib MiB for each unit of memory asked, at least 1
 * @param allocatableMib the memory that a whole chip gives away, at least 1
 * @param capacityMib the memory that the chip has; above the largest template no more than this can be asked for
 * @param aiCores the AI cores of the chip, 0 where that is not told
 * @param aiCpus the AI CPUs of the chip, 0 where that is not told
 * @param templates the templates, ascending by memory
 * @param modules whether two chips make a module that is given away whole: one becomes two, and odd numbers are refused
 * @param soft whether nodes without the annotation share softly
 */
public record ChipTemplates(
        int unitMib,
        long allocatableMib,
        long capacityMib,
        int aiCores,
        int aiCpus,
        List<ChipTemplate> templates,
        boolean modules,
        boolean soft)
        implements VendorForm {
    /** The annotation of a pod that shares softly. */
    public static final String MODE = "huawei.com/vnpu-mode";

    /** The annotation of a node that is set up for it, or not; its nodes are labelled with it here. */
    public static final String SOFT = "hami-vnpu-core";

    private static final String SOFT_MODE = "hami-core";

    /**
     * Sorts the templates and checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public ChipTemplates {
        Checks.noNulls("templates", templates);
        templates = templates.stream()
                .sorted(Comparator.comparingLong(ChipTemplate::memoryMib))
                .toList();
        Checks.inRange("chip", "unitMib", unitMib, 1, Integer.MAX_VALUE);
        Checks.inRange("chip", "allocatableMib", allocatableMib, 1, Integer.MAX_VALUE);
        Checks.inRange("chip", "capacityMib", capacityMib, 0, Integer.MAX_VALUE);
        Checks.inRange("chip", "aiCores", aiCores, 0, Integer.MAX_VALUE);
        Checks.inRange("chip", "aiCpus", aiCpus, 0, Integer.MAX_VALUE);
    }

    private static boolean isSoft(PodManifest pod) {
        return SOFT_MODE.equals(pod.annotations().get(MODE));
    }

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        return VendorAmounts.of(names, container).map(amounts -> {
            int count = count(names, amounts.count());
            return isSoft(pod)
                    ? soft(word, amounts, count)
                    : hard(word, amounts, count, !modules || !isGranted(word, pod) ? amounts.count() : 1);
        });
    }

    private int count(VendorResources names, int asked) {
        if (modules && asked > 1 && asked % 2 != 0) {
            throw new IllegalArgumentException(names.count() + ": must be 1 or even, got " + asked);
        }
        return modules && asked == 1 ? 2 : asked;
    }

    private VgpuRequest soft(String word, VendorAmounts amounts, int count) {
        long cores = amounts.cores(0, DeviceParts.ALL_CORES);
        return amounts.hasMemory()
                ? DeviceParts.asked(word, count, amounts.memoryMib(unitMib), cores)
                : new VgpuRequest(count, word, allocatableMib, OptionalInt.empty(), cores);
    }

    /** Of a pod that runs the webhook has made two chips of one, of which it may have parts. */
    private static boolean isGranted(String word, PodManifest pod) {
        return pod.annotations().containsKey(VendorAnnotations.granted(word).allocated());
    }

    private VgpuRequest hard(String word, VendorAmounts amounts, int count, int written) {
        VendorResources names = amounts.names();
        if (amounts.cores(0, Integer.MAX_VALUE) > 0) {
            throw new IllegalArgumentException(names.cores() + ": goes with the annotation " + MODE + ": " + SOFT_MODE
                    + ", got " + amounts.cores(0, Integer.MAX_VALUE) + " without it");
        }
        long memory = amounts.hasMemory() ? rounded(names, amounts.memoryMib(unitMib)) : allocatableMib;
        if (written > 1 && memory != allocatableMib) {
            throw new IllegalArgumentException(names.memory() + ": a part of a chip goes one to a container, got "
                    + amounts.memoryMib(unitMib) + " MiB of " + count + " chips");
        }
        return new VgpuRequest(count, word, memory, OptionalInt.empty(), 0);
    }

    private long rounded(VendorResources names, long memoryMib) {
        long most = templates.stream().mapToLong(ChipTemplate::memoryMib).reduce(capacityMib, Math::max);
        if (memoryMib < 0 || memoryMib > most) {
            throw new IllegalArgumentException(
                    names.memory() + ": must be in 0.." + most / unitMib + ", got " + memoryMib / unitMib);
        }
        return templates.stream()
                .mapToLong(ChipTemplate::memoryMib)
                .filter(size -> memoryMib <= size)
                .findFirst()
                .orElse(allocatableMib);
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        if (isSoft(pod) && asked.cores() < DeviceParts.ALL_CORES) {
            return DeviceParts.share(asked, DeviceParts.MILLIS_PER_CORE);
        }
        String template = isSoft(pod) ? "" : template(asked);
        return template.isEmpty()
                ? GpuRequest.exclusive(asked.count(), GpuSelector.ANY.withMinMemoryMib(asked.memoryMib()))
                : GpuRequest.partition(template, asked.count());
    }

    /** Returns the template of a request that is not soft, or nothing for whole chips. */
    private String template(VgpuRequest asked) {
        return templates.stream()
                .filter(template -> template.memoryMib() == asked.memoryMib())
                .map(ChipTemplate::name)
                .findFirst()
                .orElse("");
    }

    @Override
    public Map<String, String> nodeSelector(PodManifest pod) {
        Objects.requireNonNull(pod, "pod");
        return isSoft(pod) ? Map.of(SOFT, "true") : Map.of();
    }

    @Override
    public Map<String, String> labels(NodeManifest node) {
        Objects.requireNonNull(node, "node");
        return Map.of(
                SOFT,
                String.valueOf(node.annotations()
                        .getOrDefault(SOFT, String.valueOf(soft))
                        .equals("true")));
    }

    /** Whatever its AI cores, softly shared compute is in percent. */
    @Override
    public int computeMillis(long cores) {
        return Gpu.WHOLE_COMPUTE_MILLIS;
    }

    /** HAMi sets the percents of softly shared chips against AI cores, and counts no compute of templates. */
    @Override
    public VgpuDevice counted(NodeState node, VgpuDevice device) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(device, "device");
        long used = node.isShared(device.index()) ? device.cores().used() : 0;
        return device.withCores(new VgpuDevice.Amount(
                used, aiCores > 0 ? aiCores : device.cores().total()));
    }

    @Override
    public PartitionGeometry geometry(VendorDevice device) {
        Objects.requireNonNull(device, "device");
        return ChipGeometry.of(this, device.device().memoryMib().total());
    }
}
