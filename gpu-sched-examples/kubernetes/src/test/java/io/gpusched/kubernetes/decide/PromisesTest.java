package io.gpusched.kubernetes.decide;

import static io.gpusched.kubernetes.Manifests.annotated;
import static io.gpusched.kubernetes.Manifests.labelled;
import static io.gpusched.kubernetes.QueueObjects.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.TestClock;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.forecast.RunTime;
import io.gpusched.manifests.forecast.Start;
import io.gpusched.manifests.grant.PromiseRecord;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.queue.Backfill;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is told and promised, on a node of four GPUs, two of which are held until one o'clock. */
class PromisesTest {
    private static final int HOUR = 3_600;

    private final TestClock clock = TestClock.at("2026-05-01T12:00:00Z");
    private final FakeApi api = new FakeApi();
    private final Map<String, Start> told = new LinkedHashMap<>();
    private Backfill backfill = Backfill.PROMISED;
    private List<Change> changes = api.watch();
    private SchedulerState state = scheduler();
    private long now;
    private int slipped;

    private SchedulerState scheduler() {
        return new SchedulerState(
                new DialectSet(List.of(Dialects.find("t9k").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(1_000, 10_000),
                600_000,
                clock,
                QueueSettings.of(QueueVocabulary.GPU_SCHED)
                        .withBackfill(backfill)
                        .verifying());
    }

    private void restart() {
        changes = api.watch();
        state = scheduler();
        told.clear();
    }

    /** Decides and writes, as often as there is something to write; then a minute is over. */
    private void settle() {
        for (int i = 0; i < 20; i++) {
            now += 1_000;
            clock.pass(Duration.ofMillis(1));
            state.apply(List.copyOf(changes), now);
            changes.clear();
            Decisions decisions = state.decide(now);
            decisions.bindings().forEach(binding -> api.bind(binding).ifPresent(changes::add));
            decisions.starts().forEach(this::tell);
            if (changes.isEmpty()) {
                break;
            }
        }
        clock.pass(Duration.ofMinutes(1));
    }

    /** As {@code StartWriter} does. */
    private void tell(ToldStart start) {
        told.put(start.job().replaceFirst(".*[/ ]", ""), start.start());
        slipped += start.slips() ? 1 : 0;
        for (ToldStart.Member member : start.members()) {
            Pod pod = api.pods.get(member.pod().id().name());
            PodBuilder next = new PodBuilder(pod)
                    .editOrNewStatus()
                    .withConditions(new PodConditionBuilder()
                            .withType(PromiseRecord.CONDITION)
                            .withReason(
                                    start.start().certainty() == Start.Certainty.BOUND
                                            ? PromiseRecord.PROMISED
                                            : "Other")
                            .withMessage(start.start().toString())
                            .build())
                    .endStatus();
            member.promise()
                    .ifPresentOrElse(
                            text -> next.editMetadata()
                                    .addToAnnotations(PromiseRecord.ANNOTATION, text)
                                    .endMetadata(),
                            () -> next.editMetadata()
                                    .removeFromAnnotations(PromiseRecord.ANNOTATION)
                                    .endMetadata());
            if (!next.build().equals(pod)) {
                api.replace(next.build());
            }
        }
    }

    /** A pod that ends so many seconds after its start, its grace included; 0 for none. */
    private static Pod asking(String name, int gpus, long limit) {
        return new PodBuilder(Manifests.pod(name, T9kDialect.GPU, String.valueOf(gpus)))
                .editSpec()
                .withActiveDeadlineSeconds(limit == 0 ? null : Long.valueOf(limit - 30))
                .endSpec()
                .build();
    }

    private static Pod urgent(Pod pod) {
        pod.getSpec().setPriority(1_000);
        return pod;
    }

    private static Pod expected(Pod pod, String seconds) {
        return annotated(pod, RunTime.EXPECTED, seconds);
    }

    /** Two pods of two GPUs that start together. */
    private void createGang(long limit) {
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "gang");
        api.put(new GroupSpec(key, "u", 2, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
        for (int i = 0; i < 2; i++) {
            api.create(labelled(asking("gang-" + i, 2, limit), T9kDialect.GROUP_NAME, "gang"));
        }
    }

    private void start() {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        api.create(asking("runs", 2, HOUR));
        settle();
        createGang(HOUR);
        settle();
    }

    private boolean isBound(String name) {
        return api.pods.get(name).getSpec().getNodeName() != null;
    }

    private static final String BY_ONE = "2026-05-01T13:00:01Z at the latest on n1: waits for pod runs on n1 to end";

    @Test
    void aGroupThatWaitsForAPodWithADeadline_isPromisedItsStart_andTheRecordIsOnItsPods() {
        start();
        assertThat(told.get("gang")).hasToString(BY_ONE);
        assertThat(api.pods.get("gang-0").getMetadata().getAnnotations())
                .hasEntrySatisfying(
                        PromiseRecord.ANNOTATION, text -> assertThat(text).contains("n1-gpu-"));
    }

    @Test
    void aPromise_holdsOverARestart_howeverUrgentIsWhoComesMeanwhile() {
        start();
        api.create(urgent(asking("urgent", 4, HOUR)));
        restart();
        settle();
        assertThat(told.get("gang")).hasToString(BY_ONE);
        assertThat(told.get("urgent").toString()).startsWith("about 2026-05-01T14:00:01Z (estimate)");

        api.delete("runs");
        settle();
        assertThat(isBound("gang-0") && isBound("gang-1")).isTrue();
        assertThat(isBound("urgent")).isFalse();
    }

    /** The counterpart: without the record the urgent one would be first. */
    @Test
    void aPromiseThatTheStatusDoesNotTell_isNone() {
        start();
        for (String name : List.of("gang-0", "gang-1")) {
            api.replace(new PodBuilder(api.pods.get(name))
                    .editStatus()
                    .withConditions(List.of())
                    .endStatus()
                    .build());
        }
        api.create(urgent(asking("urgent", 4, HOUR)));
        restart();
        settle();
        assertThat(told.get("gang").at())
                .hasValueSatisfying(start -> assertThat(start).isAfter("2026-05-01T13:00:01Z"));
    }

    @Test
    void whoeverEndsBeforeAPromisedStart_starts_andWhoeverWouldDelayItDoesNot() {
        start();
        api.create(asking("late", 1, 2 * HOUR));
        api.create(asking("endless", 1, 0));
        api.create(asking("soon", 1, HOUR / 2));
        settle();
        assertThat(isBound("soon")).isTrue();
        assertThat(isBound("late") || isBound("endless")).isFalse();
        restart();
        settle();
        assertThat(isBound("late") || isBound("endless")).isFalse();
        assertThat(told.get("gang")).hasToString(BY_ONE);
    }

    @Test
    void whatAPodIsExpectedToRun_opensNoRoom_andMovesNoPromise() {
        start();
        api.create(expected(asking("liar", 1, 0), "60"));
        settle();
        assertThat(isBound("liar")).as("a claim is no limit").isFalse();

        api.replace(expected(api.pods.get("runs"), "60"));
        settle();
        assertThat(told.get("gang")).hasToString(BY_ONE);
    }

    @Test
    void whereNobodyHasALimit_theStartIsAnEstimateByWhatIsExpected_orUnknown() {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        api.create(asking("runs", 4, 0));
        settle();
        createGang(0);
        settle();
        assertThat(told.get("gang")).hasToString("unknown: no room even after the end of all pods whose end is known");
        api.replace(expected(api.pods.get("runs"), "7200"));
        settle();
        assertThat(told.get("gang"))
                .hasToString("about 2026-05-01T14:00:01Z (estimate) on n1: waits for pod runs on n1 to end");
        api.replace(expected(api.pods.get("runs"), "two hours"));
        settle();
        assertThat(told.get("gang").certainty()).isEqualTo(Start.Certainty.UNKNOWN);
    }

    @Test
    void whoeverIsBehindTheLimitOfItsQueue_isToldSo() {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        changes.add(new Change.QueuePut(QueueVocabulary.GPU_SCHED.read(queue(
                QueueVocabulary.GPU_SCHED, "small", Map.of("resources", Map.of("gpu", Map.of("limit", 1)))))));
        api.create(labelled(asking("two", 2, HOUR), QueueVocabulary.QUEUE, "small"));
        settle();
        assertThat(told.get("two"))
                .hasToString("unknown: queue \"small\" would exceed its limit of 1 GPU: uses 0 GPUs, asked 2 GPUs");
    }

    @Test
    void aPromise_isTakenBackByAWordOnceTheGroupCannotStartAsItIs() {
        start();
        api.delete("gang-1");
        settle();
        assertThat(told.get("gang").toString()).startsWith("unknown: PodGroup \"default/gang\": minimum is 2");
        assertThat(api.pods.get("gang-0").getMetadata().getAnnotations()).doesNotContainKey(PromiseRecord.ANNOTATION);
    }

    @Test
    void aPodThatComesLater_joinsItsGroupOnlyIfItEndsWithIt() {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "grows");
        api.put(new GroupSpec(key, "u", 1, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
        api.create(labelled(asking("grows-0", 1, HOUR), T9kDialect.GROUP_NAME, "grows"));
        settle();
        api.create(labelled(asking("grows-1", 1, HOUR), T9kDialect.GROUP_NAME, "grows"));
        api.create(labelled(asking("grows-2", 1, HOUR / 2), T9kDialect.GROUP_NAME, "grows"));
        settle();
        assertThat(isBound("grows-2")).isTrue();
        assertThat(isBound("grows-1")).isFalse();
    }

    @Test
    void aPromisedPlaceOnANodeThatIsClosed_isGivenUp_andNobodyIsBoundThere() {
        start();
        api.put(new io.fabric8.kubernetes.api.model.NodeBuilder(api.nodes.get("n1"))
                .editSpec()
                .withUnschedulable(true)
                .endSpec()
                .build());
        api.delete("runs");
        settle();
        assertThat(isBound("gang-0")).isFalse();
        assertThat(told.get("gang").certainty()).isEqualTo(Start.Certainty.UNKNOWN);
        assertThat(slipped).isEqualTo(1);
    }

    @Test
    void whereSomebodyOutlastsHisLimit_thePromiseSlips_andIsToldAsAnEstimate_untilHeHasEnded() {
        start();
        clock.pass(Duration.ofHours(1));
        api.relabel("runs");
        settle();
        assertThat(told.get("gang").certainty()).isEqualTo(Start.Certainty.ESTIMATE);
        assertThat(api.pods.get("gang-0").getMetadata().getAnnotations()).doesNotContainKey(PromiseRecord.ANNOTATION);
        assertThat(slipped).isEqualTo(1);
        api.delete("runs");
        settle();
        assertThat(isBound("gang-0") && isBound("gang-1")).isTrue();
        assertThat(slipped).as("what slipped is counted once").isEqualTo(1);
    }

    @Test
    void aPromise_movesEarlierWhenSomebodyEndsBefore_andOneOfItsMembersThatComesAgainIsPromisedToo() {
        start();
        api.create(asking("soon", 2, HOUR / 2));
        settle();
        assertThat(isBound("soon")).isTrue();
        api.delete("gang-1");
        settle();
        api.create(labelled(asking("gang-2", 2, HOUR), T9kDialect.GROUP_NAME, "gang"));
        settle();
        assertThat(told.get("gang")).hasToString(BY_ONE);
        api.delete("runs");
        settle();
        assertThat(told.get("gang").toString()).startsWith("2026-05-01T12:3").contains("waits for pod soon on n1");
        assertThat(slipped).isZero();
    }

    @Test
    void withConservative_aPodByItselfKeepsItsStartToo() {
        backfill = Backfill.CONSERVATIVE;
        restart();
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        api.create(asking("runs", 2, HOUR));
        settle();
        api.create(asking("waits", 4, HOUR));
        settle();
        api.create(urgent(asking("urgent", 4, HOUR)));
        restart();
        settle();
        assertThat(told.get("waits")).hasToString(BY_ONE);
        assertThat(told.get("urgent").toString())
                .isEqualTo("2026-05-01T14:00:01Z at the latest on n1: waits for pod waits to end");
    }

    @Test
    void noPromiseIsBroken_whoeverComes_whateverIsClaimed_andHoweverOftenTheSchedulerIsKilled() {
        int promises = 0;
        for (long seed = 0; seed < 8; seed++) {
            promises += new PromisesTest().play(seed);
        }
        assertThat(promises).as("groups that were promised a start").isGreaterThan(20);
    }

    /** Pods and groups come for two hours, all of them end within their limits; returns how many were promised a start. */
    private int play(long seed) {
        Random random = new Random(seed);
        Map<String, Instant> ends = new HashMap<>();
        Map<String, Instant> promised = new HashMap<>();
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        api.put(Manifests.t9kNode("n2", "xgn", 4));
        for (int minute = 0; minute < 3_000 && (minute < 120 || !api.pods.isEmpty()); minute++) {
            if (minute < 120 && random.nextInt(5) == 0) {
                createAny(random, minute);
            }
            if (random.nextInt(10) == 0) {
                restart();
            }
            settle();
            told.forEach((name, start) -> {
                Instant before = promised.get(name);
                if (before != null && !isBound(name + "-0")) {
                    assertThat(start.certainty()).as("seed %d: %s", seed, start).isEqualTo(Start.Certainty.BOUND);
                    assertThat(start.at())
                            .as("seed %d: %s, told %s", seed, name, before)
                            .hasValueSatisfying(at -> assertThat(at).isBeforeOrEqualTo(before));
                }
                if (start.certainty() == Start.Certainty.BOUND) {
                    promised.put(name, start.at().orElseThrow());
                }
            });
            told.clear();
            for (String name : List.copyOf(api.pods.keySet())) {
                if (isBound(name)) {
                    ends.computeIfAbsent(
                            name, any -> clock.instant().plusSeconds(60L * random.nextInt(limit(name) / 60)));
                }
                if (ends.containsKey(name) && !ends.get(name).isAfter(clock.instant())) {
                    api.delete(name);
                }
            }
            promised.forEach((name, at) -> {
                if (api.pods.containsKey(name + "-0") && !isBound(name + "-0")) {
                    assertThat(clock.instant()).as("seed %d: %s", seed, name).isBefore(at.plusSeconds(120));
                }
            });
        }
        assertThat(api.pods.keySet()).as("seed %d", seed).isEmpty();
        assertThat(slipped).as("seed %d", seed).isZero();
        return promised.size();
    }

    /** How long a pod may run until two minutes before its limit, in seconds. */
    private int limit(String name) {
        Long deadline = api.pods.get(name).getSpec().getActiveDeadlineSeconds();
        return deadline == null ? 2 * HOUR : Math.toIntExact(deadline - 90);
    }

    private void createAny(Random random, int number) {
        int limit = random.nextInt(4) == 0 ? 0 : 600 * (1 + random.nextInt(12));
        if (random.nextInt(2) == 0) {
            String name = "g" + number;
            GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", name);
            api.put(new GroupSpec(key, "u", 2, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
            int gpus = 1 + random.nextInt(4);
            for (int i = 0; i < 2; i++) {
                api.create(labelled(asking(name + "-" + i, gpus, limit), T9kDialect.GROUP_NAME, name));
            }
            return;
        }
        Pod pod = asking("p" + number, 1 + random.nextInt(4), limit);
        if (random.nextInt(2) == 0) {
            pod.getSpec().setPriority(1_000);
            pod.getSpec().setPreemptionPolicy("Never");
        }
        api.create(random.nextInt(2) == 0 ? expected(pod, String.valueOf(60 * (1 + random.nextInt(100)))) : pod);
    }

    @Test
    void withAnyone_nothingIsTold() {
        backfill = Backfill.ANYONE;
        restart();
        start();
        assertThat(told).isEmpty();
    }
}
