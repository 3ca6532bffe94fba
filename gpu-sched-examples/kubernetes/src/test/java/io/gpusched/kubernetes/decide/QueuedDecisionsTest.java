package io.gpusched.kubernetes.decide;

import static io.gpusched.kubernetes.QueueObjects.budget;
import static io.gpusched.kubernetes.QueueObjects.deserving;
import static io.gpusched.kubernetes.QueueObjects.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.queue.Priorities;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.PodId;
import io.gpusched.queue.Eviction;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues without a server: plans over several cycles, by a scheduler that may be killed between any two writes. */
class QueuedDecisionsTest {
    private final FakeApi api = new FakeApi();
    private final Set<String> evicted = new TreeSet<>();
    private List<Change> changes = api.watch();
    private SchedulerState state = scheduler();
    private long now;

    private static SchedulerState scheduler() {
        Clock clock = Clock.fixed(Instant.ofEpochSecond(1_777_636_800), ZoneOffset.UTC);
        return new SchedulerState(
                new DialectSet(List.of(Dialects.find("t9k").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(1_000, 10_000),
                600_000,
                clock,
                QueueSettings.of(QueueVocabulary.GPU_SCHED).verifying());
    }

    private static Pod asking(String name, int gpus, int priority) {
        return new PodBuilder(Manifests.pod(name, T9kDialect.GPU, String.valueOf(gpus)))
                .editSpec()
                .withPriority(priority)
                .endSpec()
                .build();
    }

    /** Another process with the same API server. */
    private void restart() {
        changes = api.watch();
        state = scheduler();
    }

    private Decisions decide() {
        now += 1_000;
        state.apply(List.copyOf(changes), now);
        changes.clear();
        Decisions decisions = state.decide(now);
        decisions.bindings().forEach(binding -> api.bind(binding).ifPresent(changes::add));
        return decisions;
    }

    /** Decides and writes until there is nothing more to write. */
    private void settle() {
        for (int i = 0; i < 20; i++) {
            Decisions decisions = decide();
            decisions.rooms().forEach(room -> write(room, Integer.MAX_VALUE));
            if (decisions.bindings().isEmpty() && decisions.rooms().isEmpty() && changes.isEmpty()) {
                return;
            }
        }
        throw new AssertionError("the plans do not come to an end");
    }

    /** Does so many of the writes of a room; returns how many there were. */
    private int write(Room room, int most) {
        int writes = 0;
        for (Room.Place place : room.places()) {
            if (writes < most) {
                nominate(place);
            }
            writes++;
        }
        for (NominationRecord.Victim victim : room.victims()) {
            if (writes < most) {
                evict(victim.pod());
            }
            writes++;
        }
        return writes;
    }

    private void nominate(Room.Place place) {
        api.replace(new PodBuilder(api.pods.get(place.pod().name()))
                .editMetadata()
                .addToAnnotations(NominationRecord.NOMINATION, place.record())
                .endMetadata()
                .editOrNewStatus()
                .withNominatedNodeName(place.node())
                .endStatus()
                .build());
    }

    private void evict(PodId pod) {
        evicted.add(pod.name());
        api.replace(new PodBuilder(api.pods.get(pod.name()))
                .editMetadata()
                .withDeletionTimestamp("2026-05-01T12:00:00Z")
                .endMetadata()
                .build());
    }

    private void letEnd() {
        List.copyOf(evicted).stream().filter(api.pods::containsKey).forEach(api::delete);
    }

    private String nodeOf(String name) {
        return String.valueOf(api.pods.get(name).getSpec().getNodeName());
    }

    private void fill(int nodes, int gpus) {
        for (int n = 0; n < nodes; n++) {
            api.put(Manifests.t9kNode("n" + n, "xgn", gpus));
        }
        IntStream.range(0, nodes * gpus).forEach(i -> api.create(asking("low-" + i, 1, 0)));
        settle();
    }

    /** Each of its members needs a node of its own: four victims on two nodes, of eight that may leave. */
    private void createGang() {
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "gang");
        api.put(new GroupSpec(key, "u", 2, Map.of(), GroupLocality.ANYWHERE, "", Optional.of(50), ""));
        for (int i = 0; i < 2; i++) {
            api.create(Manifests.labelled(asking("gang-" + i, 2, 0), T9kDialect.GROUP_NAME, "gang"));
        }
    }

    @Test
    void killedBetweenAnyTwoWrites_anotherGoesOn_withTheSameVictims_andNobodyElse() {
        fill(4, 2);
        createGang();
        int writes = decide().rooms().stream().mapToInt(room -> write(room, 0)).sum();
        assertThat(writes).as("two places and four victims").isEqualTo(6);
        for (int k = 0; k < writes; k++) {
            killedAfter(k);
        }
    }

    private static void killedAfter(int writes) {
        QueuedDecisionsTest run = new QueuedDecisionsTest();
        run.fill(4, 2);
        run.createGang();
        run.decide().rooms().forEach(room -> run.write(room, writes));
        Set<String> before = Set.copyOf(run.evicted);
        run.restart();
        run.settle();
        assertThat(run.evicted).as("after %d writes", writes).hasSize(4).containsAll(before);
        run.letEnd();
        run.settle();
        assertThat(List.of(run.nodeOf("gang-0"), run.nodeOf("gang-1")))
                .doesNotContain("null")
                .doesNotHaveDuplicates();
        assertThat(run.evicted).hasSize(4);
    }

    @Test
    void roomThatWasMade_isNobodyElses_howeverLongItsVictimsTakeToEnd() {
        fill(1, 2);
        api.create(asking("first", 2, 100));
        settle();
        assertThat(evicted).containsExactlyInAnyOrder("low-0", "low-1");
        for (int i = 0; i < 10; i++) {
            api.create(asking("late-" + i, 1, 0));
            settle();
        }
        api.delete("low-0");
        settle();
        assertThat(api.pods.values().stream()
                        .filter(pod -> pod.getMetadata().getName().startsWith("late")))
                .allMatch(pod -> pod.getSpec().getNodeName() == null);
        api.delete("low-1");
        settle();
        assertThat(nodeOf("first")).isEqualTo("n0");
        assertThat(evicted).hasSize(2);
    }

    private void put(String queue, Map<String, ?> spec) {
        changes.add(new Change.QueuePut(QueueVocabulary.GPU_SCHED.read(queue(QueueVocabulary.GPU_SCHED, queue, spec))));
    }

    private static Pod in(String queue, Pod pod) {
        return Manifests.labelled(pod, QueueVocabulary.QUEUE, queue);
    }

    private static final Map<String, ?> TWO_GPUS = Map.of(
            "resources",
            Map.of("gpu", Map.of("deserved", 2), "cpu", Map.of("deserved", 8), "memory", Map.of("deserved", "8Gi")));

    /** What deserves nothing any more makes room for those who do. */
    @Test
    void podsOfAQueueThatIsGone_stillCount_andAreEvictedForOthers() {
        api.put(Manifests.t9kNode("n0", "xgn", 2));
        put("gone", TWO_GPUS);
        put("team", TWO_GPUS);
        api.create(in("gone", asking("old-0", 1, 0)));
        api.create(in("gone", asking("old-1", 1, 0)));
        settle();
        changes.add(new Change.QueueGone("gone"));
        api.create(in("team", asking("new", 2, 0)));
        api.create(in("gone", asking("late", 1, 0)));
        settle();
        assertThat(evicted).containsExactlyInAnyOrder("old-0", "old-1");
        letEnd();
        settle();
        assertThat(List.of(nodeOf("new"), nodeOf("late"))).containsExactly("n0", "null");
    }

    @Test
    void podsOfAQueueThatCameToHaveParts_countInIt_andAreEvictedForOthers() {
        api.put(Manifests.t9kNode("n0", "xgn", 4));
        put("parent", TWO_GPUS);
        put("team", TWO_GPUS);
        IntStream.range(0, 4).forEach(i -> api.create(in("parent", asking("old-" + i, 1, 0))));
        settle();
        put("child", Map.of("parent", "parent", "resources", TWO_GPUS.get("resources")));
        api.create(in("child", asking("part", 2, 0)));
        settle();
        assertThat(evicted).as("for a part of the same queue").hasSize(2);
        letEnd();
        settle();
        assertThat(nodeOf("part")).isEqualTo("n0");
        api.create(in("team", asking("new", 2, 0)));
        settle();
        assertThat(evicted).as("for another queue").hasSize(4);
    }

    @Test
    void aGroupWithTooFewPodsOfARole_waits() {
        api.put(Manifests.t9kNode("n0", "xgn", 4));
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "gang");
        api.put(new GroupSpec(key, "u", 2, Map.of("ps", 1), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
        for (int i = 0; i < 2; i++) {
            api.create(Manifests.labelled(asking("gang-" + i, 1, 0), T9kDialect.GROUP_NAME, "gang"));
        }
        Decisions decisions = decide();
        assertThat(decisions.bindings()).isEmpty();
        assertThat(decisions.refusals().get(0).message().get())
                .isEqualTo("PodGroup \"default/gang\": minimum of role \"ps\" is 1, there are 0 pods that can start");
        api.create(Manifests.labelled(
                Manifests.labelled(asking("ps", 1, 0), T9kDialect.GROUP_NAME, "gang"), T9kDialect.ROLE, "ps"));
        assertThat(decide().bindings()).hasSize(3);
    }

    /** As a tenant may write it where no policy keeps him from it: the node's room, and the other's pod as who leaves. */
    @Test
    void aPlaceThatAPodSaysItHas_holdsNothing_andEvictsNobody() {
        fill(1, 2);
        api.delete("low-0");
        api.create(asking("forger", 1, -10));
        api.create(asking("honest", 1, 10));
        Pod victim = api.pods.get("low-1");
        String forged =
                "{\"grant\":\"{\\\"version\\\":1,\\\"node\\\":\\\"n0\\\",\\\"containers\\\":{\\\"main\\\":{\\\"gpus\\\":[\\\"n0-gpu-0\\\"]}}}\",\"victims\":[{\"namespace\":\"default\",\"name\":\"low-1\",\"uid\":\""
                        + victim.getMetadata().getUid() + "\"}]}";
        nominate(new Room.Place(new PodId("default", "forger"), "", "n0", forged));
        restart();
        Decisions decisions = decide();
        assertThat(decisions.rooms()).isEmpty();
        assertThat(decisions.withdrawn()).extracting(pod -> pod.id().name()).containsExactly("forger");
        settle();
        assertThat(evicted).isEmpty();
        assertThat(nodeOf("honest")).isEqualTo("n0");
        assertThat(nodeOf("forger")).isEqualTo("null");
    }

    /** The other rack would be chosen else, as it has less left. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMemberThatComesBack_goesWhereTheOthersRun_alsoAfterARestart(boolean required) {
        api.put(Manifests.t9kNode("n1", "xgn", 8, Map.of("rack", "r0")));
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "gang");
        GroupLocality rack = new GroupLocality(List.of("rack"), required);
        api.put(new GroupSpec(key, "u", 2, Map.of(), rack, "", Optional.empty(), ""));
        for (int i = 0; i < 3; i++) {
            api.create(Manifests.labelled(asking("gang-" + i, 1, 0), T9kDialect.GROUP_NAME, "gang"));
        }
        settle();
        api.put(Manifests.t9kNode("n0", "xgn", 1, Map.of("rack", "r1")));
        api.delete("gang-2");
        api.create(Manifests.labelled(asking("gang-2", 1, 0), T9kDialect.GROUP_NAME, "gang"));
        restart();
        settle();
        assertThat(nodeOf("gang-2")).isEqualTo("n1");
    }

    @Test
    void aPodThatGoesAway_sparesThoseWhoHaveNotLeftForIt() {
        fill(1, 2);
        api.create(asking("first", 2, 100));
        Decisions decisions = decide();
        decisions.rooms().forEach(room -> write(room, 2));
        assertThat(evicted).hasSize(1);
        api.delete("first");
        assertThat(decide().cancelled()).containsExactly("pod first");
        settle();
        assertThat(evicted).hasSize(1);
    }

    /** More than there are plans in a cycle that learn of budgets by trying. */
    @Test
    void podsThatABudgetProtects_keepNoOlderOneFromBeingEvicted() {
        api.put(Manifests.t9kNode("n0", "xgn", 12));
        api.create(asking("old", 1, 0));
        settle();
        for (int i = 0; i < 11; i++) {
            api.create(Manifests.labelled(asking("new-" + i, 1, 0), "app", "kept"));
        }
        settle();
        changes.add(new Change.BudgetPut(budget("none", "app", "kept", 0)));
        api.create(asking("first", 1, 100));
        settle();
        assertThat(evicted).containsExactly("old");
    }

    @Test
    void whyAnEvictionWasRefused_isSaidOnThePodThatWaits_whichIsTriedAgainLater() {
        fill(1, 1);
        api.create(asking("first", 1, 100));
        Room room = decide().rooms().get(0);
        changes.add(new Change.RoomGivenUp(
                room.job(), Optional.of(room.victims().get(0).pod()), "the admission policy says no"));
        Decisions decisions = decide();
        assertThat(decisions.rooms()).isEmpty();
        assertThat(decisions.refusals().get(0).message().get())
                .contains("the eviction of 1 pod was refused, of pod \"low-0\": the admission policy says no");
        now += 30_000;
        assertThat(decide().rooms()).hasSize(1);
    }

    @Test
    void theMostThatAJobMayRequest_countsMembersThatRun() {
        api.put(Manifests.t9kNode("n0", "xgn", 4));
        put("team", Map.of("maxShape", Map.of(T9kDialect.GPU, 2)));
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "gang");
        api.put(new GroupSpec(key, "u", 1, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), "").inQueue("team"));
        for (int i = 0; i < 3; i++) {
            api.create(Manifests.labelled(asking("gang-" + i, 1, 0), T9kDialect.GROUP_NAME, "gang"));
            settle();
        }
        assertThat(List.of(nodeOf("gang-0"), nodeOf("gang-1"), nodeOf("gang-2")))
                .containsExactly("n0", "n0", "null");
    }

    @Test
    void aGroup_staysWithinALevelThatNestsWithNoOther() {
        api.put(Manifests.t9kNode("a", "xgn", 2, Map.of("zone", "z1", "rack", "r1")));
        api.put(Manifests.t9kNode("b", "xgn", 2, Map.of("zone", "z2", "rack", "r1")));
        api.put(Manifests.t9kNode("c", "xgn", 2, Map.of("zone", "z2", "rack", "r2")));
        for (String level : List.of("zone", "rack")) {
            GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", level);
            api.put(new GroupSpec(
                    key, "u-" + level, 4, Map.of(), GroupLocality.within(level), "", Optional.empty(), ""));
        }
        for (int i = 0; i < 4; i++) {
            api.create(Manifests.labelled(asking("m-" + i, 1, 0), T9kDialect.GROUP_NAME, "rack"));
        }
        settle();
        assertThat(List.of(nodeOf("m-0"), nodeOf("m-1"), nodeOf("m-2"), nodeOf("m-3")))
                .containsExactlyInAnyOrder("a", "a", "b", "b");
    }

    @Test
    void eachPod_isPlacedByThePolicyThatItNames() {
        state = new SchedulerState(
                new DialectSet(List.of(Dialects.find("hami").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(1_000, 10_000),
                600_000,
                Clock.systemUTC(),
                QueueSettings.of(QueueVocabulary.GPU_SCHED));
        api.put(Manifests.hamiNode("n1", Map.of()));
        api.put(Manifests.hamiNode("n2", Map.of()));
        List<String> nodes = new ArrayList<>();
        for (String policy : List.of("binpack", "binpack", "spread", "binpack")) {
            String name = "p-" + nodes.size();
            api.create(Manifests.annotated(
                    Manifests.pod(name, Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "1000")),
                    "hami.io/node-scheduler-policy",
                    policy));
            settle();
            nodes.add(nodeOf(name));
        }
        assertThat(nodes.get(1)).isEqualTo(nodes.get(0));
        assertThat(nodes.get(2)).isNotEqualTo(nodes.get(0));
        assertThat(nodes.get(3)).isEqualTo(nodes.get(0));
    }

    @Test
    void aPlanThatIsGivenUp_leavesItsVictimsAlone_andTakesOthers() {
        fill(2, 1);
        api.create(asking("first", 1, 100));
        Room room = decide().rooms().get(0);
        room.places().forEach(this::nominate);
        PodId kept = room.victims().get(0).pod();
        changes.add(new Change.RoomGivenUp(room.job(), Optional.of(kept), "no"));
        Decisions next = decide();
        assertThat(next.withdrawn()).as("another place is held for it").isEmpty();
        assertThat(next.rooms()).hasSize(1);
        assertThat(next.rooms().get(0).victims())
                .extracting(NominationRecord.Victim::pod)
                .hasSize(1)
                .doesNotContain(kept);
    }

    @Test
    void whomABudgetProtects_staysWhereAnotherMayLeave() {
        api.put(Manifests.t9kNode("n0", "xgn", 2));
        api.create(Manifests.labelled(asking("a", 1, 0), "app", "a"));
        api.create(asking("b", 1, 1));
        settle();
        changes.add(new Change.BudgetPut(budget("keep", "app", "a", 0)));
        api.create(asking("first", 1, 100));
        settle();
        assertThat(evicted).as("although a has the lower priority").containsExactly("b");
    }

    @Test
    void whatAQueueDeserves_isTakenBack_andNotMore() {
        for (String name : List.of("red", "blue")) {
            changes.add(new Change.QueuePut(
                    QueueVocabulary.GPU_SCHED.read(queue(QueueVocabulary.GPU_SCHED, name, deserving(2)))));
        }
        api.put(Manifests.t9kNode("n0", "xgn", 4));
        IntStream.range(0, 4)
                .forEach(i -> api.create(Manifests.labelled(asking("red-" + i, 1, 0), "gpu-sched.io/queue", "red")));
        settle();
        IntStream.range(0, 4)
                .forEach(i -> api.create(Manifests.labelled(asking("blue-" + i, 1, 0), "gpu-sched.io/queue", "blue")));
        settle();
        assertThat(evicted).hasSize(2).allMatch(name -> name.startsWith("red"));
        letEnd();
        settle();
        Map<String, Long> bound = api.pods.values().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .collect(Collectors.groupingBy(
                        pod -> pod.getMetadata().getName().replaceAll("-.*", ""), Collectors.counting()));
        assertThat(bound).isEqualTo(Map.of("red", 2L, "blue", 2L));
    }

    /** Labels and group objects are the tenant's to change while his pods run: into another's queue, or out of reach. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatRuns_countsInTheQueueThatStartedIt_andMayBeEvicted_whateverItsTenantSaysLater(boolean restarts) {
        for (String name : List.of("red", "blue")) {
            changes.add(new Change.QueuePut(
                    QueueVocabulary.GPU_SCHED.read(queue(QueueVocabulary.GPU_SCHED, name, deserving(2)))));
        }
        api.put(Manifests.t9kNode("n0", "xgn", 4));
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "gang");
        GroupSpec gang = new GroupSpec(key, "u", 1, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), "");
        api.put(gang.inQueue("red"));
        for (String name : List.of("red-0", "red-1")) {
            api.create(Manifests.labelled(asking(name, 1, 0), T9kDialect.GROUP_NAME, "gang"));
        }
        for (String name : List.of("red-2", "red-3")) {
            api.create(Manifests.labelled(asking(name, 1, 0), QueueVocabulary.QUEUE, "red"));
        }
        settle();
        api.put(gang.inQueue("blue").withEviction(Eviction.NEVER));
        for (Pod pod : List.copyOf(api.pods.values())) {
            api.replace(Manifests.labelled(
                    Manifests.labelled(pod, QueueVocabulary.QUEUE, "blue"), QueueVocabulary.PREEMPTIBLE, "false"));
        }
        if (restarts) {
            restart();
            for (String name : List.of("red", "blue")) {
                changes.add(new Change.QueuePut(
                        QueueVocabulary.GPU_SCHED.read(queue(QueueVocabulary.GPU_SCHED, name, deserving(2)))));
            }
        }
        settle();
        IntStream.range(0, 2)
                .forEach(i -> api.create(Manifests.labelled(asking("blue-" + i, 1, 0), QueueVocabulary.QUEUE, "blue")));
        settle();
        assertThat(evicted).hasSize(2).allMatch(name -> name.startsWith("red"));
    }

    /** One within what the queue deserves may not be evicted; the others use more, and join its group once they run. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatRuns_belongsToTheJobAsWhichItStarted_whateverGroupItNamesLater(boolean restarts) {
        Map<String, Integer> any = Map.of("deserved", -1);
        Map<String, ?> two = Map.of("resources", Map.of("gpu", Map.of("deserved", 2), "cpu", any, "memory", any));
        List<Change> queues = List.of("red", "blue").stream()
                .<Change>map(name -> new Change.QueuePut(
                        QueueVocabulary.GPU_SCHED.read(queue(QueueVocabulary.GPU_SCHED, name, two))))
                .toList();
        changes.addAll(queues);
        api.put(Manifests.t9kNode("n0", "xgn", 4));
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "gang");
        api.put(new GroupSpec(key, "u", 1, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), "").inQueue("red"));
        api.create(Manifests.labelled(
                Manifests.labelled(asking("red-0", 1, 0), T9kDialect.GROUP_NAME, "gang"),
                QueueVocabulary.PREEMPTIBLE,
                "false"));
        settle();
        for (String name : List.of("red-1", "red-2", "red-3")) {
            api.create(Manifests.labelled(asking(name, 1, 0), QueueVocabulary.QUEUE, "red"));
        }
        settle();
        for (Pod pod : List.copyOf(api.pods.values())) {
            api.replace(Manifests.labelled(pod, T9kDialect.GROUP_NAME, "gang"));
        }
        if (restarts) {
            restart();
            changes.addAll(queues);
        }
        settle();
        IntStream.range(0, 2)
                .forEach(i -> api.create(Manifests.labelled(asking("blue-" + i, 1, 0), QueueVocabulary.QUEUE, "blue")));
        settle();
        assertThat(evicted).hasSize(2).doesNotContain("red-0").allMatch(name -> name.startsWith("red"));
    }

    @Test
    void aPodThatWouldTakeYearsToEnd_isEvictedAsTheOthers_andHasAnHour_alsoIfItWasDeletedAlready() {
        api.put(Manifests.t9kNode("n0", "xgn", 1));
        api.create(new PodBuilder(asking("low", 1, 0))
                .editSpec()
                .withTerminationGracePeriodSeconds(1_000_000_000L)
                .endSpec()
                .build());
        settle();
        api.replace(new PodBuilder(api.pods.get("low"))
                .editMetadata()
                .withDeletionTimestamp("2058-01-01T12:00:00Z")
                .withDeletionGracePeriodSeconds(1_000_000_000L)
                .endMetadata()
                .build());
        api.create(asking("first", 1, 100));
        List<Room> rooms = List.of();
        for (int i = 0; i < 100 && rooms.isEmpty(); i++) {
            rooms = decide().rooms();
        }
        assertThat(rooms)
                .singleElement()
                .satisfies(room -> assertThat(room.victims())
                        .singleElement()
                        .satisfies(victim -> assertThat(victim.graceSeconds()).contains(3_600L)));
    }

    @Test
    void whenAPodWasStarted_isNotForItsStatusToSay() {
        long[] time = {Instant.parse("2026-05-01T12:00:00Z").toEpochMilli()};
        Clock clock = mock(time);
        JobBook book = new JobBook(Scope.of("gpu-sched"), new Priorities(), QueueVocabulary.GPU_SCHED, clock);
        Pod pod = new PodBuilder(asking("p", 1, 0))
                .editMetadata()
                .withUid("u")
                .endMetadata()
                .editSpec()
                .withNodeName("n0")
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("True")
                .withLastTransitionTime("2099-01-01T00:00:00Z")
                .endCondition()
                .endStatus()
                .build();
        book.put(pod);
        long seen = time[0];
        time[0] += 3_600_000;
        book.put(new PodBuilder(pod).withNewStatus().endStatus().build());
        assertThat(book.get(new PodId("default", "p")).started()).hasValue(seen);
    }

    private static Clock mock(long[] time) {
        return new Clock() {
            @Override
            public java.time.ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(time[0]);
            }
        };
    }

    @Test
    void aPodThatPreemptsNobody_andOneThatIsEvictedForNobody_sayso() {
        api.put(Manifests.t9kNode("n0", "xgn", 1));
        api.create(asking("low", 1, 0));
        settle();
        api.create(new PodBuilder(asking("meek", 1, 100))
                .editSpec()
                .withPreemptionPolicy("Never")
                .endSpec()
                .build());
        settle();
        assertThat(evicted).isEmpty();
        api.delete("low");
        settle();
        assertThat(nodeOf("meek")).isEqualTo("n0");
        api.delete("meek");
        api.create(Manifests.labelled(asking("fixed", 1, 0), QueueVocabulary.PREEMPTIBLE, "false"));
        settle();
        api.create(asking("first", 1, 100));
        List<String> words = new ArrayList<>();
        decide().refusals().forEach(refusal -> words.add(refusal.message().get()));
        assertThat(evicted).isEmpty();
        assertThat(words).hasSize(1);
    }

    @Test
    void withoutQueues_podsOfLowerPriority_areEvictedForThoseOfHigher_whateverQueueTheyName() {
        state = FakeApi.scheduler("t9k");
        fill(1, 1);
        api.create(Manifests.labelled(asking("equal", 1, 0), QueueVocabulary.QUEUE, "none that there is"));
        settle();
        assertThat(evicted).isEmpty();
        api.create(asking("first", 1, 100));
        settle();
        api.delete("low-0");
        settle();
        assertThat(evicted).containsExactly("low-0");
        assertThat(nodeOf("first")).isEqualTo("n0");
        assertThat(nodeOf("equal")).isEqualTo("null");
    }

    @Test
    void aGroupOfKubernetes_thatNeverPreempts_waits_whateverItsPodsSay() {
        state = FakeApi.scheduler("t9k");
        fill(1, 1);
        GroupKey key = new GroupKey(GroupVocabulary.KUBERNETES, "default", "g");
        GroupSpec group = new GroupSpec(key, "g", 1, Map.of(), GroupLocality.ANYWHERE, "", Optional.of(100), "");
        api.put(group.preempting(false));
        api.create(VolumeObjects.member(asking("m", 1, 100), "g"));
        settle();
        assertThat(evicted).isEmpty();
        api.put(group.preempting(true));
        settle();
        assertThat(evicted).containsExactly("low-0");
    }
}
