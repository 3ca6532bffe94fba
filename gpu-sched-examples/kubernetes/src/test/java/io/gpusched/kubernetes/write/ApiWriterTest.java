package io.gpusched.kubernetes.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiWriterTest {
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:1")
                    .build())
            .build();
    private final AtomicBoolean mayWrite = new AtomicBoolean(true);
    private final ApiWriter writer = new ApiWriter(client, 2, mayWrite::get);
    private final List<String> written = new CopyOnWriteArrayList<>();

    private Write say(String words) {
        return () -> {
            written.add(words);
            return null;
        };
    }

    /** One that is under way until it is let go. */
    private CountDownLatch hold(Lane lane, Object key, @Nullable Write next) {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        writer.put(lane, key, 0, () -> {
            started.countDown();
            await(held);
            return next;
        });
        await(started);
        return held;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitIdle() {
        for (Lane lane : Lane.values()) {
            Await.until("nothing is left to write", () -> writer.size(lane) == 0);
        }
    }

    @Test
    void ofAnObject_onlyTheLatestValueIsWritten_afterTheOneThatIsUnderWay() {
        CountDownLatch held = hold(Lane.STATUSES, "pod", null);
        writer.put(Lane.STATUSES, "pod", 0, say("old"));
        writer.put(Lane.STATUSES, "pod", 0, say("new"));
        assertThat(writer.size(Lane.STATUSES)).isEqualTo(1);
        held.countDown();
        awaitIdle();
        assertThat(written).containsExactly("new");
    }

    @Test
    void aWriteOfSeveralRequests_endsWhereItIsReplacedOrForgotten() {
        CountDownLatch first = hold(Lane.EVICTIONS, "a", say("second of a"));
        CountDownLatch other = hold(Lane.EVICTIONS, "b", say("second of b"));
        CountDownLatch last = hold(Lane.EVICTIONS, "c", say("second of c"));
        writer.put(Lane.EVICTIONS, "a", 0, say("replaced"));
        writer.forget("b");
        List.of(first, other, last).forEach(CountDownLatch::countDown);
        awaitIdle();
        assertThat(written).containsExactlyInAnyOrder("replaced", "second of c");
    }

    /** The Lease may be renewed late; what was decided is neither lost nor written without it. */
    @Test
    void whatIsDueWhileThisProcessMayNotWrite_isWrittenOnceItMay_andEventsAtOnce() {
        mayWrite.set(false);
        writer.put(Lane.BINDINGS, "pod", 0, say("bound"));
        writer.put(Lane.EVENTS, "event", 0, say("event"));
        Await.until("the event is written", () -> !written.isEmpty());
        assertThat(written).containsExactly("event");
        assertThat(writer.size(Lane.BINDINGS)).isEqualTo(1);
        mayWrite.set(true);
        awaitIdle();
        assertThat(written).containsExactly("event", "bound");
    }

    @Test
    void aWriteWithoutAClearAnswer_isTriedAgain_andARefusedOneIsNot() {
        AtomicInteger attempts = new AtomicInteger();
        for (int code : new int[] {0, 429, 500, 403}) {
            writer.put(Lane.STATUSES, code, 0, () -> {
                if (attempts.incrementAndGet() > 0
                        && written.stream().filter(String.valueOf(code)::equals).count() < 2) {
                    written.add(String.valueOf(code));
                    throw new KubernetesClientException("no", code, null);
                }
                written.add("done " + code);
                return null;
            });
        }
        awaitIdle();
        assertThat(written)
                .containsExactlyInAnyOrder(
                        "0", "0", "done 0", "429", "429", "done 429", "500", "500", "done 500", "403");
    }

    /** A mistake of ours in one write must not keep others from being written. */
    @Test
    void aWriteThatBreaks_isRefused_andItsThreadGoesOn() {
        for (int i = 0; i < 20; i++) {
            writer.put(Lane.STATUSES, i, 0, () -> {
                throw new IllegalStateException("broken");
            });
        }
        writer.put(Lane.STATUSES, "good", 0, say("good"));
        awaitIdle();
        assertThat(written).containsExactly("good");
    }

    @Test
    void anObjectWithARate_isWrittenNoSooner_andThenWithItsLatestValue() {
        AtomicInteger value = new AtomicInteger();
        List<Long> times = new CopyOnWriteArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int count = i;
            writer.put(Lane.STATUSES, "group", 0, new Write() {
                @Override
                public @Nullable Write run() {
                    value.set(count);
                    times.add(System.nanoTime());
                    return null;
                }

                @Override
                public long pauseMillis() {
                    return 2_000;
                }
            });
            Await.until("the first is written", () -> value.get() > 0);
        }
        awaitIdle();
        assertThat(value).hasValue(3);
        assertThat(times).hasSize(2);
        assertThat(times.get(1) - times.get(0)).isGreaterThan(1_990_000_000);
    }

    @Test
    void aBurstOfEvents_delaysNoBinding() {
        List<CountDownLatch> events = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 4; i++) {
            events.add(hold(Lane.EVENTS, i, null));
        }
        for (int i = 4; i < 1_000; i++) {
            writer.put(Lane.EVENTS, i, 0, say("event"));
        }
        writer.put(Lane.BINDINGS, "pod", 0, say("bound"));
        Await.until("the pod is bound", () -> written.contains("bound"));
        assertThat(written).containsExactly("bound");
        events.forEach(CountDownLatch::countDown);
        awaitIdle();
        assertThat(written).hasSize(997);
    }

    @Test
    void onClose_whatIsDueIsWritten_andWhatIsDelayedIsNot() {
        CountDownLatch one = hold(Lane.BINDINGS, 1, null);
        CountDownLatch two = hold(Lane.BINDINGS, 2, null);
        writer.put(Lane.BINDINGS, "due", 0, say("due"));
        writer.put(Lane.STATUSES, "delayed", 60_000, say("delayed"));
        one.countDown();
        two.countDown();
        writer.close();
        writer.put(Lane.BINDINGS, "late", 0, say("late"));
        assertThat(written).containsExactly("due");
    }

    /** Whatever is put, forgotten, failing and replaced in whatever order: the last value of each object is what stays. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void afterAnyHistory_eachObjectHasItsLatestValue_andOneRequestAtATime(long seed) {
        Random random = new Random(seed);
        ConcurrentHashMap<Integer, Integer> values = new ConcurrentHashMap<>();
        ConcurrentHashMap<Integer, AtomicInteger> running = new ConcurrentHashMap<>();
        AtomicInteger together = new AtomicInteger();
        int[] last = new int[30];
        for (int i = 1; i <= 5_000; i++) {
            int key = random.nextInt(last.length);
            int value = i;
            boolean isUnlucky = random.nextInt(4) == 0;
            AtomicBoolean failed = new AtomicBoolean();
            last[key] = value;
            if (random.nextInt(5) == 0) {
                writer.forget(key);
            }
            writer.put(Lane.values()[key % 4], key, random.nextInt(3), () -> {
                AtomicInteger now = running.computeIfAbsent(key, any -> new AtomicInteger());
                together.accumulateAndGet(now.incrementAndGet(), Math::max);
                try {
                    if (isUnlucky && failed.compareAndSet(false, true)) {
                        throw new KubernetesClientException("no", 500, null);
                    }
                    values.put(key, value);
                } finally {
                    now.decrementAndGet();
                }
                return null;
            });
        }
        awaitIdle();
        assertThat(together).hasValue(1);
        for (int key = 0; key < last.length; key++) {
            assertThat(values).containsEntry(key, last[key]);
        }
    }

    @AfterEach
    void close() {
        writer.close();
        client.close();
    }
}
