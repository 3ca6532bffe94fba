package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pods with volumes on a real API server. */
class VolumesOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    @Test
    void volumes_thatWaitForTheirFirstConsumer_areToldTheNode_andThePodFollowsThem() {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        createClaim();
        calls.create(claiming("p"));
        plane.run(TestPlane.settings("t9k"));
        Await.until(
                "the claim is told the node",
                () -> "n1"
                        .equals(Objects.requireNonNullElse(
                                        plane.client()
                                                .persistentVolumeClaims()
                                                .inNamespace("default")
                                                .withName("data")
                                                .get()
                                                .getMetadata()
                                                .getAnnotations(),
                                        Map.<String, String>of())
                                .get("volume.kubernetes.io/selected-node")));
        assertThat(calls.nodeOf("p")).isEmpty();

        plane.client()
                .persistentVolumeClaims()
                .inNamespace("default")
                .withName("data")
                .edit(claim -> {
                    claim.getSpec().setVolumeName("pv");
                    return claim;
                });
        plane.client()
                .persistentVolumeClaims()
                .inNamespace("default")
                .withName("data")
                .editStatus(claim -> {
                    claim.getStatus().setPhase("Bound");
                    return claim;
                });

        calls.awaitBound("p");
    }

    @Test
    void aVolumeThatIsNeverMade_keepsNoGpuForEver() {
        plane.addNodes(t9kNode("n1", "xgn", 1));
        createClaim();
        calls.create(claiming("waits"));
        plane.run(TestPlane.settings("t9k").withVolumeTimeout(Duration.ofSeconds(2)));
        calls.awaitEvent("FailedScheduling", "waits");
        calls.awaitPendingBecause("waits", "volume claims [data] were not provisioned on node \"n1\" within 2 s");
        calls.create(pod("next", T9kDialect.GPU, "1"));
        calls.awaitBound("next");
    }

    private void createClaim() {
        plane.client()
                .storage()
                .v1()
                .storageClasses()
                .resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName("late")
                        .endMetadata()
                        .withProvisioner("example.com/disks")
                        .withVolumeBindingMode("WaitForFirstConsumer")
                        .build())
                .createOr(found -> found.update());
        plane.client()
                .persistentVolumeClaims()
                .inNamespace("default")
                .resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data")
                        .endMetadata()
                        .withNewSpec()
                        .withStorageClassName("late")
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
    }

    @AfterEach
    void deleteClaim() {
        plane.client()
                .persistentVolumeClaims()
                .inNamespace("default")
                .withName("data")
                .edit(claim -> {
                    claim.getMetadata().setFinalizers(List.of());
                    return claim;
                });
        plane.client()
                .persistentVolumeClaims()
                .inNamespace("default")
                .withName("data")
                .delete();
        Await.until(
                "the claim is gone",
                () -> plane.client()
                                .persistentVolumeClaims()
                                .inNamespace("default")
                                .withName("data")
                                .get()
                        == null);
    }

    private static Pod claiming(String name) {
        return new PodBuilder(pod(name, T9kDialect.GPU, "1"))
                .editSpec()
                .addNewVolume()
                .withName("v")
                .withNewPersistentVolumeClaim("data", false)
                .endVolume()
                .endSpec()
                .build();
    }
}
