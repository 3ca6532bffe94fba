package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import org.junit.jupiter.api.Test;

class AllocateTest {
    @Test
    void jobsStartWhereThereIsRoom() {
        Plan plan = new World(2, 4)
                .queue("q", 8)
                .pending("a", "q", 1, 4, 0)
                .pending("b", "q", 2, 2, 0)
                .plan();
        assertThat(World.bound(plan)).containsExactlyInAnyOrder("a-0", "b-0", "b-1");
        assertThat(plan.pending()).isEmpty();
        assertThat(plan.after().cluster().totals().idleGpus()).isZero();
        assertThat(World.job(plan.after(), "b").running()).hasSize(2);
    }

    @Test
    void aPlanThatIsCarriedOutAndPlannedAgainIsEmpty() {
        Plan plan = new World(1, 4)
                .queue("q", 4)
                .pending("a", "q", 1, 3, 0)
                .pending("b", "q", 1, 3, 0)
                .plan();
        assertThat(SchedulingCycle.create().plan(plan.after(), 1_001).isEmpty()).isTrue();
    }

    @Test
    void aGangStartsWholeOrNotAtAll_andTheRefusalIsProven() {
        Plan plan = new World(1, 4).queue("q", 8).pending("gang", "q", 5, 1, 0).plan();
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.reason("gang").orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void ofManyWhoAskForTheSame_eachIsToldWhyItWaits_andWhoAsksForLessStarts() {
        World world = new World(1, 4).queue("q", 8).pending("first", "q", 1, 2, 0);
        for (int i = 0; i < 20; i++) {
            world.pending("large" + i, "q", 1, 3, 0);
        }
        Plan plan = world.pending("small", "q", 1, 2, 0).plan();
        assertThat(World.bound(plan)).containsExactly("first-0", "small-0");
        assertThat(plan.pending()).hasSize(20).allSatisfy(job -> {
            assertThat(job.reason())
                    .isInstanceOf(PendingReason.NoRoom.class)
                    .isEqualTo(plan.pending().get(0).reason());
        });
    }

    @Test
    void whoMustNotEvictYet_doesNotKeepOthersFromEvicting() {
        Plan plan = new World(1, 4)
                .queue("q", 4)
                .running("low", "q", 4, 0, "n0")
                .pending(JobSpec.builder(World.group("patient", 1, 4), "q")
                        .priority(50)
                        .preemptionDelay(5_000))
                .pending("urgent", "q", 1, 4, 50)
                .plan();
        assertThat(plan.evictions()).hasSize(1);
        assertThat(plan.reason("patient").orElseThrow()).isInstanceOf(PendingReason.Delayed.class);
        assertThat(plan.reason("urgent").orElseThrow()).isInstanceOf(PendingReason.Nominated.class);
    }

    @Test
    void anElasticJobStartsWithItsMinimum_andTakesMoreInFairOrder() {
        Plan plan = new World(1, 5)
                .queue("q", 2)
                .queue("r", 2)
                .pending(JobSpec.builder(World.group("big", 4, 1).withMinMember(2), "q"))
                .pending(JobSpec.builder(World.group("other", 4, 1).withMinMember(1), "r"))
                .plan();
        assertThat(World.bound(plan)).startsWith("other-0", "big-0", "big-1", "other-1");
        assertThat(World.job(plan.after(), "big").running()).hasSize(3);
    }

    @Test
    void theLimitOfAQueueAboveHoldsToo() {
        Plan plan = new World(1, 8)
                .queue(JobQueue.builder("top")
                        .quota(QueueResource.GPU, Quota.ofDeserved(2_000).withLimit(3_000))
                        .build())
                .queue(JobQueue.builder("team").parent("top").build())
                .pending("a", "team", 1, 2, 0)
                .pending("b", "team", 1, 2, 0)
                .plan();
        assertThat(World.bound(plan)).containsExactly("a-0");
        assertThat(plan.reason("b"))
                .contains(new PendingReason.OverLimit("top", QueueResource.GPU, 2_000, 2_000, 3_000, Certainty.PROVEN));
    }

    private static World twoModels(int h100) {
        Node other = Node.builder("z")
                .capacity(1_000_000, 1_000_000)
                .gpus(h100, GpuModel.of("nvidia", "H100", 81_920))
                .build();
        JobQueue queue = JobQueue.builder("q")
                .quota(QueueResource.gpuModel("A100"), Quota.ofDeserved(0).withLimit(0))
                .build();
        return new World(World.node("a", 8).build(), other).queue(queue);
    }

    @Test
    void atTheLimitOfOneModel_aJobStartsOnAnother() {
        Plan plan = twoModels(8).pending("any", "q", 1, 1, 0).plan();
        assertThat(plan.bindings()).hasSize(1);
        Placement placement = plan.bindings().get(0).placement();
        assertThat(placement.node()).isEqualTo("z");
        assertThat(placement.spec())
                .contains(World.group("any", 1, 1).pods().get(0).spec());
    }

    @Test
    void aLimitOfOneModel_provesNothingWhereAnotherModelWouldDo() {
        Plan plan = twoModels(1)
                .pending("any", "q", 1, 2, 0)
                .pending(JobSpec.builder(
                        World.group("a100", 1, GpuRequest.exclusive(1, GpuSelector.models("A100"))), "q"))
                .plan();
        assertThat(plan.reason("any").orElseThrow().certainty()).isEqualTo(Certainty.LIMIT);
        assertThat(plan.reason("a100").orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void podsOfNoJob_lessenWhatTheQueuesShare() {
        Pod stranger = Pod.of("stranger", Resources.of(100, 100), GpuRequest.exclusive(4));
        QueueState state = new World(1, 12)
                .queue("q", 0)
                .queue("r", 0)
                .running("old", "q", 1, 0, "n0", "n0", "n0", "n0", "n0")
                .pending("new", "r", 1, 4, 0)
                .state();
        assertThat(SchedulingCycle.create().plan(state, 1).evictions()).isEmpty();
        Placement placement = GpuScheduler.create()
                .schedule(state.cluster(), stranger)
                .toPlacement()
                .orElseThrow();
        Plan plan =
                SchedulingCycle.create().plan(state.withCluster(state.cluster().with(placement)), 1);
        assertThat(plan.reason("new"))
                .as("of 8 GPUs each queue has a share of 4")
                .containsInstanceOf(PendingReason.Nominated.class);
        assertThat(plan.evictions()).hasSize(5);
        assertThat(plan.after().cluster().placement(stranger.id())).isPresent();
    }

    @Test
    void aJobThatMayNotBeEvictedStaysWithinWhatItsQueueDeserves() {
        Plan plan = new World(1, 8)
                .queue("q", 2)
                .pending(JobSpec.builder(World.group("a", 1, 3), "q").eviction(Eviction.NEVER))
                .plan();
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.reason("a"))
                .contains(new PendingReason.OverDeserved("q", QueueResource.GPU, 0, 3_000, 2_000, Certainty.PROVEN));
    }

    @Test
    void sharesCountPerDevice() {
        Plan plan = new World(io.gpusched.model.Node.builder("s")
                        .mode(io.gpusched.model.NodeMode.SHARED)
                        .capacity(10_000, 10_000)
                        .gpus(2, World.A100)
                        .build())
                .queue("q", 2)
                .pending(JobSpec.builder(World.group("shares", 3, GpuRequest.percent(60)), "q"))
                .plan();
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.reason("shares").orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void queuesBelowTheirShareComeFirst() {
        Plan plan = new World(1, 4)
                .queue("q", 2)
                .queue("r", 2)
                .running("old", "q", 1, 0, "n0", "n0")
                .pending("a", "q", 1, 1, 100)
                .pending("b", "r", 1, 1, 0)
                .pending("c", "r", 1, 1, 0)
                .plan();
        assertThat(World.bound(plan)).containsExactly("b-0", "c-0");
    }
}
