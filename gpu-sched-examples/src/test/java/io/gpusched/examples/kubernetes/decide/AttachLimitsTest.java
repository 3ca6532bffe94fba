package io.gpusched.examples.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.examples.kubernetes.Manifests;
import io.gpusched.examples.kubernetes.group.Closeness;
import io.gpusched.examples.kubernetes.group.GroupKey;
import io.gpusched.examples.kubernetes.group.GroupSpec;
import io.gpusched.examples.kubernetes.group.GroupVocabulary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** No node is given more volumes of a CSI driver than it can attach. */
class AttachLimitsTest {
    private static final String DRIVER = "ebs.csi.aws.com";

    private final FakeApi api = new FakeApi();
    private final List<Change> untold = api.watch();
    private final SchedulerState state = FakeApi.scheduler("t9k");
    private long now;

    private Decisions round() {
        now += 10_000;
        state.apply(List.copyOf(untold), now);
        untold.clear();
        return state.decide(now, 100);
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
        untold.add(new Change.VolumePut(new CSINodeBuilder()
                .withNewMetadata()
                .withName(node)
                .endMetadata()
                .withNewSpec()
                .addNewDriver()
                .withName(DRIVER)
                .withNodeID(node)
                .withNewAllocatable(most)
                .endDriver()
                .endSpec()
                .build()));
    }

    private void volume(String claim) {
        untold.add(new Change.VolumePut(new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("pv-" + claim)
                .endMetadata()
                .withNewSpec()
                .withNewCsi()
                .withDriver(DRIVER)
                .withVolumeHandle("vol-" + claim)
                .endCsi()
                .endSpec()
                .build()));
        untold.add(new Change.VolumePut(new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(claim)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withVolumeName("pv-" + claim)
                .endSpec()
                .withNewStatus()
                .withPhase("Bound")
                .endStatus()
                .build()));
    }

    private static Pod using(String name, String... claims) {
        Pod pod = Manifests.pod(name, T9kDialect.GPU, "1");
        for (String claim : claims) {
            pod = new PodBuilder(pod)
                    .editSpec()
                    .addNewVolume()
                    .withName("v-" + pod.getSpec().getVolumes().size())
                    .withNewPersistentVolumeClaim(claim, false)
                    .endVolume()
                    .endSpec()
                    .build();
        }
        return pod;
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
                .contains("attachable-volumes-csi-" + DRIVER)
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
        assertThat(state.cluster().node("n1").orElseThrow().freeNamed().amount("attachable-volumes-csi-" + DRIVER))
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
        assertThat(state.cluster().node("n1").orElseThrow().freeNamed().amount("attachable-volumes-csi-" + DRIVER))
                .isZero();
    }

    private void gang(int minimum, int pods, IntFunction<String[]> claims) {
        GroupKey key = new GroupKey(GroupVocabulary.KUBERNETES, "default", "g");
        api.put(new GroupSpec(key, "g", minimum, Map.of(), Closeness.ANYWHERE, "", Optional.empty(), ""));
        for (int i = 0; i < pods; i++) {
            api.create(new PodBuilder(using("m" + i, claims.apply(i)))
                    .editSpec()
                    .withNewSchedulingGroup("g")
                    .endSpec()
                    .build());
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
                .contains("attachable-volumes-csi-" + DRIVER)
                .contains("node(s) exceed max volume count");
        limit("n1", 1);
        assertThat(bindAll()).containsExactly("m0 on n1", "m1 on n1");
    }
}
