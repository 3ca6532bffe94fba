package io.gpusched.conformance.t9k;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** T9k's documented rules of queues, decided by the cycle: the example of its page on policies, and what follows from it. */
class T9kCycleTest {
    private static Map<String, BigDecimal> cpu(long amount) {
        return Map.of("cpu", BigDecimal.valueOf(amount));
    }

    private static Map<String, ?> queue(int priority, int quota) {
        return Map.of("priority", priority, "quota", Map.of("requests", Map.of("cpu", quota)));
    }

    private static T9kCycle documented() {
        T9kCycle cycle = new T9kCycle();
        cycle.queue("A", queue(1, 200));
        cycle.queue("B", queue(1, 100));
        cycle.queue("C", queue(2, 50));
        cycle.queue("D", queue(2, 200));
        cycle.runs("A1", "A", 1, 0, cpu(50));
        cycle.runs("A2", "A", 1, 1, cpu(50));
        cycle.runs("A3", "A", 0, 2, cpu(50));
        cycle.runs("B1", "B", 0, 3, cpu(50));
        cycle.runs("C1", "C", 0, 4, cpu(50));
        cycle.runs("D1", "D", 0, 5, cpu(50));
        return cycle;
    }

    private static Plan asking(T9kCycle cycle, String queue) {
        cycle.waits("new", queue, 0, 9, cpu(50));
        return cycle.plan(cpu(300));
    }

    private static List<String> victims(Plan plan) {
        return plan.evictionsFor("new").stream().map(PlanStep.Evict::job).toList();
    }

    @Test
    void nobodyOfAQueueOfTheSamePriority_isEvicted() {
        assertThat(asking(documented(), "B").steps()).isEmpty();
    }

    @Test
    void aQueue_getsNothingBeyondItsQuota() {
        Plan plan = asking(documented(), "C");
        assertThat(plan.steps()).isEmpty();
        assertThat(plan.reason("new")).get().isInstanceOf(PendingReason.OverLimit.class);
    }

    @Test
    void aQueueOfHigherPriority_takesTheLeastImportantPod_ofTheQueueThatUsesMost() {
        assertThat(victims(asking(documented(), "D"))).containsExactly("A3");
    }

    @Test
    void aQueueThatIsNotPreemptible_losesNobody() {
        T9kCycle cycle = new T9kCycle();
        cycle.queue("low", Map.of("priority", 0, "preemptible", false));
        cycle.queue("high", queue(9, 300));
        cycle.runs("low-1", "low", 0, 0, cpu(300));
        assertThat(asking(cycle, "high").steps()).isEmpty();
    }

    @Test
    void withinAQueue_aGroupOfHigherPriority_takesThePlaceOfOneOfLower() {
        T9kCycle cycle = new T9kCycle();
        cycle.queue("q", queue(0, 300));
        cycle.runs("old", "q", 0, 0, cpu(300));
        cycle.waits("new", "q", 50, 9, cpu(50));
        assertThat(victims(cycle.plan(cpu(300)))).containsExactly("old");
    }
}
