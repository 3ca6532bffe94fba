package io.gpusched.manifests.view;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A pod that is bound to a node and has not ended.
 *
 * @param uid its identity
 * @param node the node's name
 * @param manifest what it asks and holds, and its annotations
 * @param group its group
 * @param claims the names of the volume claims that it uses
 * @param ofNode whether it belongs to its node: a pod of a DaemonSet, or one that the kubelet runs by itself
 */
public record RunningPod(
        String uid, String node, PodManifest manifest, Optional<GroupKey> group, List<String> claims, boolean ofNode) {
    private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /** Reads a pod that has a node. One that cannot be read is there all the same, with the GPUs that it asks for. */
    public static RunningPod of(Pod pod) {
        try {
            return read(pod);
        } catch (RuntimeException e) {
            return unreadable(pod, String.valueOf(e.getMessage()));
        }
    }

    private static RunningPod read(Pod pod) {
        PodManifest manifest = ManifestReader.runningPod(pod);
        return new RunningPod(
                pod.getMetadata().getUid(),
                Objects.requireNonNull(pod.getSpec().getNodeName(), "spec.nodeName"),
                withoutText(manifest),
                GroupVocabulary.groupOf(pod),
                claims(pod),
                ResidentPods.isOfNode(pod));
    }

    /** Returns whether a pod is a part of its node and no tenant: it belongs there, and nothing that it asks for means GPUs. */
    boolean isResident(Predicate<String> isCounted) {
        return ofNode && ResidentPods.asksForNoGpus(manifest, isCounted);
    }

    /** A pod that tells only where it is and what it asks for beside CPU and memory. */
    private static RunningPod unreadable(Pod pod, String problem) {
        PodId id = new PodId(
                Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE),
                pod.getMetadata().getName());
        PodManifest manifest =
                PodManifest.of(id.toString(), devices(pod)).withAnnotations(Map.of(GrantAnnotations.GRANT, problem));
        return new RunningPod(
                pod.getMetadata().getUid(), pod.getSpec().getNodeName(), manifest, Optional.empty(), List.of(), false);
    }

    private static List<ContainerManifest> devices(Pod pod) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (Container container : pod.getSpec().getContainers()) {
            Map<String, String> limits = new HashMap<>();
            if (container.getResources() != null && container.getResources().getLimits() != null) {
                container.getResources().getLimits().forEach((resource, amount) -> {
                    if (resource.contains("/") && amount != null) {
                        limits.put(resource, amount.toString());
                    }
                });
            }
            containers.add(ContainerManifest.limits("container-" + containers.size(), limits));
        }
        return containers.isEmpty() ? List.of(ContainerManifest.limits("unknown", Map.of())) : containers;
    }

    /** What kubectl keeps on a pod is as long as the pod itself and says nothing more. */
    private static PodManifest withoutText(PodManifest manifest) {
        if (!manifest.annotations().containsKey(APPLIED)) {
            return manifest;
        }
        Map<String, String> annotations = new HashMap<>(manifest.annotations());
        annotations.remove(APPLIED);
        return manifest.withAnnotations(annotations);
    }

    /** Returns the names of the claims that a pod uses once it runs. */
    public static List<String> claims(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .map(volume -> volume.getPersistentVolumeClaim() != null
                        ? volume.getPersistentVolumeClaim().getClaimName()
                        : volume.getEphemeral() == null ? "" : pod.getMetadata().getName() + "-" + volume.getName())
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Returns the pod as it is described by another manifest. */
    public RunningPod withManifest(PodManifest other) {
        return new RunningPod(uid, node, other, group, claims, ofNode);
    }

    /** Returns the pod's name. */
    public PodId id() {
        return manifest.id();
    }
}
