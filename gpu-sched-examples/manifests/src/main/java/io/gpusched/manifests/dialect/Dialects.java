package io.gpusched.manifests.dialect;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.nvidia.MigResources;
import io.gpusched.dialect.nvidia.NvidiaSharing;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The dialects of the command line by name. A name may be followed by a setting, as in {@code nano-gpu:spread}. */
public final class Dialects {
    /** The name of Slurm's dialect, which has a form of its own. */
    public static final String SLURM = "slurm";

    private static final String DEVICE_PLUGIN = "device-plugin:";

    /** Is followed by the path of HAMi's settings file. */
    private static final String HAMI = "hami:";

    private static final Map<String, Supplier<NamedDialect>> BY_NAME = names();

    /** What pods of Koordinator and HiveD ask for. */
    private static final Set<String> NAMED_BY_ANNOTATIONS = Set.of(
            KoordinatorDialect.CORE,
            KoordinatorDialect.RATIO,
            KoordinatorDialect.MEMORY,
            KoordinatorDialect.PERCENT,
            KoordinatorDialect.SHARED,
            "hivedscheduler.microsoft.com/pod-scheduling-enable");

    private Dialects() {}

    private static Map<String, Supplier<NamedDialect>> names() {
        Map<String, Supplier<NamedDialect>> names = new LinkedHashMap<>();
        names.put("t9k", () -> named(T9kDialect.of(), T9kDialect.GPU, T9kDialect.GPU_PERCENT, T9kDialect.GPU_NODE));
        names.put("device-plugin", () -> devicePlugin("nvidia.com/gpu"));
        names.put("device-plugin:amd.com/gpu", () -> devicePlugin("amd.com/gpu"));
        names.put("device-plugin:huawei.com/Ascend910", () -> devicePlugin("huawei.com/Ascend910"));
        names.put("nvidia", Dialects::gpuOperator);
        names.put("nvidia-sharing", () -> sharing(NvidiaSharing.timeSlicing(2)));
        names.put("nvidia-sharing:mps", () -> sharing(NvidiaSharing.mps(2)));
        names.put("nano-gpu", () -> nanoGpu(NanoGpuPolicy.BINPACK));
        names.put("nano-gpu:spread", () -> nanoGpu(NanoGpuPolicy.SPREAD));
        names.put("gpushare", () -> gpuShare(AliyunGpuShareDialect.Unit.GIB));
        names.put("gpushare:mib", () -> gpuShare(AliyunGpuShareDialect.Unit.MIB));
        names.put("elastic-gpu", Dialects::elasticGpu);
        names.put("gaia", () -> named(GaiaGpuDialect.of(), GaiaGpuDialect.CORE, GaiaGpuDialect.MEMORY));
        names.put("hami", () -> hami(HamiAnnotations.dialect(), "nvidia.com/priority"));
        names.put("volcano", () -> volcano(VolcanoPolicy.BINPACK));
        names.put("volcano:spread", () -> volcano(VolcanoPolicy.SPREAD));
        return names;
    }

    private static NamedDialect named(Dialect dialect, String... resources) {
        return new NamedDialect(dialect, Set.of(resources));
    }

    private static NamedDialect devicePlugin(String resource) {
        DevicePluginDialect plugin = DevicePluginDialect.of(resource);
        return new NamedDialect(plugin, new TreeSet<>(plugin.resources()));
    }

    private static NamedDialect gpuOperator() {
        Set<String> resources = new TreeSet<>(Set.of(NvidiaSharing.RESOURCE, GpuOperatorDialect.SHARED));
        resources.addAll(MigResources.known());
        return new NamedDialect(GpuOperatorDialect.of(), resources);
    }

    private static NamedDialect sharing(NvidiaSharing sharing) {
        return named(NvidiaSharingDialect.of(sharing), sharing.resource());
    }

    private static NamedDialect nanoGpu(NanoGpuPolicy policy) {
        return named(NanoGpuDialect.of(policy), NanoGpuDialect.PERCENT);
    }

    private static NamedDialect gpuShare(AliyunGpuShareDialect.Unit unit) {
        return named(AliyunGpuShareDialect.of(unit), AliyunGpuShareDialect.MEMORY);
    }

    /** Elastic GPU reads its resources under an older domain too. */
    private static NamedDialect elasticGpu() {
        return named(
                ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK),
                ElasticGpuDialect.CORE,
                ElasticGpuDialect.MEMORY,
                ElasticGpuDialect.CORE.replace(".io/", ".com/"),
                ElasticGpuDialect.MEMORY.replace(".io/", ".com/"));
    }

    /** A task's priority is told to the container and does not bear on its place. */
    private static NamedDialect hami(HamiDialect hami, String priority) {
        Set<String> resources = new TreeSet<>(hami.resources());
        resources.add(priority);
        resources.remove("");
        return new NamedDialect(hami, resources);
    }

    private static NamedDialect volcano(VolcanoPolicy policy) {
        String vgpu = "volcano.sh/vgpu-";
        return named(
                VolcanoDialect.of(policy),
                "volcano.sh/gpu-memory",
                "volcano.sh/gpu-number",
                vgpu + "number",
                vgpu + "memory",
                vgpu + "memory-percentage",
                vgpu + "cores");
    }

    /** Returns the names. */
    public static Set<String> known() {
        return BY_NAME.keySet();
    }

    /** Returns whether a resource means GPUs to a scheduler whose annotations name the GPUs of a pod. */
    public static boolean isNamedByAnnotations(String resource) {
        return NAMED_BY_ANNOTATIONS.contains(resource);
    }

    /** Returns whether a resource means GPUs to any of the dialects, or to a scheduler that is only read. */
    public static boolean isDevice(String resource) {
        return Devices.ALL.contains(resource);
    }

    /** Gathered when it is asked for: a dialect is not made for its names alone. */
    private static final class Devices {
        static final Set<String> ALL = Stream.of(
                        BY_NAME.values().stream().flatMap(named -> named.get().resources().stream()),
                        HamiVendorSections.UNSUPPORTED.values().stream(),
                        NAMED_BY_ANNOTATIONS.stream())
                .flatMap(names -> names)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns a dialect, or nothing if the name is unknown; any {@code device-plugin:vendor/resource} is known, and
     * {@code hami:} with the path of HAMi's settings file.
     *
     * @throws IllegalArgumentException if what follows {@code device-plugin:} is no resource name
     * @throws io.gpusched.manifests.yaml.InputException if a settings file cannot be read
     */
    public static Optional<NamedDialect> find(String name) {
        Supplier<NamedDialect> known = BY_NAME.get(name);
        if (known == null && name.startsWith(DEVICE_PLUGIN)) {
            return Optional.of(devicePlugin(name.substring(DEVICE_PLUGIN.length())));
        }
        if (name.startsWith(HAMI)) {
            HamiConfigFile file = HamiConfigFile.read(Path.of(name.substring(HAMI.length())));
            return Optional.of(hami(file.dialect(), file.priorityResource()));
        }
        return Optional.ofNullable(known).map(Supplier::get);
    }
}
