package io.gpusched.internal.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import io.gpusched.workload.TopologySpread;
import io.gpusched.workload.WorkloadProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that end up as keys of hash tables: thousands of different ones must not have one hash. */
class ValueHashesTest {
    private static final int VALUES = 1_024;
    private static final GpuModel MODEL = GpuModel.of("nvidia", "A100", 80_000);
    private static final Resources SOME = Resources.of(1, 1);

    static Stream<Map.Entry<String, IntFunction<Object>>> kinds() {
        Map<String, IntFunction<Object>> kinds = new LinkedHashMap<>();
        kinds.put("node by key of a taint", i -> nodes().taint(Taint.noSchedule(alike(i), "")));
        kinds.put("node by value of a taint", i -> nodes().taint(Taint.noSchedule("key", alike(i))));
        kinds.put("node by model", i -> nodes().gpus(8, GpuModel.of("nvidia", alike(i), 80_000)));
        kinds.put("node by vendor", i -> nodes().gpus(8, GpuModel.of(alike(i), "A100", 80_000)));
        kinds.put("node by resource", i -> nodes().resource(alike(i), 1));
        kinds.put(
                "node by name of a network card",
                i -> nodes().gpus(1, MODEL)
                        .links(GpuLinks.of(
                                List.of(List.of(GpuLinks.Link.NONE)),
                                List.of(new GpuLinks.Nic(alike(i), 0, List.of(GpuLinks.Path.values()[0]))))));
        kinds.put(
                "node by memory of two GPUs",
                i -> nodes().gpu(Gpu.of(0, "a", MODEL).withMemoryMib(i))
                        .gpu(Gpu.of(1, "b", MODEL).withMemoryMib(40_000L - 31 * i)));
        kinds.put("node by geometry", i -> nodes().gpu(cut(geometry(alike(i), "half"))));
        kinds.put("node by profile", i -> nodes().gpu(cut(geometry("halves", alike(i)))));
        kinds.put("amounts by CPU and memory", i -> Resources.of(i, 40_000L - 31 * i));
        kinds.put("amounts by name", i -> NamedAmounts.of(Map.of(alike(i), 1L)));
        kinds.put("pod by key of a label", i -> pod(NodeRequirement.exists(alike(i))));
        kinds.put("pod by value of a label", i -> pod(NodeRequirement.in("pool", alike(i))));
        kinds.put("pod by toleration", i -> pod(GpuRequest.exclusive(1), Toleration.exists(alike(i))));
        kinds.put("pod by tolerated value", i -> pod(GpuRequest.exclusive(1), Toleration.equal("key", alike(i))));
        kinds.put("pod by model", i -> pod(GpuRequest.exclusive(1, GpuSelector.models(alike(i)))));
        kinds.put("pod by UUID", i -> pod(GpuRequest.exclusive(1, GpuSelector.ANY.withDeniedUuids(Set.of(alike(i))))));
        kinds.put("pod by partition", i -> pod(GpuRequest.partition(alike(i), 1)));
        kinds.put("pod by share", i -> pod(GpuRequest.share(i, GpuMemory.mib(40_000L - 31 * i))));
        kinds.put("rules by label", i -> PodRules.NONE.withLabels(Map.of("app", alike(i))));
        kinds.put("rules by affinity", i -> near(LabelSelector.label("app", alike(i)), "zone"));
        kinds.put("rules by topology", i -> near(LabelSelector.label("app", "a"), alike(i)));
        kinds.put("rules by spread", i -> PodRules.NONE.withSpread(spread(alike(i))));
        kinds.put(
                "rules by address",
                i -> PodRules.NONE.withHostPorts(new HostPort(80, HostPort.Protocol.TCP, alike(i))));
        kinds.put("demand by models", i -> new WorkloadProfile.Demand(1, 1_000, 1, Set.of(alike(i)), 1));
        kinds.put("demand by CPU and memory", i -> new WorkloadProfile.Demand(i, 40_000L - 31 * i, 0, 0, Set.of(), 1));
        return kinds.entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void differentValuesHaveDifferentHashes_thoughTheirTextsHaveOneAndTheirNumbersAddUpToOne(
            Map.Entry<String, IntFunction<Object>> kind) {
        Set<Integer> hashes = new TreeSet<>();
        for (int i = 0; i < VALUES; i++) {
            int hash = hash(kind.getValue().apply(i));
            assertThat(hash(kind.getValue().apply(i))).isEqualTo(hash);
            hashes.add(hash);
        }
        // of 2^32 hashes two of 1,024 are the same once in 8,000 draws
        assertThat(hashes).hasSizeGreaterThan(VALUES - 3);
    }

    private static int hash(Object value) {
        if (value instanceof Node.Builder node) {
            return NodeClass.of(node.build()).hashCode();
        }
        return value instanceof Pod pod ? pod.requestHash() : value.hashCode();
    }

    private static String alike(int number) {
        return CollidingNames.name(number, 10);
    }

    private static Node.Builder nodes() {
        return Node.builder("n").capacity(1_000, 1_000);
    }

    private static Gpu cut(PartitionGeometry geometry) {
        return Gpu.of(0, "a", MODEL).withPartitions(geometry);
    }

    private static PartitionGeometry geometry(String name, String profile) {
        List<PartitionProfile> profiles = List.of(PartitionProfile.of(profile, 1, List.of(0, 1)));
        return PartitionGeometry.of(name, 2, NamedAmounts.NONE, profiles);
    }

    private static Pod pod(NodeRequirement requirement) {
        return Pod.builder("p")
                .container("c", SOME, GpuRequest.exclusive(1))
                .nodeSelector(NodeSelector.all(requirement))
                .build();
    }

    private static Pod pod(GpuRequest request, Toleration... tolerations) {
        Pod.Builder pod = Pod.builder("p").container("c", SOME, request);
        IntStream.range(0, tolerations.length).forEach(i -> pod.toleration(tolerations[i]));
        return pod.build();
    }

    private static PodRules near(LabelSelector pods, String topology) {
        return PodRules.NONE.withAffinity(PodAffinity.required(PodAffinity.Term.of(pods, topology)));
    }

    private static TopologySpread spread(String topology) {
        return TopologySpread.required(topology, 1, LabelSelector.ALL);
    }
}
