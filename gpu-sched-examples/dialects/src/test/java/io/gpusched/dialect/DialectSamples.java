package io.gpusched.dialect;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.dra.ExtendedResources;
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
import io.gpusched.dialect.kai.KaiDialect;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.nvidia.NvidiaSharing;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmPartitions;
import io.gpusched.dialect.slurm.SlurmRequest;
import io.gpusched.dialect.slurm.SlurmScheduler;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.dialect.t9k.T9kPodGroup;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/** One legal value of each type that the doors of dialects take. */
final class DialectSamples {
    private static final Map<Class<?>, Object> VALUES = new HashMap<>();

    static {
        putPlain();
        putCore();
        for (Object sample : List.of(
                AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.values()[0]),
                ElasticGpuDialect.of(ElasticGpuPolicy.values()[0]),
                GaiaGpuDialect.of(),
                KaiDialect.of(),
                KoordinatorDialect.of(text -> text),
                NanoGpuDialect.of(NanoGpuPolicy.values()[0]),
                DevicePluginDialect.of("nvidia.com/gpu"),
                NvidiaSharing.timeSlicing(2),
                GpuOperatorDialect.of(),
                NvidiaSharingDialect.of(NvidiaSharing.timeSlicing(2)),
                new NvidiaSharing.Limits(1, 1),
                new SlurmGres("gpu", "", 1),
                SlurmRequest.gres("gpu:1", 1),
                SlurmRequest.gres("gpu:1", 1).resolve(),
                SlurmPartitions.of("NodeName=n1"),
                new SlurmScheduler(List.of(), 1),
                T9kDialect.of(),
                new T9kPodGroup("g", 1, Map.of()),
                new T9kPodGroup.Member("r", "Running"),
                VolcanoDialect.of(VolcanoPolicy.values()[0]),
                VolcanoPodRules.DEFAULT)) {
            VALUES.put(sample.getClass(), sample);
        }
        putManifests(VALUES);
        putHami(VALUES);
        putVgpu(VALUES);
    }

    private DialectSamples() {}

    /** Returns the sample of a type. */
    static Object of(Class<?> type) {
        Object value = VALUES.get(type);
        if (value == null && type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (value == null) {
            throw new AssertionError("no sample of " + type.getName() + "\nMaybe add one to DialectSamples.");
        }
        return value;
    }

    private static void putPlain() {
        VALUES.put(String.class, "x");
        VALUES.put(Predicate.class, (Predicate<Object>) any -> true);
        VALUES.put(ExtendedResources.class, ExtendedResources.of(List.of()));
        VALUES.put(boolean.class, false);
        VALUES.put(int.class, 1);
        VALUES.put(long.class, 1L);
        VALUES.put(Integer.class, 1);
        VALUES.put(Long.class, 1L);
        VALUES.put(List.class, List.of());
        VALUES.put(Collection.class, List.of());
        VALUES.put(Set.class, Set.of());
        VALUES.put(Map.class, Map.of());
        VALUES.put(Optional.class, Optional.empty());
        VALUES.put(OptionalInt.class, OptionalInt.empty());
        VALUES.put(OptionalLong.class, OptionalLong.empty());
        VALUES.put(Object.class, "x");
        VALUES.put(IntFunction.class, (IntFunction<Object>) index -> "x" + index);
        VALUES.put(Function.class, Function.identity());
    }

    private static void putCore() {
        GpuModel model = GpuModel.of("nvidia", "A100", 1_000);
        Node node = Node.builder("n").capacity(8_000, 8_000).gpus(2, model).build();
        Cluster cluster = Cluster.of(List.of(node));
        Pod pod = Pod.builder("p")
                .container("c", Resources.NONE, GpuRequest.exclusive(1))
                .build();
        Placed placed = (Placed) GpuScheduler.create().schedule(cluster, pod);
        VALUES.put(GpuModel.class, model);
        VALUES.put(Gpu.class, Gpu.of(0, "gpu-0", model));
        VALUES.put(Node.class, node);
        VALUES.put(Cluster.class, cluster);
        VALUES.put(NodeState.class, cluster.node(0));
        VALUES.put(PodId.class, PodId.of("p"));
        VALUES.put(Resources.class, Resources.NONE);
        VALUES.put(Pod.class, pod);
        VALUES.put(Container.class, pod.containers().get(0));
        VALUES.put(GpuRequest.class, GpuRequest.exclusive(1));
        VALUES.put(GpuRequest.Partition.class, GpuRequest.partition("1g.5gb", 1));
        VALUES.put(GpuSelector.class, GpuSelector.ANY);
        VALUES.put(NodeSelector.class, NodeSelector.ANY);
        VALUES.put(PodGroup.class, PodGroup.of("g", List.of(pod)));
        VALUES.put(PodRules.class, PodRules.NONE);
        VALUES.put(Placement.class, placed.placement());
        VALUES.put(PlacementPolicy.class, BinPack.of());
        VALUES.put(NamedAmounts.class, NamedAmounts.NONE);
        VALUES.put(Node.Builder.class, Node.builder("m"));
        VALUES.put(GpuLinks.class, GpuLinks.NONE);
        VALUES.put(GpuGrant.class, GpuGrant.none());
        VALUES.put(GpuPartition.class, GpuPartition.of(0, "1g.5gb", 0));
        VALUES.put(PartitionGeometry.class, PartitionGeometry.NONE);
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
