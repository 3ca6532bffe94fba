package io.gpusched.dialect.hami;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which node and which GPU HAMi prefers, and its words where there is none. */
class HamiChoiceTest {
    private static final HamiDialect HAMI = HamiDialect.of(HamiSettings.DEFAULT);
    private static final String GPU = "nvidia.com/gpu";
    private static final String MEMORY = "nvidia.com/gpumem";
    private static final String PERCENT = "nvidia.com/gpumem-percentage";
    private static final String CORES = "nvidia.com/gpucores";

    private static Node node(String name, String registration) {
        return HAMI.node(new NodeManifest(
                name, Map.of(), Map.of(HamiRegistration.ANNOTATION, registration), Map.of(), List.of(), false));
    }

    private static PodManifest pod(String id, Map<String, String> annotations, Map<String, String> limits) {
        return new PodManifest(
                PodId.of(id),
                Map.of(),
                annotations,
                List.of(ContainerManifest.limits("main", limits)),
                NodeSelector.ANY,
                List.of());
    }

    private static Placement place(Cluster cluster, PodManifest pod) {
        return ((Placed) DialectScheduler.of(HAMI).schedule(cluster, pod)).placement();
    }

    private static Map<String, String> share(int percent) {
        return Map.of(GPU, "1", PERCENT, Integer.toString(percent), CORES, "10");
    }

    @Test
    void aGpuThatIsNotHealthyMakesItsNodeNoFuller_butWhatRunsOnItDoes() {
        Cluster idle = Cluster.of(List.of(
                node("n1", "a,10,16000,100,NVIDIA,0,true:b,10,16000,100,NVIDIA,0,true:"),
                node("n2", "c,10,16000,100,NVIDIA,0,true:d,10,16000,100,NVIDIA,0,true:")));
        Map<String, String> onC = Map.of("nvidia.com/use-gpuuuid", "c");
        Map<String, String> onA = Map.of("nvidia.com/use-gpuuuid", "a");
        Cluster used = idle.with(place(idle, pod("some", onC, share(20))));

        assertThat(place(used.withGpuHealth("n1", 0, false), pod("p", Map.of(), share(10)))
                        .node())
                .isEqualTo("n2");

        Cluster more = used.with(place(used, pod("more", onA, share(50)))).withGpuHealth("n1", 0, false);
        assertThat(place(more, pod("p", Map.of(), share(10))).node()).isEqualTo("n1");
    }

    @Test
    void whereAnAmountAndAPercentageAreAskedFor_thePercentageScoresAndTheAmountIsTaken() {
        Cluster cluster =
                Cluster.of(List.of(node("n1", "small,10,8000,100,NVIDIA,0,true:large,4,16000,100,NVIDIA,0,true:")));
        Map<String, String> amount = Map.of(GPU, "1", MEMORY, "4000", CORES, "10");
        Map<String, String> both = Map.of(GPU, "1", MEMORY, "4000", PERCENT, "50", CORES, "10");

        assertThat(place(cluster, pod("p", Map.of(), amount)).gpus()).containsExactly(1);
        Placement placed = place(cluster, pod("p", Map.of(), both));
        assertThat(placed.gpus()).containsExactly(0);
        assertThat(cluster.with(placed).node(0).freeMemoryMib(0)).isEqualTo(4_000);
    }

    @Test
    void aRequestCountsOnlyOnGpusThatRegisterAsItsType() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", "named,4,8000,100,NVIDIA-A100,0,true:plain,10,16000,100,NVIDIA,0,true:")));

        assertThat(place(cluster, pod("p", Map.of(), share(10))).gpus()).containsExactly(0);
    }

    private static PodManifest twice(String id, Map<String, String> limits) {
        return new PodManifest(
                PodId.of(id),
                Map.of(),
                Map.of(HamiGpuPolicy.ANNOTATION, "spread"),
                List.of(ContainerManifest.limits("one", limits), ContainerManifest.limits("two", limits)),
                NodeSelector.ANY,
                List.of());
    }

    private static void assertThatTheSecondContainerStaysWhereTheFirstIs(Cluster idle, Map<String, String> limits) {
        Cluster used = idle.with(place(idle, pod("some", Map.of(), limits)));
        assertThat(used.node(0).isIdle(0)).isTrue();
        // once the first container is on device 0 both are as full; but for it they were sorted, and 0 stood last
        assertThat(place(used, twice("p", limits)).containers())
                .allSatisfy(grant -> assertThat(grant.gpus().indexes()).containsExactly(0));
        // the other way round the list is as the node has it
        Cluster turned = used.with(place(used, pod("more", Map.of(), limits))).without(PodId.of("some"));
        assertThat(place(turned, twice("p", limits)).containers())
                .allSatisfy(grant -> assertThat(grant.gpus().indexes()).containsExactly(1));
    }

    @Test
    void devicesThatAreAsFullStayAsTheyWereSortedForTheContainerBefore() {
        assertThatTheSecondContainerStaysWhereTheFirstIs(
                Cluster.of(List.of(node("n1", "a,10,8000,100,NVIDIA,0,true:b,10,8000,100,NVIDIA,0,true:"))), share(10));
    }

    @Test
    void devicesOfOtherVendorsThatAreAsFullStayAsTheyWereSortedForTheContainerBefore() {
        Node node = HAMI.node(new NodeManifest(
                "n1",
                Map.of(),
                Map.of(
                        "hami.io/node-dcu-register",
                        "DCU-0,4,32768,100,DCU-Z100,0,true:DCU-1,4,32768,100,DCU-Z100,0,true:"),
                Map.of(),
                List.of(),
                false));
        assertThatTheSecondContainerStaysWhereTheFirstIs(
                Cluster.of(List.of(node)),
                Map.of("hygon.com/dcunum", "1", "hygon.com/dcumem", "1000", "hygon.com/dcucores", "10"));
    }

    @Test
    void refusal_countsTheQuotaWithTheGpusThatWereFoundBefore() {
        Node node = node("n1", "a,10,8000,100,NVIDIA,0,true:b,10,8000,100,NVIDIA,0,true:c,10,100,100,NVIDIA,0,true:");
        HamiQuota quota = HamiQuota.of(Map.of("limits.nvidia.com/gpumem", 5_000L), HamiSettings.DEFAULT);

        assertThat(HAMI.withQuota(quota)
                        .refusal(
                                Cluster.of(List.of(node)).node(0),
                                pod("p", Map.of(), Map.of(GPU, "2", MEMORY, "4000", CORES, "10"))))
                .isEqualTo("1/3 AllocatedCardsInsufficientRequest, 2/3 ResourceQuotaNotFit");
    }

    @Test
    void refusal_countsOnlyDevicesOfTheVendor() {
        Node node = HAMI.node(new NodeManifest(
                "n1",
                Map.of(),
                Map.of(
                        HamiRegistration.ANNOTATION,
                        "a,10,8000,100,NVIDIA,0,true:",
                        "hami.io/node-dcu-register",
                        "DCU-0,4,32768,100,DCU-Z100,0,true:DCU-1,4,32768,100,DCU-Z100,0,true:"),
                Map.of(),
                List.of(),
                false));
        Cluster cluster = Cluster.of(List.of(node));

        assertThat(node.gpus()).hasSize(3);
        assertThat(HAMI.refusal(cluster.node(0), pod("p", Map.of(), Map.of(GPU, "2", MEMORY, "100"))))
                .isEqualTo("NodeInsufficientDevice");
        assertThat(HAMI.refusal(cluster.node(0), pod("p", Map.of(), Map.of(GPU, "1", MEMORY, "9000"))))
                .isEqualTo("1/1 CardInsufficientMemory");
    }
}
