package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Volumes of one CSI driver, the pods and groups that use them, and what nodes can attach. */
public final class VolumeObjects {
    static final String DRIVER = "ebs.csi.aws.com";

    /** What a node can attach of them, as a resource. */
    static final String RESOURCE = "attachable-volumes-csi-" + DRIVER;

    private VolumeObjects() {}

    /** What a node can attach. */
    static Change limit(String node, int most) {
        return new Change.VolumePut(csiNode(node, DRIVER, most));
    }

    /** What a node can attach of the volumes of a driver. */
    public static CSINode csiNode(String node, String driver, int most) {
        return new CSINodeBuilder()
                .withNewMetadata()
                .withName(node)
                .endMetadata()
                .withNewSpec()
                .addNewDriver()
                .withName(driver)
                .withNodeID(node)
                .withNewAllocatable(most)
                .endDriver()
                .endSpec()
                .build();
    }

    /** A volume and the claim that is bound to it. */
    static List<Change> volume(String claim) {
        return List.of(
                new Change.VolumePut(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName("pv-" + claim)
                        .endMetadata()
                        .withNewSpec()
                        .withNewCsi()
                        .withDriver(DRIVER)
                        .withVolumeHandle("handle-" + claim)
                        .endCsi()
                        .endSpec()
                        .build()),
                new Change.VolumePut(new PersistentVolumeClaimBuilder()
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

    /** Returns a pod that uses these claims too. */
    static Pod claiming(Pod pod, String... claims) {
        Pod using = pod;
        for (String claim : claims) {
            using = new PodBuilder(using)
                    .editSpec()
                    .addNewVolume()
                    .withName("v-" + using.getSpec().getVolumes().size())
                    .withNewPersistentVolumeClaim(claim, false)
                    .endVolume()
                    .endSpec()
                    .build();
        }
        return using;
    }

    /** Returns a group of Kubernetes' own. */
    static GroupSpec group(String name, int minimum) {
        GroupKey key = new GroupKey(GroupVocabulary.KUBERNETES, "default", name);
        return new GroupSpec(key, name, minimum, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), "");
    }

    /** Returns a pod as a member of a group. */
    static Pod member(Pod pod, String group) {
        return new PodBuilder(pod)
                .editSpec()
                .withNewSchedulingGroup(group)
                .endSpec()
                .build();
    }
}
