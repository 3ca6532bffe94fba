package io.gpusched.manifests.view;

import static io.gpusched.manifests.view.BookObjects.bound;
import static io.gpusched.manifests.view.BookObjects.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Nodes of which the kubelet gives out fewer GPUs than their labels count. */
class AllocatableGpusTest {
    private final ClusterBook book = BookObjects.book("t9k");

    private static Node node(int allocatable) {
        Node node = Manifests.t9kNode("n1", "xgn", 8);
        node.getStatus().getAllocatable().put(T9kDialect.GPU, new Quantity("" + allocatable));
        return node;
    }

    private static void run(ClusterBook book, int gpu) {
        book.putPod(RunningPod.of(bound(Manifests.pod("p" + gpu, T9kDialect.GPU, "1"), "n1", whole("n1", gpu))));
    }

    private static long free(ClusterBook book) {
        NodeState state = book.cluster().node("n1").orElseThrow();
        return IntStream.range(0, state.gpuCount())
                .filter(gpu -> state.isIdle(gpu) && state.isHealthy(gpu))
                .count();
    }

    @Test
    void whoHoldsAGpu_keepsIt_andIsCounted() {
        book.putNode(node(8));
        run(book, 5);
        book.putNode(node(2));
        assertThat(free(book)).isOne();
        assertThat(book.troubles()).isEmpty();
        book.putNode(node(0));
        assertThat(free(book)).isZero();
        book.removePod(PodId.of("p5"));
        assertThat(free(book)).isZero();
        book.putNode(node(8));
        assertThat(free(book)).isEqualTo(8);
    }

    @Property(tries = 100)
    void neverMore_thanIsAllocatable_isHeldAndFreeTogether(
            @ForAll @IntRange(max = 8) int allocatable, @ForAll @IntRange(max = 255) int held, @ForAll boolean before) {
        ClusterBook one = BookObjects.book("t9k");
        one.putNode(node(before ? 8 : allocatable));
        for (int gpu = 0; gpu < 8; gpu++) {
            if ((held >>> gpu & 1) != 0) {
                run(one, gpu);
                one.cluster();
            }
        }
        one.putNode(node(allocatable));
        assertThat(free(one)).isEqualTo(Math.max(0, allocatable - Integer.bitCount(held)));
        for (int gpu = 0; gpu < 8; gpu++) {
            one.removePod(PodId.of("p" + gpu));
        }
        assertThat(free(one)).isEqualTo(allocatable);
    }
}
