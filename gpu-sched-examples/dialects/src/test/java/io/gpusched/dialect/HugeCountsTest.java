package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.dialect.t9k.T9kDialect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Counts that no int holds are illegal values that are named, not overflows. */
class HugeCountsTest {
    private static final String HUGE = "9000000000000000000";

    private static final Map<String, String> SHARED = Map.of(T9kDialect.NODE_ALLOC_MODE, "sgn");

    private static NodeManifest node(String resource) {
        return NodeManifest.of("n1", Map.of(), Map.of(resource, HUGE));
    }

    @Test
    void aNodeWithTooManyGpus_isNamedWithTheField() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NanoGpuDialect.of(NanoGpuPolicy.BINPACK).node(node("nano-gpu/gpu-percent")))
                .withMessage("node \"n1\": nano-gpu/gpu-percent must be in 0..2147483647, got 90000000000000000");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.GIB).node(node("aliyun.com/gpu-count")))
                .withMessage("node \"n1\": aliyun.com/gpu-count must be in 0..2147483647, got " + HUGE);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        T9kDialect.of().node(NodeManifest.of("n1", SHARED, Map.of("tensorstack.dev/nvidia-gpu", HUGE))))
                .withMessage("node \"n1\": number of gpus must be in 0..2147483647, got " + HUGE);
    }

    @Test
    void aLabelThatIsNoNumber_isNamedWithTheNode() {
        NodeManifest labelled = NodeManifest.of(
                "n1", Map.of(T9kDialect.NODE_ALLOC_MODE, "sgn", "nvidia.com/gpu.count", "many"), Map.of());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> T9kDialect.of().node(labelled))
                .withMessageStartingWith("node \"n1\": label nvidia.com/gpu.count: quantity must be a number");
    }

    @Test
    void moreMemoryThanALongHolds_isRefused() {
        PodManifest pod = PodManifest.of(
                "p",
                List.of(ContainerManifest.limits(
                        "main", Map.of("tencent.com/vcuda-core", "50", "tencent.com/vcuda-memory", HUGE))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GaiaGpuDialect.of().pod(pod))
                .withMessageContaining("tencent.com/vcuda-memory must be at most 268435455 MiB");
    }
}
