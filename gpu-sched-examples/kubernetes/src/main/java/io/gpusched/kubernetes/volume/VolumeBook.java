package io.gpusched.kubernetes.volume;

import io.fabric8.kubernetes.api.model.CSIPersistentVolumeSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.TopologySelectorTerm;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The volumes, claims and storage classes of a cluster, and how many of them nodes can attach. Not thread-safe. */
public final class VolumeBook {
    /** Annotation of a claim: the node on which its volume is made. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    private static final String WAIT = "WaitForFirstConsumer";
    private static final String ONE_POD = "ReadWriteOncePod";
    private static final List<String> ZONES = List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

    private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
    private final Set<String> rejected = new HashSet<>();
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, StorageClass> classes = new HashMap<>();
    private final AttachLimits limits = new AttachLimits();
    private boolean limitsChanged;

    /** Takes note of a claim, a volume, a class or what a node can attach; others are passed over. */
    public void put(HasMetadata object) {
        if (object instanceof PersistentVolumeClaim claim) {
            PersistentVolumeClaim before = claims.put(key(object), claim);
            boolean lost = before != null && hasNode(before) && !hasNode(claim) && !isBound(claim);
            if (lost) {
                rejected.add(key(object));
            } else if (hasNode(claim) || isBound(claim)) {
                rejected.remove(key(object));
            }
        } else if (object instanceof PersistentVolume volume) {
            volumes.put(key(object), volume);
        } else if (object instanceof StorageClass storage) {
            classes.put(key(object), storage);
        } else if (object instanceof CSINode node) {
            limitsChanged |= limits.put(node);
        }
    }

    /** Takes note that a claim, a volume, a class or what a node can attach is gone. */
    public void remove(HasMetadata object) {
        if (object instanceof PersistentVolumeClaim) {
            claims.remove(key(object));
            rejected.remove(key(object));
        } else if (object instanceof PersistentVolume) {
            volumes.remove(key(object));
        } else if (object instanceof StorageClass) {
            classes.remove(key(object));
        } else if (object instanceof CSINode) {
            limitsChanged |= limits.remove(key(object));
        }
    }

    /** Returns how many volumes nodes can attach. */
    public AttachLimits limits() {
        return limits;
    }

    /** Returns whether drivers have limits that had none, or the other way round, since this was asked last. */
    public boolean haveLimitsChanged() {
        boolean changed = limitsChanged;
        limitsChanged = false;
        return changed;
    }

    /** Returns the volumes that claims stand for, of drivers that any node limits; a claim without a volume counts by its class. */
    public Set<CsiVolume> attachable(String namespace, Collection<String> names) {
        Set<CsiVolume> all = new LinkedHashSet<>();
        for (String name : names) {
            PersistentVolumeClaim claim = claims.get(namespace + "/" + name);
            CsiVolume volume = claim == null ? null : volume(claim);
            if (volume != null && limits.isLimited(volume.driver())) {
                all.add(volume);
            }
        }
        return all;
    }

    private @Nullable CsiVolume volume(PersistentVolumeClaim claim) {
        PersistentVolume volume = isBound(claim) ? volumes.get(claim.getSpec().getVolumeName()) : null;
        if (volume != null) {
            CSIPersistentVolumeSource csi = volume.getSpec().getCsi();
            return csi == null ? null : new CsiVolume(csi.getDriver(), csi.getVolumeHandle());
        }
        String className = claim.getSpec().getStorageClassName();
        StorageClass storage = className == null ? null : classes.get(className);
        return storage == null ? null : new CsiVolume(storage.getProvisioner(), "claim " + key(claim));
    }

    private static String key(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        String name = object.getMetadata().getName();
        return namespace == null ? name : namespace + "/" + name;
    }

    /** Returns whether a claim is there and bound to a volume. */
    public boolean isBound(String namespace, String claim) {
        PersistentVolumeClaim known = claims.get(namespace + "/" + claim);
        return known != null && isBound(known);
    }

    /** Returns whether the node that a claim was told was taken from it again. */
    public boolean isRejected(String namespace, String claim) {
        return rejected.contains(namespace + "/" + claim);
    }

    private static boolean hasNode(PersistentVolumeClaim claim) {
        return claim.getMetadata().getAnnotations() != null
                && claim.getMetadata().getAnnotations().containsKey(SELECTED_NODE);
    }

    private static boolean isBound(PersistentVolumeClaim claim) {
        return claim.getStatus() != null
                && "Bound".equals(claim.getStatus().getPhase())
                && claim.getSpec().getVolumeName() != null;
    }

    /**
     * Returns what the volumes of a pod demand.
     *
     * @param pod the pod
     * @param isUsed whether another pod of the namespace uses the claim of this name
     */
    public VolumeNeeds of(Pod pod, Predicate<String> isUsed) {
        VolumeNeeds needs = VolumeNeeds.NONE;
        List<Volume> all = pod.getSpec().getVolumes();
        for (int i = 0; i < all.size(); i++) {
            needs = needs.and(of(pod, all.get(i), "spec.volumes[" + i + "]", isUsed));
        }
        return needs;
    }

    private VolumeNeeds of(Pod pod, Volume volume, String path, Predicate<String> isUsed) {
        boolean ephemeral = volume.getEphemeral() != null;
        if (!ephemeral && volume.getPersistentVolumeClaim() == null) {
            return VolumeNeeds.NONE;
        }
        String name = ephemeral
                ? pod.getMetadata().getName() + "-" + volume.getName()
                : volume.getPersistentVolumeClaim().getClaimName();
        PersistentVolumeClaim claim = claims.get(pod.getMetadata().getNamespace() + "/" + name);
        if (claim == null) {
            return VolumeNeeds.waiting("persistentvolumeclaim \"" + name + "\" not found");
        }
        if (ephemeral && !isOwned(claim, pod)) {
            return VolumeNeeds.waiting("persistentvolumeclaim \"" + name + "\" was not made for this pod");
        }
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            return VolumeNeeds.waiting("persistentvolumeclaim \"" + name + "\" is being deleted");
        }
        if (claim.getSpec().getAccessModes().contains(ONE_POD) && isUsed.test(name)) {
            return VolumeNeeds.waiting(
                    "persistentvolumeclaim \"" + name + "\" is " + ONE_POD + " and another pod uses it");
        }
        return isBound(claim) ? bound(claim, name) : unbound(claim, name, path);
    }

    private static boolean isOwned(PersistentVolumeClaim claim, Pod pod) {
        return claim.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner ->
                        Objects.equals(owner.getUid(), pod.getMetadata().getUid()));
    }

    private VolumeNeeds bound(PersistentVolumeClaim claim, String name) {
        PersistentVolume volume = volumes.get(claim.getSpec().getVolumeName());
        if (volume == null) {
            return VolumeNeeds.waiting("persistentvolume \"" + claim.getSpec().getVolumeName()
                    + "\" of persistentvolumeclaim \"" + name + "\" not found");
        }
        NodeSelector nodes = zones(volume.getMetadata().getLabels());
        if (volume.getSpec().getNodeAffinity() != null
                && volume.getSpec().getNodeAffinity().getRequired() != null) {
            nodes = nodes.and(
                    ManifestReader.nodes(volume.getSpec().getNodeAffinity().getRequired()));
        }
        return VolumeNeeds.on(nodes);
    }

    /** Volumes of old say by labels where they are; a label may name several zones. */
    private static NodeSelector zones(@Nullable Map<String, String> labels) {
        NodeSelector nodes = NodeSelector.ANY;
        for (String key : ZONES) {
            String zone = labels == null ? null : labels.get(key);
            if (zone != null) {
                nodes = nodes.and(NodeSelector.all(
                        new NodeRequirement(key, NodeRequirement.Operator.IN, List.of(zone.split("__", -1)))));
            }
        }
        return nodes;
    }

    private VolumeNeeds unbound(PersistentVolumeClaim claim, String name, String path) {
        String className = claim.getSpec().getStorageClassName();
        StorageClass storage = className == null ? null : classes.get(className);
        if (storage == null || !WAIT.equals(storage.getVolumeBindingMode())) {
            return VolumeNeeds.waiting("persistentvolumeclaim \"" + name + "\" is not bound to a volume yet");
        }
        if (NO_PROVISIONER.equals(storage.getProvisioner())) {
            return VolumeNeeds.unhonoured(
                    path + ".persistentVolumeClaim",
                    "storage class \"" + className + "\" makes no volumes; existing volumes are not chosen from");
        }
        NodeSelector nodes = allowed(storage);
        Map<String, String> annotations = claim.getMetadata().getAnnotations();
        String selected = annotations == null ? null : annotations.get(SELECTED_NODE);
        if (selected != null) {
            nodes = nodes.and(NodeSelector.all(NodeRequirement.in(NodeRequirement.NAME, selected)));
        }
        return new VolumeNeeds(nodes, List.of(name), "", "");
    }

    private static NodeSelector allowed(StorageClass storage) {
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (TopologySelectorTerm term : storage.getAllowedTopologies()) {
            List<NodeRequirement> all = term.getMatchLabelExpressions().stream()
                    .map(one -> new NodeRequirement(one.getKey(), NodeRequirement.Operator.IN, one.getValues()))
                    .toList();
            if (!all.isEmpty()) {
                terms.add(new NodeSelector.Term(all));
            }
        }
        return new NodeSelector(terms);
    }
}
