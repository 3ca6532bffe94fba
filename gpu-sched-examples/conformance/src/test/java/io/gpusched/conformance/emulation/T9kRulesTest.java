package io.gpusched.conformance.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues, preemption and durations of T9k. */
class T9kRulesTest {
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
