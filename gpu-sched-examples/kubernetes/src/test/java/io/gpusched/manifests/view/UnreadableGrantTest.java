package io.gpusched.manifests.view;

import static io.gpusched.manifests.view.BookObjects.bound;
import static io.gpusched.manifests.view.BookObjects.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one pod that nobody can read takes from others: at most what it asks for. */
class UnreadableGrantTest {
    private static final String RUBBISH = "}{";

    private static NodeState state(ClusterBook book) {
        return book.cluster().node("n1").orElseThrow();
    }

    private static void run(ClusterBook book, Pod pod, String grant) {
        book.putPod(RunningPod.of(bound(pod, "n1", grant)));
    }

    @ParameterizedTest
    @CsvSource({
        "xgn, tensorstack.dev/nvidia-gpu, 3, 3",
        "xgn, tensorstack.dev/nvidia-gpu, 300, 8",
        "xgn, tensorstack.dev/nvidia-gpu-node, 1, 8",
        "sgn, tensorstack.dev/nvidia-gpu-percent, 30, 1",
        "sgn, tensorstack.dev/nvidia-gpu-percent, 130, 2",
        "xgn, nvidia.com/gpu, 2, 2",
        "xgn, nvidia.com/gpumem, 3000, 1",
        "xgn, nano-gpu/gpu-percent, 250, 3",
        "xgn, example.com/other, 5, 0",
    })
    void asManyGpus_asThePodCouldHold_areSetAside(String mode, String resource, String amount, int gpus) {
        ClusterBook book = BookObjects.book("t9k");
        book.putNode(Manifests.t9kNode("n1", mode, 8));
        run(book, Manifests.pod("p", resource, amount), RUBBISH);
        assertThat(state(book).idleGpus()).isEqualTo(8 - gpus);
        assertThat(state(book).isHealthy()).isTrue();
    }

    @Test
    void aPodThatCannotBeRead_keepsNoMoreThanItAsksFor() {
        ClusterBook book = BookObjects.book("t9k");
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Pod pod = Manifests.pod("p", Map.of(T9kDialect.GPU, "1", "cpu", "9e30"));
        run(book, pod, RUBBISH);
        assertThat(state(book).idleGpus()).isEqualTo(3);
    }

    /** A pod may be created with a grant of its own making. */
    @Test
    void aGrantOfMoreThanThePodAsksFor_isNotBelieved() {
        ClusterBook book = BookObjects.book("t9k");
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        run(book, Manifests.pod("p", T9kDialect.GPU, "1"), whole("n1", 0, 1, 2, 3));
        assertThat(state(book).idleGpus()).isEqualTo(3);
        assertThat(book.troubles().toString()).contains("asks for 1 whole GPU, the grant names 4");
    }

    @Test
    void ofAGpuThatOthersShare_whatTheyLeave_isSetAside() {
        ClusterBook book = BookObjects.book("t9k");
        book.putNode(Manifests.t9kNode("n1", "sgn", 1));
        String share = "{\"version\":1,\"node\":\"n1\",\"containers\":{\"main\":{\"shares\":[{\"gpu\":\"n1-gpu-0\","
                + "\"computeMillis\":300,\"memoryMib\":7372,\"slots\":1}]}}}";
        run(book, Manifests.pod("a", T9kDialect.GPU_PERCENT, "30"), share);
        run(book, Manifests.pod("b", T9kDialect.GPU_PERCENT, "10"), RUBBISH);
        assertThat(state(book).freeMemoryMib(0)).isZero();
        book.removePod(PodId.of("b"));
        assertThat(state(book).freeMemoryMib(0)).isEqualTo(24_576 - 7_372);
        assertThat(book.setAside()).isEmpty();
    }

    /** Whoever comes past the scheduler, and whatever he claims: the others keep theirs, and the rest is given out. */
    @Property(tries = 200)
    void badPods_takeAtMostWhatTheyAskFor(
            @ForAll @IntRange(max = 4) int granted,
            @ForAll @IntRange(min = 1, max = 3) int bad,
            @ForAll boolean conflict) {
        ClusterBook book = BookObjects.book("t9k");
        book.putNode(Manifests.t9kNode("n1", "xgn", 8));
        for (int g = 0; g < granted; g++) {
            run(book, Manifests.pod("good-" + g, T9kDialect.GPU, "1"), whole("n1", g));
        }
        for (int b = 0; b < bad; b++) {
            run(book, Manifests.pod("bad-" + b, T9kDialect.GPU, "1"), conflict ? whole("n1", 0) : RUBBISH);
        }
        assertThat(state(book).idleGpus()).isGreaterThanOrEqualTo(8 - granted - bad);
        for (int g = 0; g < granted; g++) {
            assertThat(state(book).isWhole(g)).isTrue();
        }
        assertThat(state(book).podCount()).isEqualTo(granted + bad);
        book.cluster().validate();
    }
}
