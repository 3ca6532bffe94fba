package io.gpusched.kubernetes.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {
    private final SchedulingQueue<String> queue = new SchedulingQueue<>(Backoff.DEFAULT);

    private void put(String key, int priority, long created) {
        queue.put(key, new Rank(priority, created, key));
    }

    private List<String> drain(long now) {
        List<String> keys = new ArrayList<>();
        for (Optional<String> next = queue.poll(now); next.isPresent(); next = queue.poll(now)) {
            keys.add(next.get());
        }
        return keys;
    }

    @Test
    void higherPriority_thenOlder_thenName_comesFirst() {
        put("b", 0, 5);
        put("a", 0, 5);
        put("old", 0, 1);
        put("urgent", 10, 9);
        assertThat(drain(0)).containsExactly("urgent", "old", "a", "b");
    }

    @Test
    void aParkedEntry_waitsUntilItIsWoken_andForItsDelay() {
        put("a", 0, 0);
        queue.poll(0);
        queue.park("a", 0);
        assertThat(drain(100_000)).isEmpty();
        assertThat(queue.nextReadyAt()).isEmpty();

        queue.wake(500, key -> true);

        assertThat(drain(999)).isEmpty();
        assertThat(queue.nextReadyAt()).hasValue(1_000);
        assertThat(drain(1_000)).containsExactly("a");
    }

    @Test
    void anEntryThatNothingHelps_staysParked() {
        put("a", 0, 0);
        queue.poll(0);
        queue.park("a", 0);
        queue.wake(5_000, key -> key.equals("other"));
        assertThat(queue.parkedCount()).isEqualTo(1);
        assertThat(drain(100_000)).isEmpty();
    }

    @Test
    void whatIsReadyByATime_isReadyThen_orBeforeIfItWasToBe() {
        put("ready", 0, 0);
        queue.makeReadyBy("ready", 500);
        assertThat(drain(0)).containsExactly("ready");

        queue.park("ready", 0);
        queue.makeReadyBy("ready", 500);
        queue.makeReadyBy("ready", 700);
        queue.makeReadyBy("unknown", 1);
        assertThat(drain(499)).isEmpty();
        assertThat(drain(500)).containsExactly("ready");
    }

    @Test
    void theDelay_doublesWithEachAttempt() {
        put("a", 0, 0);
        long now = 0;
        for (long delay : List.of(1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L)) {
            assertThat(drain(now)).containsExactly("a");
            queue.delay("a", now);
            assertThat(drain(now + delay - 1)).isEmpty();
            now += delay;
        }
    }

    @Test
    void oneOfHigherPriority_thatWasWoken_isTriedBeforeOneOfLower_whateverItsDelay() {
        put("high", 5, 0);
        queue.poll(0);
        queue.park("high", 0);
        put("low", 0, 1);
        assertThat(drain(0)).as("nothing has helped it").containsExactly("low");
        put("next", 0, 2);
        queue.wake(0, key -> key.equals("high"));
        assertThat(queue.poll(0)).contains("high");
        queue.park("high", 0);
        assertThat(drain(0)).containsExactly("next");
    }

    @Test
    void oneThatWasWoken_waitsForItsDelay_whereNoOtherIsAboutToBeTried() {
        put("a", 5, 0);
        queue.poll(0);
        queue.park("a", 0);
        queue.wake(0, key -> true);
        assertThat(drain(999)).isEmpty();
        assertThat(drain(1_000)).containsExactly("a");
    }

    @Test
    void anEntryThatIsRemoved_neverComesBack() {
        put("a", 0, 0);
        put("b", 0, 0);
        queue.poll(0);
        queue.park("a", 0);
        queue.remove("a");
        queue.remove("b");
        queue.wake(10_000, key -> true);
        queue.park("a", 0);
        queue.delay("b", 0);
        queue.makeReady("a");
        assertThat(drain(100_000)).isEmpty();
        assertThat(queue.keys()).isEmpty();
    }

    @Test
    void anEntryThatChangesItself_isTriedAtOnce() {
        put("a", 0, 0);
        queue.poll(0);
        queue.park("a", 0);
        queue.makeReady("a");
        assertThat(drain(0)).containsExactly("a");
    }

    @Test
    void aNewRank_countsWhereverTheEntryWaits() {
        put("a", 0, 0);
        put("b", 0, 1);
        put("b", 5, 1);
        assertThat(drain(0)).containsExactly("b", "a");
        queue.delay("a", 0);
        queue.delay("b", 0);
        put("a", 9, 0);
        assertThat(drain(1_000)).containsExactly("a", "b");
    }

    @Test
    void putting_doesNotMakeAParkedEntryReady() {
        put("a", 0, 0);
        queue.poll(0);
        queue.park("a", 0);
        put("a", 0, 0);
        assertThat(drain(100_000)).isEmpty();
    }

    @Test
    void aBackoff_thatFalls_isRefused() {
        assertThatThrownBy(() -> new Backoff(10, 5)).hasMessageContaining("got 10 and 5 ms");
        assertThat(new Backoff(3, 7).afterMillis(1)).isEqualTo(3);
        assertThat(new Backoff(3, 7).afterMillis(2)).isEqualTo(6);
        assertThat(new Backoff(3, 7).afterMillis(3)).isEqualTo(7);
        assertThat(new Backoff(3, Long.MAX_VALUE / 2).afterMillis(1_000)).isPositive();
    }
}
