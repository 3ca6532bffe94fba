package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods whose volumes are made once their node is chosen, by a provisioner that may never come. */
class AwaitedVolumesTest {
    private final Rounds rounds = new Rounds("t9k");

    @BeforeEach
    void chooseANode() {
        rounds.api.put(Manifests.t9kNode("n1", "xgn", 1));
        rounds.untold.add(new Change.VolumePut(new StorageClassBuilder()
                .withNewMetadata()
                .withName("late")
                .endMetadata()
                .withProvisioner("example.com/disks")
                .withVolumeBindingMode("WaitForFirstConsumer")
                .build()));
        rounds.untold.add(new Change.VolumePut(new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("data")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("late")
                .withAccessModes("ReadWriteOnce")
                .endSpec()
                .build()));
        rounds.api.create(VolumeObjects.claiming(Manifests.pod("claims", T9kDialect.GPU, "1"), "data"));
        assertThat(rounds.decide().bindings())
                .singleElement()
                .satisfies(binding -> assertThat(binding.claims()).containsExactly("data"));
        rounds.api.create(Manifests.pod("waits", T9kDialect.GPU, "1"));
        assertThat(rounds.decide().refusals()).hasSize(1);
    }

    @Test
    void aPod_givesItsGpuBack_whenItsTimeIsOver_andSaysWhy() {
        rounds.now = 599_900;
        assertThat(rounds.decide().bindings()).isEmpty();
        assertThat(rounds.state.nextDecisionAt()).hasValue(600_100);
        Decisions decisions = rounds.decide();
        assertThat(decisions.refusals())
                .filteredOn(refusal -> refusal.pod().id().name().equals("claims"))
                .first()
                .satisfies(refusal -> {
                    assertThat(refusal.reason()).isEqualTo(PendingReason.PROVISIONING);
                    assertThat(refusal.message().get())
                            .isEqualTo("volume claims [data] were not provisioned on node \"n1\" within 600 s");
                });
        assertThat(decisions.bindings())
                .extracting(binding -> binding.pod().id().name())
                .containsExactly("waits");
    }

    @Test
    void aPodWhoseVolumesAreMadeInTime_keepsItsGpu() {
        rounds.now = 500_000;
        rounds.untold.addAll(VolumeObjects.volume("data"));
        assertThat(rounds.bindAll()).containsExactly("claims");
        rounds.now = 700_000;
        assertThat(rounds.decide().refusals())
                .extracting(refusal -> refusal.pod().id().name())
                .containsExactly("waits");
    }
}
