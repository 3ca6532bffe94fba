package io.gpusched.kubernetes.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.TopologySelectorTermBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.gpusched.workload.NodeSelector;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolumeBookTest {
    private static final Pod POD = new PodBuilder()
            .withNewMetadata()
            .withName("p")
            .withNamespace("default")
            .endMetadata()
            .withNewSpec()
            .addNewVolume()
            .withName("v")
            .withNewPersistentVolumeClaim("data", false)
            .endVolume()
            .endSpec()
            .build();

    private final VolumeBook book = new VolumeBook();

    private VolumeNeeds needs() {
        return book.of(POD, claim -> false);
    }

    private static PersistentVolumeClaimBuilder claim(String mode) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("data")
                .endMetadata()
                .withNewSpec()
                .withAccessModes(mode)
                .withStorageClassName("sc")
                .endSpec();
    }

    private static PersistentVolumeClaim bound(String mode) {
        return claim(mode)
                .editSpec()
                .withVolumeName("pv")
                .endSpec()
                .withNewStatus()
                .withPhase("Bound")
                .endStatus()
                .build();
    }

    private void storage(String mode, String provisioner) {
        book.put(new StorageClassBuilder()
                .withNewMetadata()
                .withName("sc")
                .endMetadata()
                .withProvisioner(provisioner)
                .withVolumeBindingMode(mode)
                .withAllowedTopologies(new TopologySelectorTermBuilder()
                        .addNewMatchLabelExpression()
                        .withKey("zone")
                        .withValues("z1", "z2")
                        .endMatchLabelExpression()
                        .build())
                .build());
    }

    @Test
    void aPodWithoutClaims_needsNothing() {
        Pod bare = new PodBuilder(POD).editSpec().withVolumes().endSpec().build();
        assertThat(book.of(bare, claim -> true)).isEqualTo(VolumeNeeds.NONE);
    }

    @Test
    void aClaimThatIsNotThere_isWaitedFor() {
        assertThat(needs().problem()).isEqualTo("persistentvolumeclaim \"data\" not found");
    }

    @Test
    void aBoundVolume_holdsThePodToItsNodes() {
        book.put(bound("ReadWriteOnce"));
        assertThat(needs().problem()).contains("persistentvolume \"pv\"").contains("not found");
        book.put(new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("pv")
                .addToLabels("topology.kubernetes.io/zone", "z1__z2")
                .endMetadata()
                .withNewSpec()
                .withNewNodeAffinity()
                .withNewRequired()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("disk")
                .withOperator("In")
                .withValues("d1")
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequired()
                .endNodeAffinity()
                .endSpec()
                .build());
        NodeSelector nodes = needs().nodes();
        assertThat(nodes.matches(Map.of("disk", "d1", "topology.kubernetes.io/zone", "z2")))
                .isTrue();
        assertThat(nodes.matches(Map.of("disk", "d1"))).isFalse();
        assertThat(nodes.matches(Map.of("topology.kubernetes.io/zone", "z1"))).isFalse();
    }

    @Test
    void aClaimForOnePod_isNotShared() {
        book.put(bound("ReadWriteOncePod"));
        assertThat(book.of(POD, claim -> claim.equals("data")).problem()).contains("ReadWriteOncePod");
        assertThat(book.of(POD, claim -> false).problem()).doesNotContain("ReadWriteOncePod");
    }

    @Test
    void anUnboundClaim_waits_unlessItWaitsForItsFirstConsumer() {
        book.put(claim("ReadWriteOnce").build());
        storage("Immediate", "example.com/disks");
        assertThat(needs().problem()).contains("is not bound to a volume yet");
        storage("WaitForFirstConsumer", "example.com/disks");
        assertThat(needs().problem()).isEmpty();
        assertThat(needs().toProvision()).containsExactly("data");
        assertThat(needs().nodes().matches(Map.of("zone", "z2"))).isTrue();
        assertThat(needs().nodes().matches(Map.of("zone", "z3"))).isFalse();
    }

    @Test
    void aClassThatMakesNoVolumes_isNotHonoured() {
        book.put(claim("ReadWriteOnce").build());
        storage("WaitForFirstConsumer", "kubernetes.io/no-provisioner");
        assertThat(needs().field()).isEqualTo("spec.volumes[0].persistentVolumeClaim");
    }

    @Test
    void aClaimThatLosesItsNode_isRejected_untilItHasOneAgain() {
        PersistentVolumeClaim told = claim("ReadWriteOnce")
                .editMetadata()
                .addToAnnotations(VolumeBook.SELECTED_NODE, "n1")
                .endMetadata()
                .build();
        book.put(claim("ReadWriteOnce").build());
        assertThat(book.isRejected("default", "data")).isFalse();
        book.put(told);
        assertThat(book.isRejected("default", "data")).isFalse();
        book.put(claim("ReadWriteOnce").build());
        assertThat(book.isRejected("default", "data")).isTrue();
        book.put(told);
        assertThat(book.isRejected("default", "data")).isFalse();
    }
}
