package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.decide.VolumeObjects;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many volumes of a CSI driver a node attaches, with CSINodes and volumes of a real API server. */
class AttachLimitsOnControlPlaneTest {
    private static final String DRIVER = "disks.example.com";
    private static final Quantity SIZE = new Quantity("1Gi");

    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    @AfterEach
    void removeVolumes() {
        plane.client().storage().v1().csiNodes().delete();
    }

    private static ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withName(name).build();
    }

    private static void limit(String node, int most) {
        plane.client().resource(VolumeObjects.csiNode(node, DRIVER, most)).create();
    }

    /** A volume and a claim that are bound to each other, as the controller of volumes leaves them. */
    private static void volume(String name) {
        plane.client()
                .resource(new PersistentVolumeBuilder()
                        .withMetadata(named("pv-" + name))
                        .withNewSpec()
                        .addToCapacity("storage", SIZE)
                        .withAccessModes("ReadWriteMany")
                        .withNewCsi()
                        .withDriver(DRIVER)
                        .withVolumeHandle("handle-" + name)
                        .endCsi()
                        .endSpec()
                        .build())
                .create();
        var claims = plane.client().persistentVolumeClaims().inNamespace("default");
        claims.resource(new PersistentVolumeClaimBuilder()
                        .withMetadata(named(name))
                        .withNewSpec()
                        .withVolumeName("pv-" + name)
                        .withStorageClassName("")
                        .withAccessModes("ReadWriteMany")
                        .withNewResources()
                        .addToRequests("storage", SIZE)
                        .endResources()
                        .endSpec()
                        .build())
                .create();
        claims.withName(name).editStatus(claim -> {
            claim.getStatus().setPhase("Bound");
            return claim;
        });
    }

    private static Pod using(String name, String claim) {
        return new PodBuilder(pod(name, T9kDialect.GPU, "1"))
                .editSpec()
                .addNewVolume()
                .withName("v")
                .withNewPersistentVolumeClaim(claim, false)
                .endVolume()
                .endSpec()
                .build();
    }

    @Test
    void aNodeWithOneAttachment_takesOneVolume_howeverManyPodsShareIt_andASecondWaitsAndSaysWhy() {
        plane.addNodes(t9kNode("n1", "xgn", 8));
        limit("n1", 1);
        List.of("one", "two").forEach(AttachLimitsOnControlPlaneTest::volume);
        plane.run(TestPlane.settings("t9k"));
        calls.create(using("first", "one"));
        calls.awaitBound("first");

        calls.create(using("second", "two"));
        calls.create(using("sharing", "one"));
        calls.awaitBound("sharing");
        calls.awaitPendingBecause("second", "attachable-volumes-csi-" + DRIVER);
        calls.awaitPendingBecause("second", "node(s) exceed max volume count");
        calls.awaitEvent("FailedScheduling", "second");
        assertThat(calls.nodeOf("second")).isEmpty();

        calls.delete("first");
        calls.delete("sharing");
        calls.awaitBound("second");
    }
}
