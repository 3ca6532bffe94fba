package io.gpusched.internal.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.Shape;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GuaranteesTest {
    private static final String MODEL = "H100";

    /** Racks r0, r1, ... of so many nodes with so many GPUs each: node r0-0, r0-1, ... */
    static Cluster racks(int racks, int nodes, int gpus) {
        List<Node> all = new ArrayList<>();
        for (int r = 0; r < racks; r++) {
            for (int n = 0; n < nodes; n++) {
                String name = "r" + r + "-" + n;
                all.add(Node.builder(name)
                        .capacity(Resources.of(1_000_000, 1_000_000))
                        .topology(Topology.of("rack", "r" + r))
                        .gpus(gpus, GpuModel.of("NVIDIA", MODEL, 80_000))
                        .build());
            }
        }
        return Cluster.of(all);
    }

    static Placement on(String node, int... gpus) {
        return new Placement(
                new PodId("default", node + "-" + gpus[0]),
                node,
                Resources.NONE,
                List.of(ContainerGrant.of(
                        "main", new GpuGrant.Whole(Arrays.stream(gpus).boxed().toList()))));
    }

    private static QueueTree queues(Queue.Builder... queues) {
        return QueueTree.of(Arrays.stream(queues).map(Queue.Builder::build).toList());
    }

    private static Set<String> nodes(Guarantees guarantees, String queue) {
        List<Region> regions = guarantees.regions(queue, 1, node -> true);
        return regions.isEmpty()
                ? Set.of()
                : new TreeSet<>(regions.get(regions.size() - 1).gpus().keySet());
    }

    private static ShapeCell cell(String level, String name) {
        return new ShapeCell(MODEL, level, name);
    }

    @Test
    void cells_areSetAsideWhereTheFewestRun() {
        Cluster cluster = racks(3, 2, 4);
        Guarantees guarantees = Guarantees.of(
                cluster,
                queues(
                        Queue.builder("a").shape(Shape.domains(1, "rack", 2, MODEL)),
                        Queue.builder("b").shape(Shape.nodes(1, MODEL))));
        guarantees.occupy(on("r0-1", 0), cluster);
        guarantees.occupy(on("r1-0", 0), cluster);
        assertThat(nodes(guarantees, "a")).containsExactly("r2-0", "r2-1");
        assertThat(nodes(guarantees, "b")).hasSize(1).doesNotContain("r0-1", "r1-0");
    }

    @Test
    void smallCells_leaveTheLargeOnesWhole() {
        Cluster cluster = racks(2, 2, 4);
        QueueTree queues = queues(
                Queue.builder("racks").shape(Shape.domains(1, "rack", 2, MODEL)),
                Queue.builder("gpus").shape(Shape.gpus(8, 1, MODEL)));
        Guarantees guarantees = Guarantees.of(cluster, queues);
        assertThat(guarantees.use("gpus", List.of(cell(Shape.GPU, "r1-1[3..3]"))))
                .isTrue();
        assertThat(nodes(guarantees, "racks")).containsExactly("r0-0", "r0-1");
        assertThat(nodes(guarantees, "gpus")).containsExactly("r1-0", "r1-1");
        assertThat(guarantees.shortfalls()).isEmpty();
    }

    @Test
    void aCellInUse_isNobodyElses() {
        Guarantees guarantees = Guarantees.of(
                racks(2, 2, 4),
                queues(
                        Queue.builder("a").shape(Shape.nodes(2, MODEL)),
                        Queue.builder("b").shape(Shape.nodes(2, MODEL))));
        assertThat(guarantees.use("a", List.of(cell(Shape.NODE, "r0-0")))).isTrue();
        assertThat(guarantees.use("b", List.of(cell(Shape.NODE, "r0-0")))).isFalse();
        assertThat(guarantees.use("b", List.of(cell(Shape.GPU, "r0-1[0..3]")))).isFalse();
        assertThat(guarantees.use("a", List.of(cell(Shape.NODE, "r0-0"), cell(Shape.NODE, "r0-1"))))
                .isTrue();
        assertThat(guarantees.use("a", List.of(cell(Shape.NODE, "r1-0")))).isFalse();
    }

    @Test
    void halvesOfANode_areCells() {
        Guarantees guarantees = Guarantees.of(
                racks(1, 1, 8),
                queues(
                        Queue.builder("a").shape(Shape.gpus(1, 4, MODEL)),
                        Queue.builder("b").shape(Shape.gpus(2, 2, MODEL))));
        assertThat(guarantees.use("b", List.of(cell(Shape.GPU, "r0-0[2..3]")))).isTrue();
        Region all = guarantees.regions("a", 1, node -> true).get(0);
        assertThat(all.gpus().get("r0-0").keySet()).containsExactlyInAnyOrder(4, 5, 6, 7);
    }

    @Test
    void aBadNode_reducesTheGuaranteeOfTheQueueOfLowestPriority() {
        Cluster cluster = racks(2, 2, 4).withGpuHealth("r0-1", 2, false);
        QueueTree queues = queues(
                Queue.builder("low").shape(Shape.domains(1, "rack", 2, MODEL)),
                Queue.builder("high").priority(1).shape(Shape.nodes(2, MODEL)));
        Guarantees guarantees = Guarantees.of(cluster, queues);
        assertThat(guarantees.shortfalls())
                .containsExactly(
                        new Guarantees.Shortfall("low", Shape.domains(1, "rack", 2, MODEL), 1, List.of("r0-1")));
        assertThat(nodes(guarantees, "high")).hasSize(2).doesNotContain("r0-1");
        assertThat(guarantees.regions("low", 1, node -> true)).isEmpty();
    }

    @Test
    void whatStays_mustLeaveWhatIsOwned() {
        Cluster cluster = racks(2, 2, 4);
        Guarantees guarantees =
                Guarantees.of(cluster, queues(Queue.builder("a").shape(Shape.domains(1, "rack", 2, MODEL))));
        assertThat(guarantees.mayStay(List.of(on("r0-0", 0), on("r0-1", 0)), cluster))
                .isTrue();
        assertThat(guarantees.mayStay(List.of(on("r0-0", 0), on("r1-1", 0)), cluster))
                .isFalse();
        guarantees.block(on("r0-0", 0), cluster);
        assertThat(guarantees.mayStay(List.of(on("r1-1", 0)), cluster)).isFalse();
        assertThat(nodes(guarantees, "a")).containsExactly("r1-0", "r1-1");
    }

    @Test
    void whatRunsAlready_isAdoptedIfThatTakesNothingFromOthers() {
        Cluster cluster = racks(2, 2, 4);
        Guarantees guarantees = Guarantees.of(
                cluster,
                queues(
                        Queue.builder("racks").shape(Shape.domains(1, "rack", 2, MODEL)),
                        Queue.builder("nodes").shape(Shape.nodes(2, MODEL))));
        assertThat(guarantees.adopt("nodes", List.of(on("r0-0", 0, 1)), cluster))
                .containsExactly(cell(Shape.NODE, "r0-0"));
        assertThat(guarantees.adopt("nodes", List.of(on("r1-0", 0)), cluster)).isEmpty();
        assertThat(guarantees.adopt("racks", List.of(on("r1-0", 0)), cluster)).containsExactly(cell("rack", "rack=r1"));
    }

    @Test
    void aGangInARack_isAdoptedThere_alsoIfItsQueueOwnsANodeToo() {
        Cluster cluster = racks(2, 2, 4);
        Guarantees guarantees = Guarantees.of(
                cluster,
                queues(Queue.builder("both").shape(Shape.nodes(1, MODEL)).shape(Shape.domains(1, "rack", 2, MODEL))));
        assertThat(guarantees.adopt("both", List.of(on("r0-0", 0), on("r0-1", 0)), cluster))
                .containsExactly(cell("rack", "rack=r0"));
        assertThat(guarantees.adopt("both", List.of(on("r1-0", 0)), cluster)).containsExactly(cell(Shape.NODE, "r1-0"));
    }

    @Test
    void whereTheSmallestCellWouldTakeTheLastRack_theRackIsAdopted() {
        Cluster cluster = racks(1, 2, 4);
        Guarantees guarantees = Guarantees.of(
                cluster,
                queues(Queue.builder("both").shape(Shape.gpus(1, 1, MODEL)).shape(Shape.domains(1, "rack", 2, MODEL))));
        assertThat(guarantees.adopt("both", List.of(on("r0-0", 0)), cluster)).containsExactly(cell("rack", "rack=r0"));
    }

    /** A job in a node that its queue uses already, and in another that would take the last rack from the other queue. */
    @Test
    void whatIsNotAdopted_leavesItsQueueWhatItUsesAlready() {
        Cluster cluster = racks(2, 2, 4);
        Guarantees guarantees = Guarantees.of(
                cluster,
                queues(
                        Queue.builder("racks").shape(Shape.domains(1, "rack", 2, MODEL)),
                        Queue.builder("nodes").shape(Shape.nodes(2, MODEL))));
        assertThat(guarantees.use("nodes", List.of(cell(Shape.NODE, "r0-0")))).isTrue();
        assertThat(guarantees.adopt("nodes", List.of(on("r0-0", 1), on("r1-0", 0)), cluster))
                .isEmpty();
        assertThat(nodes(guarantees, "racks")).containsExactly("r1-0", "r1-1");
        assertThat(guarantees.use("racks", List.of(cell("rack", "rack=r0")))).isFalse();
    }

    @Test
    void podsFindNoRoomAcrossBlocks_alsoNotAcrossThoseThatTheirQueueUses() {
        Guarantees guarantees =
                Guarantees.of(racks(1, 1, 4), queues(Queue.builder("blocks").shape(Shape.gpus(2, 2, MODEL))));
        List<Region> regions = guarantees.regions("blocks", 2, node -> true);
        assertThat(guarantees.use("blocks", regions.get(regions.size() - 1).cells(List.of(on("r0-0", 0, 2)))))
                .isTrue();
        assertThat(guarantees.regions("blocks", 2, node -> true)).hasSize(1);
        assertThat(guarantees.regions("blocks", 3, node -> true)).isEmpty();
    }
}
