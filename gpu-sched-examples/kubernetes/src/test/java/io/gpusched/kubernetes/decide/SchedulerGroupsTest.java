package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of groups: together or not at all, and within one domain. */
class SchedulerGroupsTest {
    private final Rounds rounds = new Rounds("t9k");
    private final FakeApi api = rounds.api;

    private static Pod gpus(String name, int count) {
        return Manifests.pod(name, T9kDialect.GPU, String.valueOf(count));
    }

    private static final GroupKey KEY = new GroupKey(GroupVocabulary.T9K, "default", "g");

    private static Pod member(String name, String role) {
        return Manifests.labelled(Manifests.labelled(gpus(name, 1), T9kDialect.GROUP_NAME, "g"), T9kDialect.ROLE, role);
    }

    private void group(int minimum, Map<String, Integer> roles) {
        api.put(new GroupSpec(KEY, "u", minimum, roles, GroupLocality.ANYWHERE, "", Optional.empty(), ""));
    }

    @Test
    void aGroup_waitsForItsObject_forItsMembers_andForEachRole() {
        api.put(Manifests.t9kNode("n1", "xgn", 8));
        api.create(member("w0", "worker"));
        api.create(member("w1", "worker"));
        assertThat(rounds.decide().refusals().get(0).message().get())
                .contains("PodGroup \"default/g\"")
                .contains("not found");
        rounds.now += 1_000;
        group(2, Map.of("ps", 1));
        assertThat(rounds.decide().refusals().get(0).message().get()).contains("minimum of role \"ps\" is 1");
        rounds.now += 10_000;
        api.create(member("ps0", "ps"));
        assertThat(rounds.bindAll()).containsExactlyInAnyOrder("w0", "w1", "ps0");
    }

    @Test
    void aGroupThatLacksPods_waits_andStartsOnceTheyAreThere() {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        group(4, Map.of());
        api.create(member("m0", "worker"));
        assertThat(rounds.decide().refusals()).hasSize(1);
        api.create(member("m1", "worker"));
        api.create(member("m2", "worker"));
        assertThat(rounds.decide().refusals()).hasSize(3);
        api.create(member("m3", "worker"));
        assertThat(rounds.bindAll()).hasSize(4);
    }

    @Test
    void membersBeyondTheMinimum_followWhenThereIsRoom() {
        api.put(Manifests.t9kNode("n1", "xgn", 2));
        group(2, Map.of());
        for (int i = 0; i < 3; i++) {
            api.create(member("m" + i, ""));
        }
        Decisions started = rounds.decide();
        assertThat(started.bindings()).hasSize(2);
        assertThat(started.refusals())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.message().get())
                        .contains("has started; there is no room for this pod beyond the minimum: ")
                        .contains("asked 1 whole GPU"));
        Cluster assumed = rounds.state.cluster();
        started.bindings().forEach(binding -> api.bind(binding).ifPresent(rounds.untold::add));
        rounds.decide();
        assertThat(rounds.state.cluster()).as("what was assumed is confirmed").isEqualTo(assumed);
        rounds.now += 1_000;
        api.put(Manifests.t9kNode("n2", "xgn", 2));
        assertThat(rounds.bindAll()).hasSize(1);
    }

    @Test
    void aGroupThatWasInterrupted_isCompletedBeforeOthersTakeItsRoom() {
        api.put(Manifests.t9kNode("n1", "xgn", 2));
        group(2, Map.of());
        api.create(gpus("older", 1));
        api.create(member("m0", ""));
        api.create(member("m1", ""));
        Pod half = api.bound("m0", "n1");
        rounds.untold.add(new Change.PodPut(half));
        assertThat(rounds.decide().bindings())
                .extracting(one -> one.pod().id().name())
                .containsExactly("m1");
    }

    private static Pod prioritized(Pod pod, int priority) {
        return new PodBuilder(pod).editSpec().withPriority(priority).endSpec().build();
    }

    /** The tenant whose group it is may change it at any time. */
    @Test
    void aGroupWhoseMinimumIsRaisedOnceAPartOfItRuns_passesNobodyOfHigherPriority() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        group(1, Map.of());
        api.create(member("m0", ""));
        assertThat(rounds.bindAll()).containsExactly("m0");
        group(2, Map.of());
        api.create(member("m1", ""));
        Pod high = prioritized(gpus("high", 1), 10);
        high.getSpec().setPreemptionPolicy("Never");
        api.create(high);
        rounds.decide();
        rounds.now += 10_000;
        api.put(Manifests.t9kNode("n2", "xgn", 1));
        assertThat(rounds.bindAll()).containsExactly("high");
    }

    @Test
    void thePriorityOfAGroup_isNotAboveThatOfTheSystem_whateverItsObjectSays() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        api.put(new GroupSpec(KEY, "u", 1, Map.of(), GroupLocality.ANYWHERE, "", Optional.of(Integer.MAX_VALUE), ""));
        api.create(member("m0", ""));
        api.create(prioritized(gpus("system", 1), 2_000_000_000));
        assertThat(rounds.bindAll()).containsExactly("system");
    }

    @Test
    void aLevelThatNoNodeHas_isNamed_andIsOneOnceANodeHasIt() {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        group(GroupLocality.within("rack"));
        members(4);
        assertThat(rounds.decide().refusals().get(0).message().get()).contains("rack");
        rounds.now += 10_000;
        node("n2", 4, "z1", "r1");
        assertThat(rounds.bindAll()).hasSize(4);
        assertThat(nodes()).containsExactly("n2");
    }

    private void group(GroupLocality locality) {
        api.put(new GroupSpec(KEY, "u", 4, Map.of(), locality, "", Optional.empty(), ""));
    }

    private void members(int count) {
        for (int i = 0; i < count; i++) {
            api.create(member("m" + i, ""));
        }
    }

    private List<String> nodes() {
        return api.pods.values().stream()
                .map(pod -> pod.getSpec().getNodeName())
                .filter(java.util.Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    private void node(String name, int gpus, String zone, String rack) {
        api.put(Manifests.t9kNode(name, "xgn", gpus, Map.of("zone", zone, "rack", rack)));
    }

    @Test
    void aRackThatSpansZones_isOneRack_alsoBesideGroupsThatAskForZones() {
        node("a", 2, "z1", "r1");
        node("b", 2, "z2", "r1");
        node("c", 2, "z2", "r2");
        node("d", 8, "z3", "r3");
        api.put(new GroupSpec(
                new GroupKey(GroupVocabulary.T9K, "default", "other"),
                "v",
                2,
                Map.of(),
                GroupLocality.within("zone"),
                "",
                Optional.empty(),
                ""));
        api.create(Manifests.labelled(gpus("filler-0", 4), T9kDialect.GROUP_NAME, "other"));
        api.create(Manifests.labelled(gpus("filler-1", 4), T9kDialect.GROUP_NAME, "other"));
        assertThat(rounds.bindAll()).containsExactlyInAnyOrder("filler-0", "filler-1");
        assertThat(nodes()).containsExactly("d");

        group(GroupLocality.within("rack"));
        members(4);
        rounds.now += 10_000;
        assertThat(rounds.bindAll()).hasSize(4);
        assertThat(nodes()).containsExactly("a", "b", "d");
    }

    @Test
    void aGroup_goesToTheNarrowestDomainWithRoom_andNoFurtherThanTheWidestThatItMay() {
        node("a", 2, "z1", "r1");
        node("b", 2, "z1", "r2");
        node("c", 3, "z2", "r3");
        group(new GroupLocality(List.of("rack", "zone"), true));
        members(4);
        assertThat(rounds.bindAll()).hasSize(4);
        assertThat(nodes()).containsExactly("a", "b");
        node("e", 4, "z2", "r4");
        for (int i = 0; i < 4; i++) {
            api.delete("m" + i);
        }
        members(4);
        rounds.now += 10_000;
        assertThat(rounds.bindAll()).hasSize(4);
        assertThat(nodes()).containsExactly("e");
    }

    @Test
    void aDomainThatIsOnlyPreferred_isLeftForOthers_whereThereIsNoRoom() {
        node("a", 3, "z1", "r1");
        node("b", 1, "z2", "r2");
        group(GroupLocality.within("rack"));
        members(4);
        assertThat(rounds.decide().bindings()).isEmpty();
        rounds.now += 10_000;
        group(new GroupLocality(List.of("rack"), false));
        assertThat(rounds.bindAll()).hasSize(4);
    }

    private static Optional<GroupMembership> groupOf(SchedulerState state, String pod) {
        return state.cluster()
                .placement(new PodId("default", pod))
                .orElseThrow()
                .group();
    }

    @Test
    void whatRuns_saysItsGroup_andHowCloseThatStays_inWhateverOrderItIsTold() {
        node("a", 4, "z1", "r1");
        group(GroupLocality.within("rack"));
        members(4);
        rounds.bindAll();
        rounds.decide();
        Optional<GroupMembership> rack = Optional.of(GroupMembership.of(KEY.unique(), Locality.within("rack")));
        assertThat(groupOf(rounds.state, "m0")).isEqualTo(rack);

        List<Change> podsFirst = api.list();
        List<Change> groupsFirst = new ArrayList<>(podsFirst);
        Collections.reverse(groupsFirst);
        for (List<Change> order : List.of(podsFirst, groupsFirst)) {
            SchedulerState again = FakeApi.scheduler("t9k");
            order.forEach(change -> again.apply(List.of(change), 0));
            assertThat(groupOf(again, "m3")).isEqualTo(rack);
        }
        group(new GroupLocality(List.of("zone"), false));
        rounds.decide();
        assertThat(groupOf(rounds.state, "m0"))
                .contains(
                        GroupMembership.of(KEY.unique(), Locality.within("zone").preferred()));
    }

    /** The racks that are fuller would be chosen else. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMemberThatIsLost_andOneThatIsAdded_goWhereTheOthersRun_alsoAfterARestart(boolean required) {
        node("a", 8, "z1", "r1");
        group(new GroupLocality(List.of("rack"), required));
        members(4);
        rounds.bindAll();
        node("b", 2, "z2", "r2");
        api.delete("m0");
        api.create(member("m0", ""));
        api.create(member("m4", ""));
        SchedulerState again = FakeApi.scheduler("t9k");
        again.apply(api.list(), 0);
        assertThat(again.decide(0).bindings())
                .extracting(one -> one.placement().node())
                .containsExactly("a", "a");
    }
}
