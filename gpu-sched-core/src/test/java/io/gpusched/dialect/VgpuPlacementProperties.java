package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        check(hami, pods, annotations, "nvidia.com/gpu", "nvidia.com/gpumem-percentage", "nvidia.com/gpucores");
    }

    @Property(tries = 150)
    void volcano_neverGivesAwayMoreThanThereIs_andRefusesNothingThatItsOwnRulePlaces(
            @ForAll("pods") List<List<Ask>> pods, @ForAll VolcanoPolicy policy) {
        VolcanoDialect volcano = VolcanoDialect.of(policy);
        check(volcano, pods, Map.of(), VolcanoRequests.NUMBER, VolcanoRequests.PERCENTAGE, VolcanoRequests.CORES);
    }

    @Provide
    Arbitrary<String> policies() {
        return Arbitraries.of("binpack", "spread", "mutex", "numa,binpack", "binpack,mutex", "topology-aware");
    }

    private static void check(
            Dialect dialect, List<List<Ask>> pods, Map<String, String> annotations, String... resources) {
        Cluster cluster = VgpuSnapshot.of(Node.builder("n1").build(), gpus());
        for (int p = 0; p < pods.size(); p++) {
            PodManifest pod = manifest("p" + p, pods.get(p), annotations, resources);
            boolean refusedByItsOwnRule = refusals(dialect, cluster, pod).containsKey("n1");
            Decision decision = dialect.schedule(cluster, pod);
            assertThat(decision instanceof Placed || refusedByItsOwnRule)
                    .as("%s places what its own rule places: %s on %s", dialect.name(), pod, cluster)
                    .isTrue();
            if (pods.get(p).size() == 1) {
                assertThat(decision instanceof Placed)
                        .as("one container is placed exactly if the own rule places it: %s on %s", pod, cluster)
                        .isEqualTo(!refusedByItsOwnRule);
            }
            if (decision instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                assertWrittenDevicesAreThePlacement(dialect, cluster, pod);
            }
        }
        cluster.validate();
    }

    private static Map<String, String> refusals(Dialect dialect, Cluster cluster, PodManifest pod) {
        return dialect instanceof HamiDialect hami
                ? hami.refusals(cluster, pod)
                : ((VolcanoDialect) dialect).refusals(cluster, pod);
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
            boolean init = containers.size() < asks.size() - 2;
            containers.add(new ContainerManifest("c" + containers.size(), init, Map.of(), limits));
        }
        return new PodManifest(PodId.of(id), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
    }
}
