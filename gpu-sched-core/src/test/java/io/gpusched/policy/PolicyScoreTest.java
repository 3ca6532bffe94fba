package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Worked numbers of what policies say of one node before and after a placement. */
class PolicyScoreTest {
    private static final long CPU = 8_000;
    private static final WorkloadProfile PROFILE = WorkloadProfile.of(List.of(pod("p", 1, GpuRequest.exclusive(1))));

    private static Cluster node(int gpus, long memoryMib) {
        return Cluster.of(List.of(Node.builder("n")
                .capacity(CPU, 64_000)
                .gpus(gpus, GpuModel.of("nvidia", "A100", memoryMib))
                .build()));
    }

    private static Pod pod(String name, long cpuMillis, GpuRequest request) {
        return Pod.of(name, Resources.of(cpuMillis, 0), request);
    }

    private static GpuRequest share(int computeMillis, long memoryMib) {
        return GpuRequest.share(computeMillis, GpuMemory.mib(memoryMib));
    }

    /** With the pod placed, on the lowest GPUs that have room. */
    private static Cluster with(Cluster cluster, Pod pod) {
        return cluster.with(
                GpuScheduler.of(FirstFit.of()).place(cluster.node(0), pod).orElseThrow());
    }

    private static long score(PlacementPolicy policy, Cluster cluster, Pod pod) {
        return policy.score(cluster.node(0), with(cluster, pod).node(0), pod);
    }

    @Test
    void binPack_ofAShareThatTakesMemoryAlone_looksAtTheMemoryThatWasLeft() {
        Cluster littleMemory = with(node(1, 1_000), pod("x", 0, share(100, 700)));
        Cluster littleCompute = with(node(1, 1_000), pod("x", 0, share(700, 100)));
        Pod memoryAlone = pod("p", 0, share(0, 200));
        assertThat(score(BinPack.of(), littleMemory, memoryAlone))
                .isGreaterThan(score(BinPack.of(), littleCompute, memoryAlone));
        Pod computeToo = pod("p", 0, share(200, 200));
        assertThat(score(BinPack.of(), littleMemory, computeToo))
                .isLessThan(score(BinPack.of(), littleCompute, computeToo));
    }

    @Test
    void spread_isTheLeastOfComputeAndMemoryLeftOnTheGpusItTakes_thenFreeGpus_thenFreeCpu() {
        Cluster half = with(node(2, 2_000), pod("x", 2_000, share(500, 200)));
        // gpu 0: 400 of 1,000 milli and 1,600 of 2,000 MiB are left; 1,400 of 2,000 milli in all; 5,000 of 8,000 milli
        // CPU
        assertThat(score(Spread.of(), half, pod("p", 1_000, share(100, 200)))).isEqualTo(400L << 20 | 700L << 10 | 625);
        // gpu 0: 300 of 2,000 MiB are left
        assertThat(score(Spread.of(), half, pod("p", 1_000, share(100, 1_500))))
                .isEqualTo(150L << 20 | 700L << 10 | 625);
    }

    @Test
    void spread_doesNotMindWhatIsLeftOnGpusThatAreNotTaken() {
        Cluster nearlyFull = with(node(2, 2_000), pod("x", 0, share(900, 200)));
        assertThat(score(Spread.of(), nearlyFull, pod("p", 0, share(200, 200))))
                .isEqualTo(800L << 20 | 450L << 10 | 1_000);
        assertThat(score(Spread.of(), nearlyFull, pod("p", 4_000, GpuRequest.none())))
                .isEqualTo(1_000L << 20 | 550L << 10 | 500);
    }

    @Test
    void fragmentationGradient_addsATenthOfTheBalanceOfCpuAndGpus_andPrefersTheFullerSharedGpu() {
        WorkloadProfile profile = new WorkloadProfile(List.of(new Demand(0, 500, 1, Set.of(), 3)));
        FragmentationGradient policy = FragmentationGradient.of(profile);
        assertThat(policy.profile()).isSameAs(profile);
        // No fragment before or after. Afterwards 500 milli of GPU and 7 of 8 cores are free: the proportion of the
        // node asks for
        // 875 milli, so the imbalance is 375 milli; times 3 / 10 that is 112.
        long balance = -112;
        assertThat(score(policy, node(1, 0), pod("p", 1_000, share(500, 0)))).isEqualTo((balance << 10) - 500);
        // The 100 milli that are left are a fragment, for the whole weight of 3; they are 525 milli out of balance,
        // before it were 375.
        Cluster half = with(node(1, 0), pod("x", 1_000, share(500, 0)));
        long gain = -300 - (525 - 375) * 3 / 10;
        assertThat(score(policy, half, pod("p", 2_000, share(400, 0)))).isEqualTo((gain << 10) - 100);
    }

    @Test
    void bestFit_isWhatIsLeftOfCpuAndOfGpus_aGpuLikeSixteenCores() {
        assertThat(score(BestFit.of(), node(1, 0), pod("p", 4_000, share(500, 0))))
                .isEqualTo(-(12_000L << 16 | 500));
    }

    /** A seed tells a run again, on every machine and in every release. */
    @Test
    void random_isTheSameForEver() {
        RandomFit policy = RandomFit.of(7);
        NodeState free = node(2, 1_000).node(0);
        assertThat(policy.hash(PodId.of("p"), 0)).isEqualTo(3_907_099_127_853_031_015L);
        assertThat(policy.hash(PodId.of("p"), 1)).isEqualTo(-6_914_439_057_985_051_072L);
        assertThat(policy.hash(PodId.of("q"), 1)).isEqualTo(8_771_232_305_964_859_078L);
        assertThat(score(policy, node(2, 1_000), pod("p", 0, GpuRequest.exclusive(1))))
                .isEqualTo(8_731_496_428_319_216_557L);
        assertThat(score(policy, node(2, 1_000), pod("p", 0, GpuRequest.exclusive(2))))
                .isEqualTo(8_731_496_428_319_250_505L);
        assertThat(policy.score(free, free, pod("p", 0, GpuRequest.none()))).isEqualTo(8_731_496_428_319_256_263L);
    }

    @Test
    void policies_sayTheirNames() {
        assertThat(List.of(
                        BinPack.of(),
                        BestFit.of(),
                        FirstFit.of(),
                        Spread.of(),
                        RandomFit.of(7),
                        FragmentationGradient.of(PROFILE),
                        LookAhead.of(PROFILE)))
                .extracting(Object::toString)
                .containsExactly("bin-pack", "best-fit", "first-fit", "spread", "random(7)", "fgd", "look-ahead");
        assertThat(LookAhead.of(PROFILE).profile()).isSameAs(PROFILE);
    }

    @Test
    void randomPolicies_areEqualByTheirSeed() {
        assertThat(RandomFit.of(7)).isEqualTo(RandomFit.of(7)).hasSameHashCodeAs(RandomFit.of(7));
        assertThat(RandomFit.of(7)).isNotEqualTo(RandomFit.of(8));
    }
}
