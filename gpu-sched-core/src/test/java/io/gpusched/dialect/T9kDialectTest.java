package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class T9kDialectTest {
    private static final T9kDialect T9K = T9kDialect.of();

    private static Node node(String name, String mode) {
        Map<String, String> labels = Map.of(
                T9kDialect.ACCELERATOR, "nvidia-gpu",
                T9kDialect.NODE_ALLOC_MODE, mode,
                GfdLabels.COUNT, "2",
                GfdLabels.MEMORY, "81559");
        return T9K.node(NodeManifest.of(name, labels, Map.of("cpu", "8", "memory", "64Gi")));
    }

    private static PodManifest pod(String... resourcesAndAmounts) {
        Map<String, String> limits = new java.util.TreeMap<>();
        for (int i = 0; i < resourcesAndAmounts.length; i += 2) {
            limits.put(resourcesAndAmounts[i], resourcesAndAmounts[i + 1]);
        }
        return PodManifest.of("pod", List.of(ContainerManifest.limits("main", limits)));
    }

    private static Placement place(PodManifest pod) {
        Cluster cluster = Cluster.of(List.of(node("sgn-1", "sgn"), node("xgn-1", "xgn")));
        return ((Placed) T9K.schedule(cluster, pod)).placement();
    }

    @Test
    void nodes_getModeAndTaintFromTheirLabel() {
        assertThat(node("n", "xgn").mode()).isEqualTo(NodeMode.EXCLUSIVE);
        assertThat(node("n", "xgn").taints()).containsExactly(T9kDialect.XGN_TAINT);
        assertThat(node("n", "sgn").mode()).isEqualTo(NodeMode.SHARED);
        assertThat(node("n", "sgn").taints()).isEmpty();
        assertThatThrownBy(() -> node("n", "zgn")).hasMessageContaining("[xgn, sgn, nvidia]", "\"zgn\"");
    }

    @Test
    void wholeGpus_goToXgnNodes_withTheirIds() {
        Placement placement = place(pod(T9kDialect.GPU, "2"));
        assertThat(placement.node()).isEqualTo("xgn-1");
        assertThat(T9K.write(pod(T9kDialect.GPU, "2"), node("xgn-1", "xgn"), placement)
                        .environment())
                .isEqualTo(Map.of("main", Map.of("NVIDIA_VISIBLE_DEVICES", "0,1")));
    }

    @Test
    void aPercentage_goesToSgnNodes_withItsPartOfMemory() {
        Placement placement = place(pod(T9kDialect.GPU_PERCENT, "30"));
        assertThat(placement.node()).isEqualTo("sgn-1");
        assertThat(T9kDialect.environment(placement.containers().get(0).gpus()))
                .isEqualTo(Map.of("NVIDIA_VISIBLE_DEVICES", "0", "T9K_GPU_PERCENT", "30", "T9K_GPU_MEMORY", "24467"));
    }

    @Test
    void aWholeNode_seesAllDevices() {
        Placement placement = place(pod(T9kDialect.GPU_NODE, "1"));
        assertThat(placement.node()).isEqualTo("xgn-1");
        assertThat(T9kDialect.environment(placement.containers().get(0).gpus()))
                .isEqualTo(Map.of("NVIDIA_VISIBLE_DEVICES", "all"));
    }

    @Test
    void aPodWithoutGpus_staysOffXgnNodes() {
        Cluster cluster = Cluster.of(List.of(node("xgn-1", "xgn")));
        assertThat(T9K.schedule(cluster, pod("cpu", "1")).isPlaced()).isFalse();
    }

    @Test
    void whatT9kForbids_isRefused() {
        assertThatThrownBy(() -> T9K.pod(pod(T9kDialect.GPU_PERCENT, "101"))).hasMessageContaining("1..100");
        assertThatThrownBy(() -> T9K.pod(pod(T9kDialect.GPU_PERCENT, "1.5"))).hasMessageContaining("whole number");
        assertThatThrownBy(() -> T9K.pod(pod(T9kDialect.GPU, "1", T9kDialect.GPU_PERCENT, "10")))
                .isInstanceOf(RefusedException.class);
        PodManifest two = PodManifest.of(
                "pod",
                List.of(
                        ContainerManifest.limits("a", Map.of(T9kDialect.GPU_NODE, "1")),
                        ContainerManifest.limits("b", Map.of(T9kDialect.GPU_NODE, "1"))));
        assertThatThrownBy(() -> T9K.pod(two)).hasMessageContaining("at most one container");
    }

    @ParameterizedTest
    @CsvSource({"3w, 1814400000", "2h45m, 9900000", "0, 0", "'', 0", "1y1ms, 31536000001"})
    void durations_areReadInFallingUnits(String text, long millis) {
        assertThat(T9kDuration.isValid(text)).isTrue();
        assertThat(T9kDuration.parseMillis(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"45m2h", "1.5h", "h", "-1h", "1h 2m", "00h1"})
    void otherDurations_areNot(String text) {
        assertThat(T9kDuration.isValid(text)).isFalse();
        assertThatThrownBy(() -> T9kDuration.parseMillis(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Map<String, BigDecimal> cpu(long amount) {
        return Map.of("cpu", BigDecimal.valueOf(amount));
    }

    private static Optional<List<String>> preempt(String queue) {
        Map<String, T9kQueue> queues = Map.of(
                "A", T9kQueue.of("A", 1).withQuota(cpu(200), cpu(150)),
                "B", T9kQueue.of("B", 1).withQuota(cpu(100), cpu(50)),
                "C", T9kQueue.of("C", 2).withQuota(cpu(50), cpu(50)),
                "D", T9kQueue.of("D", 2).withQuota(cpu(200), cpu(50)));
        List<T9kPreemption.Running> running = List.of(
                new T9kPreemption.Running("A1", "A", 1, cpu(50)),
                new T9kPreemption.Running("A2", "A", 1, cpu(50)),
                new T9kPreemption.Running("A3", "A", 0, cpu(50)),
                new T9kPreemption.Running("B1", "B", 0, cpu(50)),
                new T9kPreemption.Running("C1", "C", 0, cpu(50)),
                new T9kPreemption.Running("D1", "D", 0, cpu(50)));
        return new T9kPreemption(queues, running)
                .victims(queue, cpu(50), cpu(0))
                .map(victims ->
                        victims.stream().map(T9kPreemption.Running::name).toList());
    }

    @Test
    void onlyQueuesOfLowerPriorityLoseAPod_theLeastImportantFirst() {
        assertThat(preempt("B")).isEmpty();
        assertThat(preempt("C")).as("beyond its own quota").isEmpty();
        assertThat(preempt("D")).contains(List.of("A3"));
    }

    @Test
    void queues_admitWithinQuotaShapeAndWhileOpen() {
        T9kQueue queue = T9kQueue.of("q", 0).withQuota(cpu(40), cpu(38));
        assertThat(queue.refusal(cpu(2))).isEmpty();
        assertThat(queue.refusal(cpu(4)))
                .hasValueSatisfying(rule -> assertThat(rule).contains("40", "42"));
        assertThat(queue.withMaxShape(cpu(1)).refusal(cpu(2))).isPresent();
        assertThat(queue.withClosed(true).refusal(cpu(1)))
                .hasValueSatisfying(rule -> assertThat(rule).contains("closed"));
        assertThat(queue.mayUseNode(Map.of())).isTrue();
        assertThat(queue.mayBeUsed(false, Map.of())).isFalse();
        assertThat(queue.mayBeUsed(true, Map.of())).isTrue();
    }
}
