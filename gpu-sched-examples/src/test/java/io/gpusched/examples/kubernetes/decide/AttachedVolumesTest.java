package io.gpusched.examples.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.examples.kubernetes.Manifests;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No node is given more volumes of a CSI driver than it can attach. */
class AttachedVolumesTest {
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
        assertThat(bindAll()).hasSize(1);
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
}
