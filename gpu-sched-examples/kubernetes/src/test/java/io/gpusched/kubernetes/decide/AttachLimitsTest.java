package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** No node is given more volumes of a CSI driver than it can attach. */
class AttachLimitsTest {
    private final FakeApi api = new FakeApi();
    private final List<Change> untold = api.watch();
    private final SchedulerState state = FakeApi.scheduler("t9k");
    private long now;

    private Decisions round() {
        now += 10_000;
        state.apply(List.copyOf(untold), now);
        untold.clear();
        return state.decide(now);
    }

    private List<String> bindAll() {
        Decisions decisions = round();
        decisions.bindings().forEach(binding -> api.bind(binding).ifPresent(untold::add));
        return decisions.bindings().stream()
                .map(binding ->
                        binding.pod().id().name() + " on " + binding.placement().node())
                .sorted()
                .toList();
    }

    private void limit(String node, int most) {
        untold.add(VolumeObjects.limit(node, most));
    }

    private void volume(String claim) {
        untold.addAll(VolumeObjects.volume(claim));
    }

    private static Pod using(String name, String... claims) {
        return VolumeObjects.claiming(Manifests.pod(name, T9kDialect.GPU, "1"), claims);
    }

    @Test
    void aPod_waitsUntilANodeCanAttachItsVolume_andSaysSo() {
        api.put(Manifests.t9kNode("n1", "xgn", 8));
        limit("n1", 2);
        List.of("a", "b", "c").forEach(this::volume);
        List.of("a", "b", "c").forEach(name -> api.create(using(name, name)));
        api.create(using("none"));
        assertThat(bindAll()).containsExactly("a on n1", "b on n1", "none on n1");
        assertThat(round().bindings()).isEmpty();

        untold.add(new Change.PodPut(api.pods.get("c")));
        api.create(using("d", "c"));
        Refusal refusal = round().refusals().get(0);
        assertThat(refusal.message().get())
                .contains(VolumeObjects.RESOURCE)
                .contains("node(s) exceed max volume count");

        api.delete("a");
        assertThat(bindAll()).as("of one volume").containsExactly("c on n1", "d on n1");
    }

    @Test
    void aNodeThatStatesNoLimit_takesAnyNumber() {
        api.put(Manifests.t9kNode("n1", "xgn", 8));
        api.put(Manifests.t9kNode("n2", "xgn", 8));
        limit("n1", 0);
        List.of("a", "b", "c").forEach(this::volume);
        List.of("a", "b", "c").forEach(name -> api.create(using(name, name)));
        assertThat(bindAll()).containsExactly("a on n2", "b on n2", "c on n2");
    }

    @Test
    void aVolumeThatAPodNamesTwice_isOne_andALimitThatRisesLetsPodsIn() {
        api.put(Manifests.t9kNode("n1", "xgn", 8));
        limit("n1", 1);
        volume("a");
        volume("b");
        api.create(using("a-twice", "a", "a"));
        api.create(using("other", "b"));
        assertThat(bindAll()).containsExactly("a-twice on n1");
        limit("n1", 2);
        assertThat(bindAll()).containsExactly("other on n1");
    }

    @Test
    void whatRuns_isCounted_alsoWhereItsVolumesAreToldLater() {
        api.put(Manifests.t9kNode("n1", "xgn", 8));
        api.put(Manifests.t9kNode("n2", "xgn", 1));
        Pod running = new PodBuilder(using("runs", "a"))
                .editMetadata()
                .withUid("u")
                .addToAnnotations(
                        "gpu-sched.io/grant",
                        "{\"version\":1,\"node\":\"n1\",\"containers\":{\"main\":{\"gpus\":[\"n1-gpu-0\"]}}}")
                .endMetadata()
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
        untold.add(new Change.PodPut(running));
        assertThat(round().isEmpty()).isTrue();
        volume("a");
        volume("b");
        limit("n1", 1);
        api.create(using("b", "b"));
        assertThat(bindAll()).containsExactly("b on n2");
    }

    private void gpus(String node, int gpus, int limit) {
        api.put(Manifests.t9kNode(node, "xgn", gpus));
        limit(node, limit);
    }

    @Test
    void aVolumeThatPodsOfOneNodeShare_isAttachedOnce() {
        gpus("n1", 8, 2);
        volume("data");
        volume("own");
        volume("more");
        List.of("a", "b", "c").forEach(name -> api.create(using(name, "data")));
        api.create(using("d", "own", "data"));
        assertThat(bindAll()).containsExactly("a on n1", "b on n1", "c on n1", "d on n1");
        api.create(using("e", "data", "own"));
        assertThat(bindAll()).containsExactly("e on n1");
        api.create(using("f", "more"));
        assertThat(bindAll()).isEmpty();
    }

    @Test
    void aFullNode_takesThePodThatBringsNothingNew_andAnotherNodeTheOthers() {
        gpus("n1", 2, 1);
        gpus("n2", 8, 1);
        volume("data");
        volume("other");
        api.create(using("a", "data"));
        assertThat(bindAll()).containsExactly("a on n1");
        api.create(using("b", "other"));
        api.create(using("c", "data"));
        assertThat(bindAll()).containsExactly("b on n2", "c on n1");
        api.create(using("d", "data"));
        assertThat(bindAll()).isEmpty();
    }

    @Test
    void aSharedVolume_staysAttachedUntilTheLastPodLeaves() {
        gpus("n1", 8, 1);
        volume("data");
        volume("other");
        api.create(using("a", "data"));
        api.create(using("b", "data"));
        assertThat(bindAll()).hasSize(2);
        api.create(using("c", "other"));
        api.delete("a");
        assertThat(bindAll()).isEmpty();
        assertThat(state.cluster().node("n1").orElseThrow().freeNamed().amount(VolumeObjects.RESOURCE))
                .isZero();
        api.delete("b");
        assertThat(bindAll()).containsExactly("c on n1");
    }

    @Test
    void aVolumeStaysAttached_whenTheBindingOfItsFirstPodFails() {
        gpus("n1", 8, 2);
        volume("data");
        volume("other");
        api.create(using("a", "data"));
        api.create(using("b", "data"));
        api.create(using("c", "other"));
        Decisions first = round();
        assertThat(first.bindings()).hasSize(3);
        Binding lost = first.bindings().get(0);
        untold.add(new Change.NotBound(lost.pod().id(), lost.pod().uid(), "conflict"));
        api.delete(lost.pod().id().name());
        volume("third");
        api.create(using("d", "third"));
        assertThat(round().bindings()).as("data and other are attached").isEmpty();
        first.bindings().stream().skip(1).forEach(binding -> api.bind(binding).ifPresent(untold::add));
        assertThat(round().bindings()).isEmpty();
        assertThat(state.troubles()).isEmpty();
        assertThat(state.cluster().node("n1").orElseThrow().freeNamed().amount(VolumeObjects.RESOURCE))
                .isZero();
    }

    private void gang(int minimum, int pods, IntFunction<String[]> claims) {
        api.put(VolumeObjects.group("g", minimum));
        for (int i = 0; i < pods; i++) {
            api.create(VolumeObjects.member(using("m" + i, claims.apply(i)), "g"));
        }
    }

    @Test
    void aGroupThatSharesAVolume_attachesItOnceOnEachNode() {
        gpus("n1", 2, 1);
        gpus("n2", 2, 1);
        volume("data");
        gang(4, 4, i -> new String[] {"data"});
        assertThat(bindAll()).containsExactly("m0 on n1", "m1 on n1", "m2 on n2", "m3 on n2");
    }

    @Test
    void aGroupThatSharesAVolume_hasItsOwnBeside_andNoNodeMoreThanItCanAttach() {
        gpus("n1", 4, 3);
        gpus("n2", 4, 2);
        volume("data");
        List.of("v0", "v1", "v2", "v3").forEach(this::volume);
        gang(4, 4, i -> new String[] {"data", "v" + i});
        assertThat(bindAll()).as("n1 takes two, n2 one").isEmpty();
        limit("n2", 3);
        assertThat(bindAll()).hasSize(4);
    }

    @Test
    void aNodeThatCannotAttachAGroupsVolume_takesNoneOfIt_andTheRefusalNamesTheLimit() {
        gpus("n1", 4, 0);
        gpus("n2", 1, 5);
        volume("taken");
        volume("data");
        api.create(using("a", "taken"));
        assertThat(bindAll()).containsExactly("a on n2");
        gang(2, 2, i -> new String[] {"data"});
        Refusal refusal = round().refusals().get(0);
        assertThat(refusal.message().get())
                .contains(VolumeObjects.RESOURCE)
                .contains("node(s) exceed max volume count");
        limit("n1", 1);
        assertThat(bindAll()).containsExactly("m0 on n1", "m1 on n1");
    }

    @Test
    void aVolumeThatSomeMembersShare_isAttachedOnce_besideThoseOfTheOthers() {
        gpus("n1", 4, 2);
        volume("data");
        volume("own");
        gang(4, 4, i -> i == 0 ? new String[] {"own"} : new String[] {"data"});
        assertThat(bindAll()).hasSize(4);
        assertThat(state.cluster().node("n1").orElseThrow().freeNamed().amount(VolumeObjects.RESOURCE))
                .isZero();
    }

    @Test
    void membersThatShareVolumesInTwos_goToTheNodesThatHaveRoomForEachVolumeOnce() {
        gpus("n1", 2, 1);
        gpus("n2", 2, 1);
        volume("left");
        volume("right");
        gang(4, 4, i -> new String[] {i % 2 == 0 ? "left" : "right"});
        assertThat(bindAll()).containsExactly("m0 on n1", "m1 on n2", "m2 on n1", "m3 on n2");
    }

    @Test
    void aGroupOfWhichOneKindHasNoRoom_isNotStarted_unlessItsMinimumIsMetWithoutIt() {
        gpus("n1", 8, 1);
        volume("data");
        volume("other");
        gang(4, 4, i -> new String[] {i < 3 ? "data" : "other"});
        assertThat(bindAll()).isEmpty();
        assertThat(state.cluster().node("n1").orElseThrow().isEmpty())
                .as("nothing stays of what was tried out")
                .isTrue();
        api.put(VolumeObjects.group("g", 3));
        assertThat(bindAll()).containsExactly("m0 on n1", "m1 on n1", "m2 on n1");
    }

    @Test
    void aVolumeThatARunningPodHasBrought_costsAMemberNothingThere() {
        gpus("n1", 8, 2);
        volume("data");
        volume("second");
        api.create(using("a", "data", "second"));
        assertThat(bindAll()).containsExactly("a on n1");
        gang(2, 2, i -> new String[] {i == 0 ? "data" : "second"});
        assertThat(bindAll()).containsExactly("m0 on n1", "m1 on n1");
    }
}
