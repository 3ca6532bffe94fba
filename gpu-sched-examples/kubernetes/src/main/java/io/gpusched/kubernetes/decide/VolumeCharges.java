package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.volume.AttachLimits;
import io.gpusched.kubernetes.volume.AttachedVolumes;
import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.kubernetes.volume.VolumeBook;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Puts pods into the book with what their volumes take of the attach limits of their nodes, and out again. A volume that several
 * pods of a node use is charged to one of them; a pod that belongs to its node, as those of a DaemonSet do, is charged with all
 * its volumes, because it is a part of the node and no tenant.
 */
final class VolumeCharges {
    private final ClusterBook book;
    private final VolumeBook volumes;
    private final AttachedVolumes attached = new AttachedVolumes();

    VolumeCharges(ClusterBook book, VolumeBook volumes) {
        this.book = book;
        this.volumes = volumes;
    }

    /** A pod runs. */
    void putPod(RunningPod pod) {
        Set<CsiVolume> used = volumes.attachable(pod.id().namespace(), pod.claims());
        Set<PodId> others = attached.put(pod.id(), pod.node(), pod.ofNode() ? Set.of() : used);
        book.putPod(pod.withManifest(AttachLimits.with(
                pod.manifest(), pod.ofNode() ? AttachedVolumes.amounts(used) : attached.charge(pod.id()))));
        others.forEach(this::chargeAgain);
    }

    /** A pod does not run, or not any more. */
    void removePod(PodId id) {
        book.removePod(id);
        attached.remove(id).forEach(this::chargeAgain);
    }

    /**
     * A pod is to run as decided; returns its placement with what it is charged.
     *
     * @throws PlacementConflictException if it does not fit there
     */
    Placement assume(Placement placement, Set<CsiVolume> used) {
        Placement charged = tryOut(placement, used);
        try {
            book.assume(charged);
        } catch (PlacementConflictException e) {
            forget(placement.pod());
            throw e;
        }
        return charged;
    }

    /** Returns a placement with what it would be charged, which placements that are tried out after it take into account. */
    Placement tryOut(Placement placement, Set<CsiVolume> used) {
        Placement charged = AttachLimits.with(placement, attached.lacking(placement.node(), used));
        attached.put(placement.pod(), placement.node(), used);
        return charged;
    }

    /** What was tried out is undone. */
    void forget(PodId id) {
        attached.remove(id);
    }

    /** What a pod with these volumes would be charged with if it came to a node now, by the name of the resource. */
    Map<String, Long> lacking(String node, Set<CsiVolume> used) {
        return attached.lacking(node, used);
    }

    /** Whether any node has a volume. */
    boolean isAttached(CsiVolume volume) {
        return attached.isAttached(volume);
    }

    /** Charges pods that have a place again, as far as their claims and volumes are known by now. */
    void recount(PodTable pods) {
        if (volumes.haveLimitsChanged()) {
            book.extendNodes();
        }
        for (PodId id : List.copyOf(pods.claiming())) {
            book.running(id).ifPresentOrElse(this::putPod, () -> recountAssumed(Objects.requireNonNull(pods.row(id))));
        }
    }

    private void recountAssumed(PodRow row) {
        book.nodeOf(row.id()).ifPresent(node -> {
            Set<CsiVolume> used = volumes.attachable(row.id().namespace(), row.claims());
            attached.put(row.id(), node, used).forEach(this::chargeAgain);
            chargeAgain(row.id());
        });
    }

    private void chargeAgain(PodId id) {
        var charge = attached.charge(id);
        book.running(id)
                .ifPresentOrElse(
                        running -> book.putPod(running.withManifest(AttachLimits.with(running.manifest(), charge))),
                        () -> book.assumed(id)
                                .ifPresent(before -> book.assumeAgain(AttachLimits.with(before, charge))));
    }
}
