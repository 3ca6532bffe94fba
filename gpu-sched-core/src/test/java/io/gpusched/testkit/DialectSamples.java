package io.gpusched.testkit;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiGpuPolicy;
import io.gpusched.dialect.hami.HamiMigPolicy;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.hami.HamiWeights;
import io.gpusched.dialect.hami.registration.VendorDevice;
import io.gpusched.dialect.hami.registration.VendorRegistration;
import io.gpusched.dialect.hami.vendor.ChipTemplate;
import io.gpusched.dialect.hami.vendor.HamiVendor;
import io.gpusched.dialect.hami.vendor.VendorCatalog;
import io.gpusched.dialect.hami.vendor.VendorForm;
import io.gpusched.dialect.hami.vendor.VendorRequest;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.NvidiaSharing;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmRequest;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.dialect.t9k.T9kPodGroup;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The part of {@link Samples} that speaks the languages of other systems. */
final class DialectSamples {
    private DialectSamples() {}

    /** Returns one legal value of each public type, by type. */
    static Map<Class<?>, Object> all() {
        Map<Class<?>, Object> samples = new HashMap<>();
        for (Object sample : List.of(
                AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.values()[0]),
                ElasticGpuDialect.of(ElasticGpuPolicy.values()[0]),
                GaiaGpuDialect.of(),
                NanoGpuDialect.of(NanoGpuPolicy.values()[0]),
                DevicePluginDialect.of("nvidia.com/gpu"),
                NvidiaSharing.timeSlicing(2),
                NvidiaSharingDialect.of(NvidiaSharing.timeSlicing(2)),
                new NvidiaSharing.Limits(1, 1),
                new SlurmGres("gpu", "", 1),
                SlurmRequest.gres("gpu:1", 1),
                SlurmRequest.gres("gpu:1", 1).resolve(),
                T9kDialect.of(),
                new T9kPodGroup("g", 1, Map.of(), "q", 0, 0),
                new T9kPodGroup.Member("r", "Running"),
                VolcanoDialect.of(VolcanoPolicy.values()[0]),
                VolcanoPodRules.DEFAULT)) {
            samples.put(sample.getClass(), sample);
        }
        putManifests(samples);
        putHami(samples);
        putVgpu(samples);
        return samples;
    }

    private static void putManifests(Map<Class<?>, Object> samples) {
        ContainerManifest container = ContainerManifest.limits("c", Map.of("cpu", "1"));
        samples.put(ContainerManifest.class, container);
        samples.put(PodManifest.class, PodManifest.of("p", List.of(container)));
        samples.put(NodeManifest.class, NodeManifest.of("n", Map.of(), Map.of("cpu", "8")));
        samples.put(Quantity.class, Quantity.parse("1"));
        samples.put(Dialect.class, T9kDialect.of());
        samples.put(DialectScheduler.class, DialectScheduler.of(T9kDialect.of()));
    }

    private static void putHami(Map<Class<?>, Object> samples) {
        samples.put(HamiDialect.class, HamiDialect.of(HamiSettings.DEFAULT));
        samples.put(HamiGpuPolicy.class, HamiGpuPolicy.SPREAD);
        samples.put(HamiMigPolicy.class, HamiMigPolicy.of());
        samples.put(HamiPodRules.class, HamiPodRules.DEFAULT);
        samples.put(HamiQuota.class, HamiQuota.NONE);
        samples.put(HamiSettings.class, HamiSettings.DEFAULT);
        samples.put(HamiTopology.class, HamiTopology.UNKNOWN);
        samples.put(HamiWeights.class, HamiWeights.EQUAL);
        putVendors(samples);
    }

    private static void putVendors(Map<Class<?>, Object> samples) {
        HamiVendor dcu = VendorCatalog.DEFAULT.find("DCU").orElseThrow();
        VgpuDevice.Amount amount = new VgpuDevice.Amount(0, 10);
        VgpuDevice device = new VgpuDevice("d", 0, 0, "t", "", true, amount, amount, amount);
        for (Object sample : List.of(
                dcu,
                VendorCatalog.DEFAULT,
                dcu.resources(),
                dcu.annotations(),
                new VendorRequest(dcu, new VgpuRequest(1, "DCU", 1, OptionalInt.empty(), 1)),
                new VendorDevice(device, "", PartitionGeometry.NONE),
                new ChipTemplate("t", 1, 1, 1))) {
            samples.put(sample.getClass(), sample);
        }
        for (HamiVendor vendor : VendorCatalog.DEFAULT.vendors()) {
            samples.put(vendor.form().getClass(), vendor.form());
            samples.put(vendor.registration().getClass(), vendor.registration());
        }
        samples.put(VendorForm.class, dcu.form());
        samples.put(VendorRegistration.class, dcu.registration());
    }

    private static void putVgpu(Map<Class<?>, Object> samples) {
        VgpuDevice.Amount amount = new VgpuDevice.Amount(0, 10);
        samples.put(VgpuDevice.Amount.class, amount);
        samples.put(VgpuDevice.class, new VgpuDevice("d", 0, 0, "t", "", true, amount, amount, amount));
        samples.put(VgpuRequest.class, new VgpuRequest(1, "t", 1, OptionalInt.empty(), 1));
        samples.put(VgpuSelector.class, new VgpuSelector(List.of(), List.of()));
        samples.put(VgpuShare.class, new VgpuShare("d", "t", 1, 1));
    }
}
