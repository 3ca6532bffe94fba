package io.gpusched.schedule.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.PendingReason;
import io.gpusched.decision.Plan;
import io.gpusched.decision.ReducedGuarantee;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.schedule.SchedulingCycle;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.Eviction;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Job;
import io.gpusched.workload.JobBuilder;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Queue;
import io.gpusched.workload.Shape;
import io.gpusched.workload.ShapeCell;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ShapesTest {
    private static final String MODEL = "A100";

    /** Two racks of two nodes of four GPUs; queue "owner" has these shapes, "other" has none. */
    private static World world(Shape... shapes) {
        Queue.Builder owner = Queue.builder("owner");
        List.of(shapes).forEach(owner::shape);
        return new World(node("a0", "a"), node("a1", "a"), node("b0", "b"), node("b1", "b"))
                .queue(owner.build())
                .queue(Queue.builder("other").created(1).build());
    }

    private static Node node(String name, String rack) {
        return World.node(name, 4).topology(Topology.of("rack", rack)).build();
    }

    @Test
    void aJobWithinItsQueuesShapes_startsByEvictingOnlyThoseInItsCell() {
        Plan plan = world(Shape.domains(1, "rack", 2, MODEL))
                .running("x", "other", 4, 100, "a0")
                .running("y", "other", 4, 100, "a1")
                .running("z", "other", 2, 100, "b0")
                .pending("rack", "owner", 2, 4, 0)
                .plan();
        assertThat(World.evicted(plan)).containsExactly("z-0");
        assertThat(World.nominated(plan)).containsExactly("rack-0", "rack-1");
        assertThat(World.job(plan.after(), "rack").cells()).containsExactly(new ShapeCell(MODEL, "rack", "rack=b"));
    }

    @Test
    void whereThereIsRoomInTheCells_nobodyLeaves() {
        Plan plan = world(Shape.nodes(1, MODEL))
                .running("x", "other", 4, 0, "a0")
                .running("y", "other", 2, 0, "a1")
                .pending("node", "owner", 1, 4, 0)
                .plan();
        assertThat(World.evicted(plan)).isEmpty();
        assertThat(World.bound(plan)).containsExactly("node-0");
    }

    /** Two racks of two nodes, of which the last has the label and the others have a taint. */
    private static World withOneForSsd(Queue... queues) {
        Taint reserved = Taint.noSchedule("reserved", "");
        World world = new World(
                tainted("a0", "a", reserved),
                tainted("a1", "a", reserved),
                tainted("b0", "b", reserved),
                World.node("b1", 4)
                        .topology(Topology.of("rack", "b"))
                        .label("disk", "ssd")
                        .build());
        List.of(queues).forEach(world::queue);
        return world.queue(Queue.builder("other").created(9).build());
    }

    private static Node tainted(String name, String rack, Taint taint) {
        return World.node(name, 4)
                .topology(Topology.of("rack", rack))
                .taint(taint)
                .build();
    }

    private static JobBuilder of(String queue, UnaryOperator<Pod.Builder> more) {
        Pod.Builder pod = Pod.builder(queue + "-0").container("main", Resources.of(100, 100), GpuRequest.exclusive(4));
        return Job.builder(PodGroup.of(queue, List.of(more.apply(pod).build())), queue);
    }

    @Test
    void aPodThatMayUseOneNodeAlone_hasItsQueuesCellThere() {
        Queue owner = Queue.builder("owner").shape(Shape.nodes(1, MODEL)).build();
        Queue second = Queue.builder("second")
                .created(1)
                .shape(Shape.domains(1, "rack", 2, MODEL))
                .shape(Shape.nodes(1, MODEL))
                .build();
        List<JobBuilder> ways = List.of(
                of("owner", pod -> pod), // does not tolerate the taint of the others
                of(
                        "owner",
                        pod -> pod.toleration(Toleration.everything())
                                .nodeSelector(NodeSelector.all(NodeRequirement.in("disk", "ssd")))));
        for (JobBuilder job : ways) {
            Plan plan = withOneForSsd(owner, second)
                    .running("by-chance", "other", 4, 1_000, "b1")
                    .pending(job)
                    .plan();

            assertThat(World.evicted(plan)).containsExactly("by-chance-0");
            assertThat(World.job(plan.after(), "owner").cells())
                    .containsExactly(new ShapeCell(MODEL, Shape.NODE, "b1"));
        }
    }

    @Test
    void jobsOfOneQueue_shareACell() {
        World world = world(Shape.nodes(1, MODEL), Shape.domains(1, "rack", 2, MODEL))
                .pending("first", "owner", 1, 2, 0)
                .pending("second", "owner", 1, 2, 0)
                .pending("rack", "owner", 2, 4, 0);
        Plan plan = world.plan();
        assertThat(plan.bindings()).hasSize(4);
        assertThat(World.job(plan.after(), "second").cells())
                .isEqualTo(World.job(plan.after(), "first").cells())
                .extracting(ShapeCell::level)
                .containsExactly(Shape.NODE);
        assertThat(World.job(plan.after(), "rack").cells())
                .extracting(ShapeCell::level)
                .containsExactly("rack");
    }

    @Test
    void beyondItsShapes_aJobStartsByChanceAndIsEvictedForAnotherOwner() {
        World world = world(Shape.nodes(1, MODEL))
                .queue(Queue.builder("second")
                        .created(2)
                        .shape(Shape.nodes(3, MODEL))
                        .build())
                .running("own", "owner", 4, 0, "a0")
                .running("beyond", "owner", 4, 0, "a1")
                .running("s0", "second", 4, 0, "b0")
                .running("s1", "second", 4, 0, "b1")
                .pending("s2", "second", 1, 4, 0);
        Plan plan = world.plan();
        assertThat(World.job(plan.after(), "own").cells()).hasSize(1);
        assertThat(World.evicted(plan)).containsExactly("beyond-0");
        assertThat(World.nominated(plan)).containsExactly("s2-0");
    }

    @Test
    void withinItsShapes_aJobIsEvictedOnlyForHigherPriorityOfItsOwnQueue() {
        World world = world(Shape.nodes(2, MODEL))
                .running("low", "owner", 4, 0, "a0")
                .running("middle", "owner", 4, 5, "a1")
                .running("x", "other", 4, 100, "b0")
                .running("y", "other", 4, 100, "b1")
                .pending("high", "owner", 1, 4, 9)
                .pending("thief", "other", 1, 4, 1000);
        Plan plan = world.plan();
        assertThat(World.evicted(plan)).contains("low-0").doesNotContain("middle-0");
        assertThat(plan.evictionsFor("high"))
                .extracting(step -> step.pod().name())
                .containsExactly("low-0");
    }

    /** The lowest runs in a block: without it there is no node more. */
    @Test
    void forHigherPriorityOfItsQueue_onlyThoseGiveUpTheirCellsWhoHaveTo() {
        Plan plan = world(Shape.nodes(1, MODEL), Shape.gpus(1, 2, MODEL))
                .running("node", "owner", 4, 1, "a0")
                .running("block", "owner", 2, 0, "a1")
                .pending("high", "owner", 1, 4, 9)
                .plan();
        assertThat(World.bound(plan)).containsExactly("high-0");
        assertThat(World.evicted(plan)).isEmpty();
        assertThat(World.job(plan.after(), "high").cells())
                .extracting(ShapeCell::level)
                .containsExactly(Shape.NODE);
        assertThat(World.job(plan.after(), "node").cells()).isEmpty();
        assertThat(World.job(plan.after(), "block").cells())
                .extracting(ShapeCell::level)
                .containsExactly(Shape.GPU);
    }

    /** As a scheduler may have it that has written down in which cells jobs started, and starts again. */
    @Test
    void ofJobsThatClaimMoreCellsThanTheirQueueOwns_thatOfTheHighestPriorityHasItsOwn() {
        Plan plan = world(Shape.nodes(1, MODEL))
                .running(claiming("low", 0, "a0"), "a0")
                .running(claiming("high", 5, "a1"), "a1")
                .plan();
        assertThat(World.job(plan.after(), "low").cells()).isEmpty();
        assertThat(World.job(plan.after(), "high").cells()).containsExactly(new ShapeCell(MODEL, Shape.NODE, "a1"));
    }

    private static JobBuilder claiming(String name, int priority, String node) {
        return Job.builder(World.group(name, 1, 4), "owner")
                .priority(priority)
                .cells(List.of(new ShapeCell(MODEL, Shape.NODE, node)));
    }

    @Test
    void negativePriority_isNeverOfRight() {
        Plan plan = world(Shape.nodes(4, MODEL))
                .running("x", "other", 4, 0, "a0", "a1", "b0", "b1")
                .pending("spare", "owner", 1, 4, -1)
                .plan();
        assertThat(plan.evictionsFor("spare")).isEmpty();
    }

    @Test
    void whatMayNotBeEvicted_startsOnlyWhereItLeavesWhatOthersOwn() {
        Plan plan = world(Shape.domains(2, "rack", 2, MODEL))
                .pending(Job.builder(World.group("rock", 1, 1), "other").eviction(Eviction.NEVER))
                .pending("sand", "other", 1, 1, 0)
                .plan();
        assertThat(World.bound(plan)).containsExactly("sand-0");
        assertThat(plan.reason("rock")).contains(new PendingReason.Owned());
    }

    @Test
    void badGpus_reduceAGuarantee_andThatIsTold() {
        CycleState state = world(Shape.domains(2, "rack", 2, MODEL)).state();
        CycleState broken = state.withCluster(state.cluster().withGpuHealth("b1", 0, false));
        assertThat(SchedulingCycle.create().plan(state, 0).reduced()).isEmpty();
        assertThat(SchedulingCycle.create().plan(broken, 0).reduced())
                .containsExactly(new ReducedGuarantee("owner", Shape.domains(2, "rack", 2, MODEL), 1, List.of("b1")));
    }

    @Test
    void aPlanCarriedOut_plannedAgain_isEmpty() {
        SchedulingCycle cycle = SchedulingCycle.create();
        Plan plan = cycle.plan(
                world(Shape.domains(1, "rack", 2, MODEL), Shape.gpus(2, 2, MODEL))
                        .running("x", "other", 4, 100, "a0", "a1", "b0", "b1")
                        .pending("rack", "owner", 2, 4, 0)
                        .pending("pair", "owner", 1, 2, 0)
                        .state(),
                0);
        assertThat(World.nominated(plan)).contains("rack-0", "rack-1", "pair-0");
        assertThat(cycle.plan(plan.after(), 0).isEmpty()).isTrue();
        Plan started = cycle.plan(World.ended(plan.after()), 1);
        assertThat(World.bound(started)).contains("rack-0", "rack-1", "pair-0");
        assertThat(cycle.plan(started.after(), 1).isEmpty()).isTrue();
    }
}
