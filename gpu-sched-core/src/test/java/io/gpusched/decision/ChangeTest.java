package io.gpusched.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Amount.Quantity;
import io.gpusched.model.NodeMode;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeTest {
    private static final NodeTemplate SMALL = new NodeTemplate(
            Resources.of(4_000, 64),
            EnumSet.of(NodeMode.EXCLUSIVE, NodeMode.MIXED),
            List.of(GpuRequest.exclusive(1)),
            List.of(),
            Topology.NONE);
    private static final String SMALL_WORDS = "4 cores, 64 MiB, for 1 whole GPU";

    static Stream<Arguments> changes() {
        PodId train = PodId.of("demo/train");
        return Stream.of(
                Arguments.of(new Change.Uncordon("n1"), "uncordon n1"),
                Arguments.of(new Change.ReleasePods("n1", List.of(train), 1), "release pod \"demo/train\" on n1"),
                Arguments.of(
                        new Change.ReleasePods("n1", List.of(train, PodId.of("b")), 2),
                        "release pods \"demo/train\", \"b\" on n1"),
                Arguments.of(
                        new Change.ReleasePods("n1", List.of(train, PodId.of("b")), 1),
                        "release 1 of the pods \"demo/train\", \"b\" on n1"),
                Arguments.of(onNode(Quantity.CPU_MILLIS, 500, ""), "free 0.5 cores on n1"),
                Arguments.of(onNode(Quantity.MEMORY_MIB, 64, ""), "free 64 MiB of memory on n1"),
                Arguments.of(onNode(Quantity.RESOURCE, 2, "rdma/hca"), "free 2 rdma/hca on n1"),
                Arguments.of(onGpu(Quantity.GPU_COMPUTE_MILLIS, 250), "free 25 % of the compute of GPU 3 of n1"),
                Arguments.of(onGpu(Quantity.GPU_MEMORY_MIB, 64), "free 64 MiB of GPU memory on GPU 3 of n1"),
                Arguments.of(onGpu(Quantity.GPU_SLOTS, 2), "free 2 slots on GPU 3 of n1"),
                Arguments.of(new Change.FreeIdleGpus("n1", 1, 2, List.of()), "1 more idle GPU on n1 (has 2 of 3)"),
                Arguments.of(
                        new Change.FreeIdleGpus("n1", 3, 0, List.of(1, 2, 5)),
                        "3 more idle GPUs on n1 (has 0 of 3, accepts GPUs [1, 2, 5])"),
                Arguments.of(new Change.RepairGpu("n1", 7), "repair GPU 7 of n1"),
                Arguments.of(
                        new Change.TolerateTaint("n1", Taint.noSchedule("a", "b")),
                        "tolerate taint a=b:NoSchedule of n1"),
                Arguments.of(new Change.AcceptLabels("n1"), "accept the labels of n1"),
                Arguments.of(new Change.SpreadGroup("rack"), "let the group use more than one rack"),
                Arguments.of(new Change.MakeRoom(1, SMALL, ""), "make room for a pod of " + SMALL_WORDS),
                Arguments.of(new Change.MakeRoom(3, SMALL, ""), "make room for 3 pods, each of " + SMALL_WORDS),
                Arguments.of(new Change.MakeRoom(3, SMALL, "n1"), "make room on n1 for 3 pods, each of " + SMALL_WORDS),
                Arguments.of(new Change.AddNodes(1, SMALL), "add a node with " + SMALL_WORDS),
                Arguments.of(new Change.AddNodes(3, SMALL), "add 3 nodes, each with " + SMALL_WORDS),
                Arguments.of(
                        new Change.ChooseKnown(Fact.Unknown.Kind.TOPOLOGY_LEVEL, "row", List.of("rack", "zone")),
                        "ask for a topology level that nodes have: rack, zone"),
                Arguments.of(
                        new Change.ChooseKnown(Fact.Unknown.Kind.TOPOLOGY_LEVEL, "row", List.of()),
                        "give nodes the topology level \"row\""),
                Arguments.of(new Change.RaiseQuota("more"), "more"));
    }

    private static Change onNode(Quantity quantity, long amount, String resource) {
        return new Change.FreeOnNode("n1", quantity, amount, resource);
    }

    private static Change onGpu(Quantity quantity, long amount) {
        return new Change.FreeOnGpu("n1", 3, quantity, amount);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChange_isSaidInWords(Change change, String words) {
        assertThat(change).hasToString(words);
    }

    @Test
    void aTemplate_namesRequestsLabelsAndPlace() {
        NodeTemplate template = new NodeTemplate(
                Resources.of(1_000, 64),
                EnumSet.of(NodeMode.MIXED),
                List.of(GpuRequest.percent(50), GpuRequest.exclusive(1), GpuRequest.percent(50)),
                List.of(NodeSelector.all(NodeRequirement.in("zone", "a"))),
                Topology.of("rack", "r1"));

        assertThat(template)
                .hasToString("1 core, 64 MiB, for 2 times 0.5 GPUs and 1 whole GPU, labelled zone=a," + " in rack=r1");
        assertThat(new NodeTemplate(
                        Resources.of(1_000, 64), EnumSet.allOf(NodeMode.class), List.of(), List.of(), Topology.NONE))
                .hasToString("1 core, 64 MiB");
        assertThat(new NodeTemplate(
                        Resources.NONE,
                        Set.of(NodeMode.MIXED),
                        List.of(GpuRequest.exclusive(3)),
                        List.of(),
                        Topology.NONE))
                .hasToString("3 whole GPUs");
    }

    @Test
    void aRemedy_joinsItsChanges_andCopiesThem() {
        List<Change> changes = new ArrayList<>(List.of(new Change.Uncordon("n1"), new Change.RepairGpu("n1", 2)));
        Remedy remedy = new Remedy(changes);
        changes.clear();

        assertThat(remedy).hasToString("uncordon n1 and repair GPU 2 of n1");
        assertThat(new Remedy(List.of())).hasToString("");
    }

    @ParameterizedTest
    @CsvSource({"8, 'GPU 7 of n'", "9, ' and 1 more'", "20, ' and 12 more'"})
    void aLongRemedy_endsWithTheNumberOfChangesThatAreNotSaid(int size, String end) {
        List<Change> changes = new ArrayList<>();
        for (int gpu = 0; gpu < size; gpu++) {
            changes.add(new Change.RepairGpu("n", gpu));
        }

        assertThat(new Remedy(changes).toString()).endsWith(end);
        assertThat(new Remedy(changes).changes()).hasSize(size);
    }
}
