package io.gpusched.dialect.hami;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.HamiMigGreedy.Profile;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Pods in HAMi's words on GPUs that HAMi cuts into MIG instances. */
class HamiMigTest {
    private static final Map<String, String> MIG = Map.of(HamiPodRules.MODE, "mig");
    private static final String ALLOCATIONS = "hami.io/vgpu-mig-allocations";

    /** By the text that stands for it: what a reader of JSON would make of it. */
    private final Map<String, Object> json = new HashMap<>();

    private final HamiDialect hami = HamiDialect.of(HamiSettings.DEFAULT).withJson(json::get);

    private static Map<String, Object> gpu(String id, String type, String mode, List<Profile> profiles) {
        Map<String, Object> gpu = new HashMap<>(Map.of("id", id, "devmem", HamiMigGreedy.MEMORY_MIB, "devcore", 100));
        gpu.putAll(Map.of("type", type, "numa", 0, "mode", mode, "health", true));
        gpu.put("count", 7);
        if (!profiles.isEmpty()) {
            gpu.put(
                    "migProfiles",
                    profiles.stream().map(HamiMigTest::registered).toList());
        }
        return gpu;
    }

    private static Map<String, Object> registered(Profile profile) {
        return Map.of(
                "name", profile.name(),
                "memoryMB", profile.memoryMib(),
                "core", profile.core(),
                "sliceCount", profile.slices(),
                "placements",
                        profile.starts().stream()
                                .map(start -> Map.of("start", start, "size", profile.size()))
                                .toList());
    }

    private Node node(String name, List<Map<String, Object>> gpus) {
        json.put("[" + name, gpus);
        return hami.node(new NodeManifest(
                name,
                Map.of(),
                Map.of(HamiDialect.REGISTRATION, "[" + name),
                Map.of("cpu", "64", "memory", "256Gi"),
                List.of(),
                false));
    }

    private Node migNode(String name, int gpus, List<Profile> profiles) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (int g = 0; g < gpus; g++) {
            all.add(gpu(name + "-" + g, "NVIDIA-A100", "mig", profiles));
        }
        return node(name, all);
    }

    /** A pod of containers c0, c1, ... that ask for {@code {count, MiB, cores}}; 0 is not said. */
    private static PodManifest pod(String id, Map<String, String> annotations, int[]... asked) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (int c = 0; c < asked.length; c++) {
            Map<String, String> limits = new HashMap<>(Map.of("nvidia.com/gpu", Integer.toString(asked[c][0])));
            if (asked[c][1] > 0) {
                limits.put("nvidia.com/gpumem", Integer.toString(asked[c][1]));
            }
            if (asked[c][2] > 0) {
                limits.put("nvidia.com/gpucores", Integer.toString(asked[c][2]));
            }
            containers.add(ContainerManifest.limits("c" + c, limits));
        }
        return new PodManifest(PodId.of(id), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
    }

    private Decision schedule(Cluster cluster, PodManifest pod) {
        return DialectScheduler.of(hami).schedule(cluster, pod);
    }

    private Placement placed(Cluster cluster, PodManifest pod) {
        Decision decision = schedule(cluster, pod);
        assertThat(decision).isInstanceOf(Placed.class);
        return ((Placed) decision).placement();
    }

    private static List<GpuPartition> held(Placement placement, int container) {
        return placement.containers().get(container).gpus() instanceof GpuGrant.Partitions held
                ? held.partitions()
                : List.of();
    }

    @Test
    void memory_isServedByTheSmallestProfileThatHoldsIt_atHamisEndOfTheGpu() {
        Cluster cluster = Cluster.of(List.of(migNode("n", 1, HamiMigGreedy.A100)));
        assertThat(held(placed(cluster, pod("a", MIG, new int[] {1, 4_000, 0})), 0))
                .containsExactly(GpuPartition.of(0, "1g.5gb", 6));
        assertThat(held(placed(cluster, pod("b", MIG, new int[] {1, 9_000, 10})), 0))
                .containsExactly(GpuPartition.of(0, "1g.10gb", 6));
        assertThat(held(placed(cluster, pod("c", MIG, new int[] {1, 19_968, 0})), 0))
                .containsExactly(GpuPartition.of(0, "3g.20gb", 4));
        assertThat(held(placed(cluster, pod("d", Map.of(), new int[] {1, 20_000, 0})), 0))
                .containsExactly(GpuPartition.of(0, "7g.40gb", 0));
    }

    @Test
    void severalGpus_areSeveralInstances_whichMayLieOnOneGpu() {
        Cluster cluster = Cluster.of(List.of(migNode("n", 2, HamiMigGreedy.A100)));
        assertThat(held(placed(cluster, pod("a", MIG, new int[] {3, 4_000, 0})), 0))
                .containsExactly(
                        GpuPartition.of(1, "1g.5gb", 4),
                        GpuPartition.of(1, "1g.5gb", 5),
                        GpuPartition.of(1, "1g.5gb", 6));
        assertThat(held(placed(cluster, pod("b", MIG, new int[] {3, 19_000, 0})), 0))
                .containsExactly(
                        GpuPartition.of(0, "3g.20gb", 4),
                        GpuPartition.of(1, "3g.20gb", 0),
                        GpuPartition.of(1, "3g.20gb", 4));
    }

    @Test
    void placement_isWrittenAsHamisDevicePluginReadsIt_andReadBack() {
        Node node = migNode("n", 1, HamiMigGreedy.A100);
        Cluster cluster = Cluster.of(List.of(node));
        PodManifest pod = pod("a", MIG, new int[] {2, 4_000, 0}, new int[] {1, 9_000, 0});
        Placement placement = placed(cluster, pod);
        BindingMetadata written = hami.write(pod, node, placement);
        assertThat(written.annotations())
                .containsEntry(
                        "hami.io/vgpu-devices-allocated", "n-0,NVIDIA,4864,14:n-0,NVIDIA,4864,14:;n-0,NVIDIA,9856,14:;")
                .containsEntry(
                        ALLOCATIONS,
                        "[{\"containerIndex\":0,\"deviceIndex\":0,\"gpuUUID\":\"n-0\",\"profile\":\"1g.5gb\",\"placement\":{\"start\":6,\"size\":1}},"
                                + "{\"containerIndex\":0,\"deviceIndex\":1,\"gpuUUID\":\"n-0\",\"profile\":\"1g.5gb\",\"placement\":{\"start\":5,\"size\":1}},"
                                + "{\"containerIndex\":1,\"deviceIndex\":0,\"gpuUUID\":\"n-0\",\"profile\":\"1g.10gb\",\"placement\":{\"start\":2,\"size\":2}}]");
        assertThat(written.environment()).isEmpty();
        json.put(
                written.annotations().get(ALLOCATIONS),
                List.of(allocation(0, "1g.5gb", 6), allocation(0, "1g.5gb", 5), allocation(1, "1g.10gb", 2)));
        PodManifest running = pod("a", written.annotations(), new int[] {2, 4_000, 0}, new int[] {1, 9_000, 0});
        assertThat(hami.heldPartitions(running, 0, node)).isEqualTo(held(placement, 0));
        assertThat(hami.heldPartitions(running, 1, node)).isEqualTo(held(placement, 1));
        assertThat(hami.heldGpus(running, 0, node)).containsOnly(0);
    }

    private static Map<String, Object> allocation(int container, String profile, int start) {
        return Map.of(
                "containerIndex",
                container,
                "deviceIndex",
                0,
                "gpuUUID",
                "n-0",
                "profile",
                profile,
                "placement",
                Map.of("start", start, "size", 1));
    }

    @Test
    void runningPod_thatDoesNotSayWhichInstanceItHolds_isAnError() {
        Node node = migNode("n", 1, HamiMigGreedy.A100);
        PodManifest silent =
                pod("a", Map.of("hami.io/vgpu-devices-allocated", "n-0,NVIDIA,4864,14:;"), new int[] {1, 4_000, 0});
        assertThatThrownBy(() -> hami.heldPartitions(silent, 0, node))
                .hasMessageContaining("n-0")
                .hasMessageContaining(ALLOCATIONS);
        json.put("odd", List.of(allocation(0, "5g.5gb", 0)));
        assertThatThrownBy(() ->
                        hami.heldPartitions(pod("a", Map.of(ALLOCATIONS, "odd"), new int[] {1, 1, 0}), 0, node))
                .hasMessageContaining("5g.5gb");
    }

    @Test
    void mode_choosesBetweenSharesAndInstances_andGpusThatAreShareableComeFirst() {
        Node both = node(
                "both",
                List.of(
                        gpu("mig", "NVIDIA-A100", "mig", HamiMigGreedy.A100),
                        gpu("core", "NVIDIA-A100", "hami-core", List.of())));
        Cluster cluster = Cluster.of(List.of(both));
        int[] asked = {1, 4_000, 0};
        assertThat(placed(cluster, pod("a", Map.of(), asked)).gpus()).containsExactly(1);
        assertThat(placed(cluster, pod("b", Map.of(HamiPodRules.MODE, "hami-core"), asked))
                        .gpus())
                .containsExactly(1);
        assertThat(held(placed(cluster, pod("c", MIG, asked)), 0)).containsExactly(GpuPartition.of(0, "1g.5gb", 6));
        Cluster onlyMig = Cluster.of(List.of(migNode("n", 1, HamiMigGreedy.A100)));
        assertThat(schedule(onlyMig, pod("d", Map.of(HamiPodRules.MODE, "hami-core"), asked)))
                .isNotInstanceOf(Placed.class);
    }

    @Test
    void typesAndUuids_chooseAmongGpusInMigMode() {
        Cluster cluster = Cluster.of(List.of(node(
                "n",
                List.of(
                        gpu("a", "NVIDIA-A100", "mig", HamiMigGreedy.A100),
                        gpu(
                                "b",
                                "NVIDIA-A30",
                                "mig",
                                List.of(new Profile("1g.6gb", 6_000, 25, 1, 1, List.of(0, 1, 2, 3)))),
                        gpu("c", "NVIDIA-A100", "mig", HamiMigGreedy.A100)))));
        int[] asked = {1, 4_000, 0};
        assertThat(held(placed(cluster, pod("t", Map.of("nvidia.com/use-gputype", "A30"), asked)), 0))
                .containsExactly(GpuPartition.of(1, "1g.6gb", 3));
        assertThat(placed(cluster, pod("u", Map.of("nvidia.com/use-gpuuuid", "a"), asked))
                        .gpus())
                .containsExactly(0);
    }

    @Test
    void computeThatCouldRunOutBeforePlacesDo_isNotServed() {
        Cluster cluster = Cluster.of(List.of(migNode("n", 1, HamiMigGreedy.A100)));
        // beside one of four slices (57) and two of one (14 each) 15 of 100 are left, and a place
        assertThat(schedule(cluster, pod("a", MIG, new int[] {1, 4_000, 15}))).isInstanceOf(Placed.class);
        assertThat(schedule(cluster, pod("b", MIG, new int[] {1, 4_000, 16}))).isNotInstanceOf(Placed.class);
    }

    @Test
    void wholeGpu_needsAProfileWithAllOfItsMemory() {
        PodManifest whole = pod("w", MIG, new int[] {1, 0, 0});
        Cluster less = Cluster.of(List.of(migNode("n", 1, HamiMigGreedy.A100)));
        assertThat(schedule(less, whole)).isNotInstanceOf(Placed.class);
        Profile all = new Profile("7g.40gb", HamiMigGreedy.MEMORY_MIB, 100, 7, 8, List.of(0));
        Cluster enough = Cluster.of(List.of(migNode("n", 1, List.of(HamiMigGreedy.A100.get(0), all))));
        Placement placement = placed(enough, whole);
        assertThat(held(placement, 0)).containsExactly(GpuPartition.of(0, "7g.40gb", 0));
        Placement small = placed(enough, pod("s", MIG, new int[] {1, 100, 0}));
        assertThat(schedule(enough.with(small), whole)).isNotInstanceOf(Placed.class);
    }

    @Test
    void profilesWhoseLargerOnesFitWhereSmallerOnesDoNot_serveNothing() {
        Profile small = new Profile("1g.5gb", 4_864, 14, 1, 1, List.of(0, 1));
        Profile large = new Profile("2g.10gb", 9_856, 28, 2, 2, List.of(0, 4));
        Cluster cluster = Cluster.of(List.of(migNode("n", 1, List.of(small, large))));
        assertThat(schedule(cluster, pod("a", MIG, new int[] {1, 4_000, 0}))).isNotInstanceOf(Placed.class);
        assertThat(schedule(cluster, pod("b", MIG, new int[] {1, 9_000, 0}))).isInstanceOf(Placed.class);
    }

    @Test
    void whatIsNotKnownForInstances_isRefusedByName() {
        Cluster cluster = Cluster.of(List.of(migNode("n", 1, HamiMigGreedy.A100)));
        for (String policy : List.of("mutex", "topology-aware")) {
            PodManifest pod = pod(
                    "a", Map.of(HamiPodRules.MODE, "mig", HamiGpuPolicy.ANNOTATION, policy), new int[] {1, 4_000, 0});
            assertThatThrownBy(() -> schedule(cluster, pod))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("mig does not go with")
                    .hasMessageContaining(policy);
        }
        ContainerManifest init = new ContainerManifest(
                "i",
                ContainerKind.INIT,
                Map.of(),
                Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "10"),
                NamedAmounts.NONE);
        PodManifest starting =
                new PodManifest(PodId.of("p"), Map.of(), MIG, List.of(init), NodeSelector.ANY, List.of());
        assertThatThrownBy(() -> schedule(cluster, starting)).hasMessageContaining("init container");
    }

    @Test
    void refusal_usesHamisWords() {
        Cluster cluster = Cluster.of(List.of(migNode("n", 1, HamiMigGreedy.A100)));
        PodManifest three = pod("a", MIG, new int[] {3, 19_000, 0});
        assertThat(schedule(cluster, three)).isNotInstanceOf(Placed.class);
        assertThat(hami.refusal(cluster.nodes().get(0), three))
                .isEqualTo("1/1 CardMigTopologyInfeasible, 2/1 AllocatedCardsInsufficientRequest");
        PodManifest core = pod("b", Map.of(HamiPodRules.MODE, "hami-core"), new int[] {1, 1_000, 0});
        assertThat(hami.refusal(cluster.nodes().get(0), core)).isEqualTo("1/1 CardTypeMismatch");
    }

    @Test
    void profileWithPlacesOfTwoSizes_isAnError() {
        Map<String, Object> gpu = gpu("a", "NVIDIA-A100", "mig", List.of());
        gpu.put(
                "migProfiles",
                List.of(Map.of(
                        "name",
                        "1g.5gb",
                        "placements",
                        List.of(Map.of("start", 0, "size", 1), Map.of("start", 2, "size", 2)))));
        assertThatThrownBy(() -> node("n", List.of(gpu)))
                .hasMessageContaining("1g.5gb")
                .hasMessageContaining("one size");
    }

    @Property(tries = 300)
    void pods_getTheInstancesThatHamiWouldGiveThem(@ForAll long seed) {
        Random random = new Random(seed);
        List<Profile> allowed = new ArrayList<>(HamiMigGreedy.A100);
        allowed.removeIf(profile -> random.nextInt(4) == 0);
        boolean packs = random.nextBoolean();
        int gpus = 1 + random.nextInt(3);
        HamiMigGreedy greedy = new HamiMigGreedy(gpus, allowed, packs);
        Cluster cluster = Cluster.of(List.of(migNode("n", gpus, allowed)));
        Map<String, String> annotations =
                packs ? Map.of(HamiPodRules.MODE, "mig", HamiGpuPolicy.ANNOTATION, "binpack") : MIG;
        List<Placement> running = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int[][] asked = new int[1 + random.nextInt(2)][];
            for (int c = 0; c < asked.length; c++) {
                asked[c] = new int[] {
                    1 + random.nextInt(random.nextInt(3) + 1),
                    allowed.isEmpty()
                            ? 1_000
                            : 1
                                    + random.nextInt(List.of(4_864, 9_856, 19_968, 40_192)
                                            .get(random.nextInt(4))),
                    0
                };
            }
            List<List<HamiMigGreedy.Instance>> expected = greedy.place(List.of(asked));
            Decision decision = schedule(cluster, pod("p" + i, annotations, asked));
            if (!expected.isEmpty()) {
                assertThat(decision).as("%s of %s", i, List.of(asked)).isInstanceOf(Placed.class);
                Placement placement = ((Placed) decision).placement();
                for (int c = 0; c < asked.length; c++) {
                    assertThat(held(placement, c))
                            .as(
                                    "pod %s, container %s, %s gpus, %s, packs %s, after %s",
                                    i, c, gpus, allowed, packs, running)
                            .isEqualTo(expected.get(c).stream()
                                    .map(one -> GpuPartition.of(
                                            one.gpu(), one.profile().name(), one.start()))
                                    .sorted()
                                    .toList());
                }
                running.add(placement);
                cluster = cluster.with(placement);
            } else if (decision instanceof Placed) {
                return; // HAMi finds no place for a later container because of where it puts an earlier one
            }
        }
    }
}
