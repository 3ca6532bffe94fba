package io.gpusched.examples.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.examples.dialect.NamedDialect;
import io.gpusched.examples.kubernetes.view.DialectSet;
import io.gpusched.examples.kubernetes.view.RunningPod;
import io.gpusched.examples.kubernetes.volume.AttachLimits;
import io.gpusched.examples.kubernetes.volume.VolumeBook;
import io.gpusched.examples.kubernetes.volume.VolumeNeeds;
import io.gpusched.examples.manifest.ManifestReader;
import io.gpusched.examples.manifest.UnhonouredConstraint;
import io.gpusched.examples.manifest.UnhonouredConstraints;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Turns pods into requests. What a pod demands and is not honoured blocks it, by the name of the field. */
final class Requests {
    /** What is looked at here and not in the translation. */
    private static final Set<String> HONOURED = Set.of(
            "spec.schedulingGroup",
            "spec.schedulingGates",
            "spec.volumes.persistentVolumeClaim",
            "spec.volumes.ephemeral");

    private final DialectSet dialects;
    private final VolumeBook volumes;

    Requests(DialectSet dialects, VolumeBook volumes) {
        this.dialects = dialects;
        this.volumes = volumes;
    }

    /** Returns the request of a pod. */
    Request of(PendingPod pending, Predicate<String> isClaimUsed) {
        try {
            PodManifest manifest = ManifestReader.pod(pending.object()).counting(dialects::isCounted);
            NamedDialect named = dialects.ofPod(manifest);
            String unhonoured = unhonoured(pending.object(), manifest, named);
            if (!unhonoured.isEmpty()) {
                return new Request.Blocked(pending, PendingReason.NOT_HONOURED, unhonoured);
            }
            VolumeNeeds needs = volumes.of(pending.object(), isClaimUsed);
            if (!needs.problem().isEmpty()) {
                boolean never = !needs.field().isEmpty();
                return new Request.Blocked(
                        pending,
                        never ? PendingReason.NOT_HONOURED : PendingReason.VOLUME,
                        never ? needs.field() + ": " + needs.problem() : needs.problem());
            }
            PodManifest placeable = AttachLimits.with(
                    manifest.onNodes(dialects.nodesFor(manifest, named)).onNodes(needs.nodes()),
                    volumes.attached(pending.id().namespace(), RunningPod.claims(pending.object())));
            named.dialect().pod(placeable);
            return new Request.Ready(pending, placeable, named, needs.toProvision());
        } catch (IllegalArgumentException e) {
            return new Request.Blocked(pending, PendingReason.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    private String unhonoured(Pod pod, PodManifest manifest, NamedDialect named) {
        Set<String> served = new HashSet<>(named.resources());
        for (ContainerManifest container : manifest.containers()) {
            served.addAll(container.named().names());
        }
        return UnhonouredConstraints.of(pod, served).stream()
                .filter(one -> one.required() && !HONOURED.contains(one.name()))
                .map(Requests::words)
                .collect(Collectors.joining("; "));
    }

    private static String words(UnhonouredConstraint constraint) {
        return constraint.path() + ": " + constraint.problem();
    }
}
