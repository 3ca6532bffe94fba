package io.gpusched.kubernetes.decide;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.manifests.grant.BindingStamps;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Makes a decision one to write, and takes it that it will be written: the pod runs from now on, as far as others see it. */
final class Binder {
    private final ClusterBook book;
    private final VolumeCharges charges;
    private final PodTable pods;
    private final BindingStamps stamps;
    private final DeviceClaims devices;

    Binder(ClusterBook book, VolumeCharges charges, PodTable pods, BindingStamps stamps, DeviceClaims devices) {
        this.devices = devices;
        this.book = book;
        this.charges = charges;
        this.pods = pods;
        this.stamps = stamps;
    }

    /**
     * Assumes that a pod runs where it was placed.
     *
     * @param more annotations beside its grant
     * @throws io.gpusched.model.PlacementConflictException if it does not fit there
     */
    Binding bind(Request.Ready ready, Placement decided, Map<String, String> more) {
        // what the API server tells of a pod that runs is to equal what was assumed
        Placement placement =
                charges.assume(decided.withGroup(book.membership(ready.pod().group())), ready.volumes());
        try {
            return written(ready, placement, more);
        } catch (RuntimeException e) {
            charges.removePod(placement.pod());
            throw e;
        }
    }

    private Binding written(Request.Ready ready, Placement placement, Map<String, String> more) {
        Node node = book.cluster().node(placement.node()).orElseThrow().node();
        Dialect dialect = book.dialect(placement.node());
        Placement own = ready.manifest().withoutClaimed(placement); // what claims have stands in their status
        BindingMetadata metadata = stamps.stamp(dialect, dialect.write(ready.manifest(), node, own));
        Map<String, String> annotations = new TreeMap<>(GrantAnnotations.of(own, node, metadata));
        annotations.putAll(more);
        PodBinding write = PodBinding.of(ready.pod().object(), placement, annotations, metadata.labels());
        Binding binding = new Binding(ready.pod(), write, ready.claims(), devices.assume(ready, placement));
        PodRow row = Objects.requireNonNull(pods.row(placement.pod()));
        pods.put(row.bindingTo(binding, RunningPod.claims(ready.pod().object())));
        return binding;
    }

    /** Takes back a binding that was not given to be written: the pod waits again. */
    void undo(Binding binding) {
        PodRow row = Objects.requireNonNull(pods.row(binding.pod().id()));
        devices.undo(row.id(), row.uid());
        charges.removePod(row.id());
        pods.put(row.waitingAgain());
    }
}
