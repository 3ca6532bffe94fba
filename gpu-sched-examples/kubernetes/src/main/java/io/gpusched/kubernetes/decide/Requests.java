package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.kubernetes.volume.AttachLimits;
import io.gpusched.kubernetes.volume.AttachedVolumes;
import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.kubernetes.volume.VolumeBook;
import io.gpusched.kubernetes.volume.VolumeNeeds;
import io.gpusched.manifests.claim.ClaimRequests;
import io.gpusched.manifests.claim.ClaimedGpus;
import io.gpusched.manifests.claim.SeenClaim;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.manifests.objects.UnhonouredConstraint;
import io.gpusched.manifests.objects.UnhonouredConstraints;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.PodId;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.PodAffinity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns pods into requests. What a pod demands and is not honoured blocks it, by the name of the field. */
final class Requests {
    /** What is looked at here and not in the translation. */
    private static final NodeSelector WITHOUT_CLAIMS = NodeSelector.all(
            new NodeRequirement(DeviceClaims.LABEL, NodeRequirement.Operator.DOES_NOT_EXIST, List.of()));

    private static final String SHARED = "shared";

    private static final Set<String> HONOURED = Set.of(
            "spec.schedulingGroup",
            "spec.schedulingGates",
            "spec.volumes.persistentVolumeClaim",
            "spec.volumes.ephemeral");

    private final DialectSet dialects;
    private final VolumeBook volumes;
    private final PodTable pods;
    private final DeviceClaims devices;
    private final Map<PodId, Request> translated = new HashMap<>();

    Requests(DialectSet dialects, VolumeBook volumes, PodTable pods, DeviceClaims devices) {
        this.devices = devices;
        this.dialects = dialects;
        this.volumes = volumes;
        this.pods = pods;
    }

    /**
     * Returns the request of a pod. What is asked of it depends on nothing else, unless it uses volumes, and is not translated
     * again.
     *
     * @param claimsOfOthers claims that others of its group use, which are decided on with it
     */
    @SuppressWarnings("ReferenceEquality") // a pod that changed is another object
    Request of(PendingPod pod, Set<String> claimsOfOthers) {
        Request known = translated.get(pod.id());
        if (known != null && known.pod() == pod) {
            return known;
        }
        Request request = translate(pod, claim -> claimsOfOthers.contains(claim) || pods.isClaimUsed(pod.id(), claim));
        if (pod.object().getSpec().getVolumes().isEmpty() && !devices.concern(pod.object())) {
            translated.put(pod.id(), request);
        }
        return request;
    }

    /**
     * Returns the request of one of several pods of a group that may share claims without devices: one of them asks for the devices, and
     * the others for its node, so that they are placed by one search.
     */
    Request together(Request.Ready one, List<Request.Ready> group) {
        PodManifest manifest = one.manifest();
        for (SeenClaim claim : one.devices().open()) {
            if (group.stream().anyMatch(other -> other.devices().shared().contains(claim))) {
                manifest = manifest.withLabel(label(claim), SHARED);
            }
        }
        for (SeenClaim claim : one.devices().shared()) {
            if (group.stream().noneMatch(other -> other.devices().open().contains(claim))) {
                return new Request.Blocked(
                        one.pod(),
                        PendingReason.CLAIM,
                        "resource claim " + claim.claim().name()
                                + " is to be allocated for another pod of its group, which cannot start");
            }
            manifest =
                    manifest.near(PodAffinity.Term.of(LabelSelector.label(label(claim), SHARED), NodeRequirement.NAME));
        }
        return one.asking(manifest);
    }

    /** Of the pod for which a claim is allocated, in the book alone. */
    private static String label(SeenClaim claim) {
        return "gpu-sched.io/claim " + claim.claim().name();
    }

    /** What requests depend on beside their pods has changed. */
    void forgetAll() {
        translated.clear();
    }

    /** A pod no longer waits. */
    void forget(PodId id) {
        translated.remove(id);
    }

    private Request translate(PendingPod pending, Predicate<String> isClaimUsed) {
        try {
            ClaimedGpus claimed = devices.of(pending);
            Pod rest = claimed instanceof ClaimedGpus.Asked asked ? asked.rest(pending.object()) : pending.object();
            PodManifest manifest = ManifestReader.pod(rest).counting(dialects::isCounted);
            NamedDialect named = dialects.ofPod(manifest);
            if (claimed instanceof ClaimedGpus.Waiting waiting) {
                return new Request.Blocked(pending, PendingReason.CLAIM, waiting.why());
            }
            String unhonoured = unhonoured(rest, manifest, named, ClaimRequests.problem(claimed));
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
            Set<CsiVolume> used = volumes.attachable(pending.id().namespace(), RunningPod.claims(pending.object()));
            PodManifest placeable = AttachLimits.with(
                    manifest.onNodes(dialects.nodesFor(manifest, named)).onNodes(needs.nodes()),
                    AttachedVolumes.amounts(used));
            boolean asksForGpus = named.dialect().pod(placeable).containers().stream()
                    .anyMatch(container -> !container.gpu().isNone());
            ClaimedGpus.Asked asked = (ClaimedGpus.Asked) claimed;
            boolean claims =
                    Stream.of(asked.open(), asked.held(), asked.shared()).anyMatch(some -> !some.isEmpty());
            if (asksForGpus && claims) {
                return new Request.Blocked(
                        pending,
                        PendingReason.NOT_HONOURED,
                        "spec.resourceClaims: it asks for devices by claims and by resources, which is not honoured");
            }
            PodManifest served =
                    asksForGpus && devices.haveNodes() ? placeable.onNodes(WITHOUT_CLAIMS) : asked.with(placeable);
            return new Request.Ready(pending, served, named, needs.toProvision(), used, asked);
        } catch (IllegalArgumentException e) {
            return new Request.Blocked(pending, PendingReason.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    private String unhonoured(Pod pod, PodManifest manifest, NamedDialect named, Optional<String> claims) {
        Set<String> byName = new HashSet<>(manifest.overhead().named().names());
        for (ContainerManifest container : manifest.containers()) {
            byName.addAll(container.named().names());
        }
        byName.removeAll(named.resources());
        return UnhonouredConstraints.of(pod, named.served(byName), byName, claims).stream()
                .filter(one -> one.required() && !HONOURED.contains(one.name()))
                .map(Requests::words)
                .collect(Collectors.joining("; "));
    }

    private static String words(UnhonouredConstraint constraint) {
        return constraint.path() + ": " + constraint.problem();
    }
}
