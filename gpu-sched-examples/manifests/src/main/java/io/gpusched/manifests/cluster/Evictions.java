package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.gpusched.analysis.DisruptionBudget;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.model.PodId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which running pods may be evicted, the one answer for all commands that move pods: not those of a disruption budget that lets none
 * go, pods that are marked not to be disrupted, and pods that could not start elsewhere because of a local volume or a resource
 * claim. Pods that belong to their node or are ending leave with the node and need no other place.
 */
public final class Evictions {
    /** Annotations by which pods ask not to be evicted, and the value that says so. */
    private static final Map<String, String> MARKS = Map.of(
            "karpenter.sh/do-not-disrupt", "true",
            "karpenter.sh/do-not-evict", "true",
            "cluster-autoscaler.kubernetes.io/safe-to-evict", "false",
            "descheduler.alpha.kubernetes.io/prefer-no-eviction", "true",
            "ray.io/do-not-evict", "true");

    /** The one mark whose value may also be how long after its start a pod is protected, such as {@code 30m}. */
    private static final String FOR_A_TIME = "karpenter.sh/do-not-disrupt";

    private static final Pattern TIME = Pattern.compile("([0-9]+(?:[.][0-9]+)?)(h|ms|m|s)");
    private static final Map<String, Long> MILLIS = Map.of("h", 3_600_000L, "m", 60_000L, "s", 1_000L, "ms", 1L);

    private final Map<PodId, String> refusals = new HashMap<>();
    private final Set<PodId> leaving = new HashSet<>();

    /**
     * Starts.
     *
     * @param unread the pods whose holdings are not known, each with the reason
     * @param now when pods would be evicted
     */
    Evictions(
            List<Pod> running,
            List<DisruptionBudget> budgets,
            List<HasMetadata> volumes,
            Map<PodId, String> unread,
            Instant now) {
        Set<String> local = local(volumes);
        for (Pod pod : running) {
            PodId id = SeenCluster.idOf(pod);
            if (ResidentPods.isOfNode(pod) || pod.getMetadata().getDeletionTimestamp() != null) {
                leaving.add(id);
            }
            mark(pod, now).or(() -> claim(pod)).or(() -> volume(pod, local)).ifPresent(why -> refusals.put(id, why));
        }
        for (DisruptionBudget budget : budgets) {
            if (budget.allowed() == 0) {
                String name = budget.name().substring(budget.name().indexOf('/') + 1);
                budget.pods().forEach(pod -> refusals.putIfAbsent(pod, "PodDisruptionBudget " + name));
            }
        }
        unread.forEach(refusals::putIfAbsent);
    }

    private static Optional<String> mark(Pod pod, Instant now) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (annotations == null) {
            return Optional.empty();
        }
        String time = annotations.getOrDefault(FOR_A_TIME, "");
        return isProtected(pod, time, now)
                ? Optional.of(FOR_A_TIME + ": " + time)
                : MARKS.entrySet().stream()
                        .filter(mark -> mark.getValue().equals(annotations.get(mark.getKey())))
                        .map(mark -> mark.getKey() + ": " + mark.getValue())
                        .sorted()
                        .findFirst();
    }

    /** Whether the time for which a pod is protected has not passed; where its start is not known, it has not. */
    private static boolean isProtected(Pod pod, String time, Instant now) {
        if (time.isEmpty() || !TIME.matcher(time).replaceAll("").isEmpty()) {
            return false;
        }
        double millis = TIME.matcher(time)
                .results()
                .mapToDouble(part -> Double.parseDouble(part.group(1)) * MILLIS.getOrDefault(part.group(2), 0L))
                .sum();
        String start = pod.getStatus() == null ? null : pod.getStatus().getStartTime();
        return start == null || Duration.between(Instant.parse(start), now).toMillis() < millis;
    }

    private static Optional<String> claim(Pod pod) {
        return pod.getSpec().getResourceClaims().stream()
                .map(claim -> "resource claim " + claim.getName())
                .findFirst();
    }

    /** The claims of volumes that are of one node alone. */
    private static Set<String> local(List<HasMetadata> volumes) {
        Set<String> names = new HashSet<>();
        for (HasMetadata object : volumes) {
            if (object instanceof PersistentVolume volume
                    && volume.getSpec() != null
                    && (volume.getSpec().getLocal() != null || volume.getSpec().getHostPath() != null)) {
                names.add(volume.getMetadata().getName());
            }
        }
        Set<String> claims = new HashSet<>();
        for (HasMetadata object : volumes) {
            if (object instanceof PersistentVolumeClaim claim
                    && claim.getSpec() != null
                    && names.contains(claim.getSpec().getVolumeName())) {
                claims.add(claim.getMetadata().getNamespace() + "/"
                        + claim.getMetadata().getName());
            }
        }
        return claims;
    }

    private static Optional<String> volume(Pod pod, Set<String> local) {
        for (Volume volume : pod.getSpec().getVolumes()) {
            String claim = volume.getPersistentVolumeClaim() != null
                    ? volume.getPersistentVolumeClaim().getClaimName()
                    : volume.getEphemeral() != null ? pod.getMetadata().getName() + "-" + volume.getName() : "";
            if (local.contains(pod.getMetadata().getNamespace() + "/" + claim)) {
                return Optional.of("local volume " + claim);
            }
        }
        return Optional.empty();
    }

    /** Returns why a pod may not be evicted; empty if it may, or if it leaves with its node. */
    public Optional<String> refusal(PodId pod) {
        return leaving.contains(pod) ? Optional.empty() : Optional.ofNullable(refusals.get(pod));
    }

    /** Returns whether a pod leaves with its node, or by itself, and needs no other place. */
    public boolean leavesWithNode(PodId pod) {
        return leaving.contains(pod);
    }

    /** Returns whether a pod stays where it is as long as its node does. */
    public boolean stays(PodId pod) {
        return leaving.contains(pod) || refusals.containsKey(pod);
    }
}
