package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.QueueObjects;
import io.gpusched.kubernetes.defrag.DefragRound;
import io.gpusched.kubernetes.defrag.DefragSettings;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.model.PodId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Defragmentation beside a scheduler, on an API server in memory: a pod leaves, its controller makes another, which is placed. */
class DefragRoundTest {
    private static final DefragSettings EVICTING = DefragSettings.dryRun()
            .evicting()
            .withInterval(Duration.ofMinutes(1))
            .withPatience(Duration.ofMinutes(2));

    private final Rounds rounds = new Rounds("t9k");
    private final FakeApi api = rounds.api;
    private DefragRound round = new DefragRound(EVICTING, Scope.of("gpu-sched"));

    private static Pod owned(String name, int gpus) {
        return of(
                "ReplicaSet",
                Manifests.labelled(Manifests.pod(name, T9kDialect.GPU, String.valueOf(gpus)), "app", "a"));
    }

    private static Pod of(String owner, Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind(owner)
                .withName("set")
                .withUid("uid-of-the-set")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    /** Small pods on n1, one of 2 GPUs on n2, each of 4. */
    private void scatter(Pod... small) {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        api.create(Manifests.pod("filler", T9kDialect.GPU, String.valueOf(4 - small.length)));
        List.of(small).forEach(api::create);
        turn();
        api.put(Manifests.t9kNode("n2", "xgn", 4));
        api.create(Manifests.pod("large", T9kDialect.GPU, "2"));
        turn();
        api.delete("filler");
    }

    /** Tells what has changed, places who waits, and asks what to move. */
    private DefragRound.Turn turn() {
        List<Change> changes = List.copyOf(rounds.untold);
        changes.forEach(round::apply);
        rounds.bindAll();
        List<Change> bound = List.copyOf(rounds.untold);
        bound.forEach(round::apply);
        rounds.decide();
        DefragRound.Turn turn = round.decide(rounds.state.cluster(), rounds.now);
        rounds.state.close(round.closed());
        return turn;
    }

    private Optional<List<String>> evicted(DefragRound.Turn turn) {
        return turn.evict()
                .map(Room::victims)
                .map(victims -> victims.stream()
                        .map(NominationRecord.Victim::pod)
                        .map(PodId::name)
                        .toList());
    }

    private String nodeOf(String pod) {
        return String.valueOf(api.pods.get(pod).getSpec().getNodeName());
    }

    @Test
    void aPodLeaves_itsSuccessorIsPlacedElsewhere_andItsNodeIsOpenAgainAsAWhole() {
        scatter(owned("a", 1));
        rounds.now = 100_000;
        assertThat(evicted(turn())).contains(List.of("a"));
        assertThat(round.closed()).containsExactly("n1");
        assertThat(turn().evict()).as("while it ends").isEmpty();
        api.delete("a");
        api.create(owned("a-again", 1));
        turn();
        assertThat(nodeOf("a-again")).isEqualTo("n2");
        turn();
        assertThat(round.closed()).isEmpty();
        api.create(Manifests.pod("whole", T9kDialect.GPU, "4"));
        rounds.now = 1_000_000;
        assertThat(turn().plan()).isEmpty();
        assertThat(nodeOf("whole")).isEqualTo("n1");
    }

    /** Each of two other racks has room for one of them. */
    @Test
    void aGroup_isNotScatteredOverMoreDomainsThanItsObjectAllows() {
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", "g");
        api.put(new GroupSpec(key, "u", 2, Map.of(), GroupLocality.within("rack"), "", Optional.empty(), ""));
        for (int i = 1; i <= 3; i++) {
            api.put(Manifests.t9kNode("n" + i, "xgn", 4, Map.of("rack", "r" + i)));
        }
        api.create(Manifests.pod("filler-0", T9kDialect.GPU, "3"));
        api.create(Manifests.pod("filler-1", T9kDialect.GPU, "3"));
        turn();
        for (String name : List.of("a", "b")) {
            api.create(Manifests.labelled(owned(name, 1), T9kDialect.GROUP_NAME, "g"));
        }
        rounds.now = 100_000;
        assertThat(turn().plan()).isEmpty();
        assertThat(nodeOf("a")).isEqualTo(nodeOf("b"));

        api.put(new GroupSpec(key, "u", 2, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
        rounds.now = 1_000_000;
        assertThat(evicted(turn())).contains(List.of("a", "b"));
    }

    @Test
    void podsLeaveOneAfterTheOther_theNextOnceTheSuccessorRuns() {
        scatter(owned("a", 1), owned("b", 1));
        rounds.now = 100_000;
        String first = evicted(turn()).orElseThrow().get(0);
        api.delete(first);
        assertThat(turn().evict()).isEmpty();
        api.create(owned("again", 1));
        Optional<List<String>> second = evicted(turn());
        assertThat(nodeOf("again")).isEqualTo("n2");
        assertThat(second).contains(List.of(first.equals("a") ? "b" : "a"));
    }

    @Test
    void aDryRun_saysWhatItWouldMove_onceAnInterval_andEvictsNobody() {
        round = new DefragRound(DefragSettings.dryRun(), Scope.of("gpu-sched"));
        scatter(owned("a", 1));
        rounds.now = 400_000;
        DefragRound.Turn turn = turn();
        assertThat(turn.plan().orElseThrow()).hasToString("1 pod moved: from [0] to [1]");
        assertThat(turn.evict()).isEmpty();
        assertThat(turn().plan()).isEmpty();
        assertThat(round.closed()).isEmpty();
        rounds.now += 300_000;
        assertThat(turn().plan()).isPresent();
    }

    @Test
    void whoseSuccessorDoesNotCome_endsThePlan() {
        scatter(owned("a", 1), owned("b", 1));
        rounds.now = 100_000;
        api.delete(evicted(turn()).orElseThrow().get(0));
        turn();
        assertThat(round.closed()).containsExactly("n1");
        rounds.now += 120_000;
        assertThat(turn().plan()).isEmpty();
        assertThat(round.closed()).isEmpty();
        rounds.now += 60_000;
        assertThat(turn().plan()).isPresent();
    }

    @Test
    void aBudgetThatSaysNoForGood_endsThePlan() {
        scatter(owned("a", 1), owned("b", 1));
        rounds.now = 100_000;
        assertThat(turn().evict()).isPresent();
        rounds.untold.add(new Change.RoomGivenUp(DefragRound.NAME, Optional.empty(), "no"));
        assertThat(turn().evict()).isEmpty();
        assertThat(round.closed()).isEmpty();
    }

    @Test
    void whoIsProtected_wouldNotBeMadeAnew_belongsToItsNode_orSaysNo_stays() {
        scatter(owned("a", 1));
        rounds.untold.add(new Change.BudgetPut(QueueObjects.budget("keeps-a", "app", "a", 0)));
        staysAt(100_000);
        rounds.untold.add(new Change.BudgetGone(QueueObjects.budget("keeps-a", "app", "a", 0)));
        Pod running = api.pods.get("a");
        for (Pod stays : List.of(
                new PodBuilder(running)
                        .editMetadata()
                        .withOwnerReferences()
                        .endMetadata()
                        .build(),
                new PodBuilder(running)
                        .editMetadata()
                        .editFirstOwnerReference()
                        .withKind("DaemonSet")
                        .endOwnerReference()
                        .endMetadata()
                        .build(),
                Manifests.annotated(running, "cluster-autoscaler.kubernetes.io/safe-to-evict", "false"),
                new PodBuilder(running)
                        .editMetadata()
                        .withDeletionTimestamp("2026-11-25T00:00:00Z")
                        .endMetadata()
                        .build(),
                new PodBuilder(running)
                        .editSpec()
                        .addNewVolume()
                        .withName("v")
                        .withNewPersistentVolumeClaim("c", false)
                        .endVolume()
                        .endSpec()
                        .build(),
                new PodBuilder(running)
                        .editSpec()
                        .withSchedulerName("other")
                        .endSpec()
                        .build())) {
            rounds.untold.add(new Change.PodPut(stays));
            staysAt(rounds.now + 100_000);
        }
        rounds.untold.add(new Change.PodPut(running));
        rounds.now += 100_000;
        assertThat(evicted(turn())).contains(List.of("a"));
    }

    private void staysAt(long time) {
        rounds.now = time;
        assertThat(turn().evict()).isEmpty();
    }
}
