package io.gpusched.conformance.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.conformance.vgpu.VgpuFixture;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiGpuPolicy;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Pods in HAMi's and Volcano's words, placed one after the other. */
class VgpuPlacementProperties {
    /** What a container asks: GPUs, memory in percent, compute in percent. */
    record Ask(int count, int percent, int cores) {}

    @Provide
    Arbitrary<List<List<Ask>>> pods() {
        Arbitrary<Ask> ask = Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(1, 100),
                        Arbitraries.of(0, 10, 30, 50, 99, 100))
                .as(Ask::new);
        return ask.list().ofMinSize(1).ofMaxSize(3).list().ofMinSize(1).ofMaxSize(12);
    }

    @Property(tries = 150)
    void hami_neverGivesAwayMoreThanThereIs_andRefusesNothingThatItsOwnRulePlaces(
            @ForAll("pods") List<List<Ask>> pods, @ForAll("policies") String policy) {
        HamiDialect hami = HamiDialect.of(HamiSettings.DEFAULT);
        Map<String, String> annotations = Map.of(HamiGpuPolicy.ANNOTATION, policy);
        check(
                hami,
                pods,
                annotations,
                (cluster, pod) -> greedy(hami, cluster, pod),
                "nvidia.com/gpu",
                "nvidia.com/gpumem-percentage",
                "nvidia.com/gpucores");
    }

    @Property(tries = 150)
    void volcano_neverGivesAwayMoreThanThereIs_andRefusesNothingThatItsOwnRulePlaces(
            @ForAll("pods") List<List<Ask>> pods, @ForAll VolcanoPolicy policy) {
        VolcanoDialect volcano = VolcanoDialect.of(policy);
        check(
                volcano,
                pods,
                Map.of(),
                (cluster, pod) -> greedy(volcano, policy, cluster, pod),
                "volcano.sh/vgpu-number",
                "volcano.sh/vgpu-memory-percentage",
                "volcano.sh/vgpu-cores");
    }

    @Provide
    Arbitrary<String> policies() {
        return Arbitraries.of("binpack", "spread", "mutex", "numa,binpack", "binpack,mutex", "topology-aware");
    }

    /** What each container gets by the system's own way, or nothing where that gives up. */
    private interface OwnWay extends BiFunction<Cluster, PodManifest, Optional<List<List<VgpuShare>>>> {}

    private static void check(
            Dialect dialect, List<List<Ask>> pods, Map<String, String> annotations, OwnWay own, String... resources) {
        Cluster cluster = VgpuFixture.of(Node.builder("n1").build(), gpus());
        DialectScheduler scheduler = DialectScheduler.of(dialect);
        for (int p = 0; p < pods.size(); p++) {
            PodManifest pod = manifest("p" + p, pods.get(p), annotations, resources);
            Optional<List<List<VgpuShare>>> greedy = own.apply(cluster, pod);
            Decision decision = scheduler.schedule(cluster, pod);
            if (greedy.isPresent()) {
                assertThat(decision).as("%s on %s", pod, cluster).isInstanceOf(Placed.class);
                assertThat(gpus(((Placed) decision).placement()))
                        .as("the system's own choice for %s on %s", pod, cluster)
                        .isEqualTo(gpus(greedy.get()));
            }
            if (pods.get(p).size() == 1) {
                assertThat(decision.isPlaced())
                        .as("one container is placed exactly if the own way places it: %s on %s", pod, cluster)
                        .isEqualTo(greedy.isPresent());
            }
            if (decision instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                assertWrittenDevicesAreThePlacement(dialect, cluster, pod);
            }
        }
        cluster.validate();
    }

    private static List<Set<String>> gpus(Placement placement) {
        return placement.containers().stream()
                .map(grant -> grant.gpus().indexes().stream().map(g -> "g" + g).collect(Collectors.toSet()))
                .toList();
    }

    private static List<Set<String>> gpus(List<List<VgpuShare>> containers) {
        return containers.stream()
                .map(shares -> shares.stream().map(VgpuShare::gpu).collect(Collectors.toSet()))
                .toList();
    }

    private static Optional<List<List<VgpuShare>>> greedy(HamiDialect hami, Cluster cluster, PodManifest pod) {
        List<Optional<VgpuRequest>> requests = hami.requests(pod);
        int init = (int) pod.containers().stream()
                .filter(container -> !container.ordinary())
                .count();
        HamiNode node = new HamiNode("n1", devices(cluster), Set.of(), HamiTopology.UNKNOWN);
        HamiGreedy.OnNode answer = HamiGreedy.of(HamiPodRules.of(pod.annotations()), HamiQuota.NONE)
                .place(node, requests.subList(0, init), requests.subList(init, requests.size()));
        return answer.fits() ? Optional.of(answer.containers()) : Optional.empty();
    }

    private static Optional<List<List<VgpuShare>>> greedy(
            VolcanoDialect volcano, VolcanoPolicy policy, Cluster cluster, PodManifest pod) {
        VolcanoGreedy.OnNode answer = VolcanoGreedy.of(policy, VolcanoPodRules.DEFAULT, Map.of())
                .place("n1", devices(cluster), volcano.requests(pod));
        return answer.fits() ? Optional.of(answer.containers()) : Optional.empty();
    }

    /** The GPUs of the cluster's one node with what is in use. */
    private static List<VgpuDevice> devices(Cluster cluster) {
        NodeState node = cluster.node(0);
        List<VgpuDevice> devices = new ArrayList<>();
        for (VgpuDevice gpu : gpus()) {
            int g = devices.size();
            devices.add(Vgpus.gpu(
                    gpu.id(),
                    gpu.numa(),
                    10 - node.freeSlots(g),
                    Vgpus.MEMORY - node.freeMemoryMib(g),
                    100 - node.freeComputeMillis(g) / 10));
        }
        return devices;
    }

    private static void assertWrittenDevicesAreThePlacement(Dialect dialect, Cluster cluster, PodManifest pod) {
        NodeState node = cluster.node("n1").orElseThrow();
        var placement = cluster.placement(pod.id()).orElseThrow();
        Map<String, String> annotations =
                dialect.write(pod, node.node(), placement).annotations();
        String text = annotations.getOrDefault(
                "hami.io/vgpu-devices-to-allocate", annotations.get("volcano.sh/devices-to-allocate"));
        List<String> written = VgpuCodec.decode(String.valueOf(text)).stream()
                .flatMap(List::stream)
                .map(VgpuShare::gpu)
                .distinct()
                .sorted()
                .toList();
        assertThat(written)
                .as("%s", text)
                .isEqualTo(placement.gpus().stream().map(index -> "g" + index).toList());
    }

    private static List<VgpuDevice> gpus() {
        List<VgpuDevice> gpus = new ArrayList<>();
        for (int g = 0; g < 4; g++) {
            gpus.add(Vgpus.gpu("g" + g, g / 2, 0, 0, 0));
        }
        return gpus;
    }

    private static PodManifest manifest(
            String id, List<Ask> asks, Map<String, String> annotations, String... resources) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (Ask ask : asks) {
            Map<String, String> limits = new HashMap<>();
            if (ask.count() > 0) {
                limits.put(resources[0], Integer.toString(ask.count()));
                limits.put(resources[1], Integer.toString(ask.percent()));
                limits.put(resources[2], Integer.toString(ask.cores()));
            }
            ContainerKind kind = containers.size() < asks.size() - 2 ? ContainerKind.INIT : ContainerKind.ORDINARY;
            containers.add(new ContainerManifest("c" + containers.size(), kind, Map.of(), limits));
        }
        return new PodManifest(PodId.of(id), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
    }
}
