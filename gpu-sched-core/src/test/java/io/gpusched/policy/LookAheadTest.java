package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LookAheadTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 0);
    private static final GpuModel T4 = GpuModel.of("nvidia", "T4", 0);

    /** A mix of shares, whole GPUs, large pods, pods bound to a model, and pods without GPUs. */
    private static List<Pod> mix(int count, long seed) {
        Random random = new Random(seed);
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            GpuRequest request = switch (random.nextInt(9)) {
                case 0 -> GpuRequest.none();
                case 1, 2 -> GpuRequest.exclusive(1);
                case 3 -> GpuRequest.exclusive(2);
                case 4 -> GpuRequest.exclusive(random.nextBoolean() ? 4 : 8);
                case 5 -> GpuRequest.exclusive(1, GpuSelector.models("T4"));
                default -> GpuRequest.share(100 * (1 + random.nextInt(9)), GpuMemory.none());
            };
            long cpu = 500L * (1 + random.nextInt(16));
            pods.add(Pod.of("p" + i, Resources.of(cpu, cpu * 4), request));
        }
        return pods;
    }

    private static List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            nodes.add(Node.builder("a" + i)
                    .capacity(64_000, 262_144)
                    .gpus(8, A100)
                    .build());
            nodes.add(Node.builder("t" + i)
                    .capacity(32_000, 131_072)
                    .gpus(i % 2 == 0 ? 2 : 4, T4)
                    .build());
        }
        nodes.add(Node.builder("c").capacity(64_000, 262_144).build());
        return nodes;
    }

    /** The decisions on a stream of pods, of which some leave again. */
    private static List<String> decisions(GpuScheduler scheduler, List<Pod> pods) {
        Cluster cluster = Cluster.of(nodes());
        List<String> decisions = new ArrayList<>();
        Random random = new Random(5);
        List<PodId> running = new ArrayList<>();
        for (Pod pod : pods) {
            Decision decision = scheduler.schedule(cluster, pod);
            decisions.add(decision.toString());
            if (decision instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                running.add(pod.id());
            }
            if (random.nextInt(5) == 0 && !running.isEmpty()) {
                cluster = cluster.without(running.remove(random.nextInt(running.size())));
            }
        }
        return decisions;
    }

    @Test
    void schedule_withAndWithoutCache_decidesAlike() {
        List<Pod> pods = mix(700, 1);
        PlacementPolicy policy = LookAhead.of(WorkloadProfile.of(pods));
        assertThat(decisions(GpuScheduler.of(policy), pods))
                .isEqualTo(decisions(
                        GpuScheduler.builder().policy(policy).memory(0).build(), pods))
                .anyMatch(decision -> !decision.contains("on node"));
    }

    @Test
    void schedule_byAPolicyOfTheSamePodsInAnotherOrder_decidesAlike() {
        List<Pod> pods = mix(300, 2);
        List<Pod> shuffled = new ArrayList<>(pods);
        Collections.shuffle(shuffled, new Random(3));
        assertThat(decisions(GpuScheduler.of(LookAhead.of(WorkloadProfile.of(shuffled))), pods))
                .isEqualTo(decisions(GpuScheduler.of(LookAhead.of(WorkloadProfile.of(pods))), pods));
    }

    @Test
    void cost_askedByManyThreadsOfOnePolicy_isWhatAFreshPolicySays() {
        List<Pod> pods = mix(300, 4);
        WorkloadProfile profile = WorkloadProfile.of(pods);
        LookAhead shared = LookAhead.of(profile);
        List<NodeState> states = statesWith(pods);
        long[] atOnce = states.parallelStream().mapToLong(shared::cost).toArray();
        LookAhead fresh = LookAhead.of(profile);
        assertThat(atOnce).isEqualTo(states.stream().mapToLong(fresh::cost).toArray());
    }

    /** The states that nodes are in while pods arrive; objects that no look-ahead has met. */
    private static List<NodeState> statesWith(List<Pod> pods) {
        GpuScheduler scheduler = GpuScheduler.of(BestFit.of());
        List<NodeState> states = new ArrayList<>();
        Cluster cluster = Cluster.of(nodes());
        for (Pod pod : pods) {
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                states.addAll(cluster.nodes());
            }
        }
        return states;
    }

    @Test
    void cost_askedOfTwoPoliciesInTurn_isWhatEachSaysOfStatesThatItAloneHasMet() {
        List<Pod> pods = mix(60, 6);
        List<WorkloadProfile> profiles = List.of(WorkloadProfile.of(pods), WorkloadProfile.of(mix(60, 7)));
        List<List<Long>> expected = new ArrayList<>();
        for (WorkloadProfile profile : profiles) {
            LookAhead alone = LookAhead.of(profile);
            expected.add(statesWith(pods).stream().map(alone::cost).toList());
        }
        assertThat(expected.get(0)).isNotEqualTo(expected.get(1));

        List<LookAhead> policies = profiles.stream().map(LookAhead::of).toList();
        List<List<Long>> inTurn = List.of(new ArrayList<>(), new ArrayList<>());
        for (NodeState state : statesWith(pods)) {
            for (int i = 0; i < 2; i++) {
                inTurn.get(i).add(policies.get(i).cost(state));
            }
        }
        assertThat(inTurn).isEqualTo(expected);
    }

    @Test
    void whatAPolicyWorkedOut_isNotKeptByTheStatesItLookedAt() throws InterruptedException {
        List<NodeState> states = statesWith(mix(20, 8));
        WeakReference<WorkloadProfile.Demand> known = demandKnownToAPolicyThatLooksAt(states);
        for (int i = 0; i < 100 && known.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(known.get()).isNull();
        assertThat(states).isNotEmpty();
    }

    private static WeakReference<WorkloadProfile.Demand> demandKnownToAPolicyThatLooksAt(List<NodeState> states) {
        WorkloadProfile profile = WorkloadProfile.of(mix(20, 9));
        LookAhead policy = LookAhead.of(profile);
        states.forEach(policy::cost);
        return new WeakReference<>(profile.demands().get(0));
    }

    /** The same scores without penalties. */
    private record WithoutPenalties(LookAhead policy) implements PlacementPolicy {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return policy.score(before, after, pod);
        }
    }

    private static String nodeFor(PlacementPolicy policy, Cluster cluster, Pod pod) {
        return ((Placed) GpuScheduler.of(policy).schedule(cluster, pod))
                .placement()
                .node();
    }

    @Test
    void schedule_aModelThatBoundPodsWillNeed_leavesItToThemThoughTheFitThereIsBetter() {
        Pod bound = Pod.of("b", Resources.of(500, 500), GpuRequest.exclusive(1, GpuSelector.models("T4")));
        Pod half = Pod.of("h", Resources.of(500, 500), GpuRequest.percent(50));
        List<Pod> pods = new ArrayList<>(Collections.nCopies(8, bound));
        pods.addAll(Collections.nCopies(8, half));
        LookAhead policy = LookAhead.of(WorkloadProfile.of(pods));
        Cluster cluster = Cluster.of(List.of(
                Node.builder("n0").capacity(8_000, 8_000).gpus(4, T4).build(),
                Node.builder("n1").capacity(8_000, 8_000).gpus(4, A100).build()));
        Pod other = half.withId(PodId.of("other"));
        Cluster halfTaken = cluster.with(
                GpuScheduler.of(BinPack.of()).place(cluster.node(0), other).orElseThrow());
        assertThat(nodeFor(new WithoutPenalties(policy), halfTaken, half)).isEqualTo("n0");
        assertThat(nodeFor(policy, halfTaken, half)).isEqualTo("n1");
    }

    @Test
    void schedule_whereLargePodsWillNeedTheLastWholeNode_doesNotBreakItThoughAGpuStarvesElsewhere() {
        Cluster cluster = Cluster.of(List.of(
                Node.builder("n0").capacity(64_000, 64_000).gpus(8, A100).build(),
                Node.builder("n1").capacity(9_000, 64_000).gpus(2, A100).build()));
        Pod large = Pod.of("l", Resources.of(32_000, 8_000), GpuRequest.exclusive(8));
        Pod small = Pod.of("s", Resources.of(6_000, 1_000), GpuRequest.exclusive(1));
        LookAhead policy = LookAhead.of(WorkloadProfile.of(List.of(large, small, small, small)));
        assertThat(nodeFor(new WithoutPenalties(policy), cluster, small)).isEqualTo("n0");
        assertThat(nodeFor(policy, cluster, small)).isEqualTo("n1");
    }

    @Test
    void schedule_onNodesOfTwoModelsAndOtherCompute_placesWhateverFits() {
        Node twoModels = Node.builder("n0")
                .capacity(64_000, 64_000)
                .gpus(2, A100)
                .gpus(2, T4)
                .build();
        Node twice = Node.builder("n1")
                .capacity(64_000, 64_000)
                .gpu(Gpu.of(0, "u0", A100).withComputeMillis(2_000))
                .build();
        Cluster cluster = Cluster.of(List.of(twoModels, twice));
        GpuScheduler scheduler = GpuScheduler.of(LookAhead.of(WorkloadProfile.of(mix(50, 6))));
        Pod share = Pod.of("s", Resources.of(100, 100), GpuRequest.share(900, GpuMemory.none()));
        int placed = 0;
        for (int i = 0; i < 7; i++) {
            if (scheduler.schedule(cluster, share.withId(PodId.of("s" + i))) instanceof Placed found) {
                cluster = cluster.with(found.placement());
                placed++;
            }
        }
        assertThat(placed).isEqualTo(6);
    }
}
