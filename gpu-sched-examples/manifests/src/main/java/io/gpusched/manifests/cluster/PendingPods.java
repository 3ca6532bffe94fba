package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The pending pods of a cluster: what they request, and which nodes their scheduler keeps for them. */
public final class PendingPods {
    private final SeenCluster seen;

    private PendingPods(SeenCluster seen) {
        this.seen = seen;
    }

    /** Returns those of a cluster. */
    public static PendingPods of(SeenCluster seen) {
        return new PendingPods(Objects.requireNonNull(seen, "seen"));
    }

    /** Returns a pod on nodes of its system, with its claims where they are known; nothing where its dialect refuses it. */
    public Optional<io.gpusched.workload.Pod> request(Pod pod) {
        try {
            PodManifest manifest =
                    seen.onItsNodes(ManifestReader.pod(seen.asked(pod)).counting(seen.dialects()::isCounted));
            PodManifest with =
                    seen.claimed(pod).map(claimed -> claimed.with(manifest)).orElse(manifest);
            return Optional.of(seen.dialects().ofPod(manifest).dialect().pod(with, seen.cluster()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the pods for which their scheduler keeps a node, each as if it ran there: pods of the same or a lower priority do not
     * take their place.
     *
     * @param priority the priority of the pods that are placed
     * @param without these pods
     */
    public List<Pod> nominated(int priority, Set<PodId> without) {
        List<Pod> kept = new ArrayList<>();
        for (Pod pod : seen.waiting()) {
            String node = pod.getStatus() == null
                    ? ""
                    : Objects.requireNonNullElse(pod.getStatus().getNominatedNodeName(), "");
            if (!node.isEmpty() && !without.contains(SeenCluster.idOf(pod)) && priority(pod) >= priority) {
                kept.add(seen.asked(pod)
                        .edit()
                        .editSpec()
                        .withNodeName(node)
                        .endSpec()
                        .build());
            }
        }
        return kept;
    }

    /** Returns what has to be said of a pod that is {@linkplain #nominated nominated}. */
    public static String words(Pod nominated) {
        return "node " + SeenCluster.nodeOf(nominated) + " is kept for "
                + nominated.getMetadata().getNamespace() + "/"
                + nominated.getMetadata().getName() + ", which its scheduler nominated for it";
    }

    /** Returns a cluster with pods that are {@linkplain #nominated nominated} on their nodes, as far as these have room by now. */
    public Cluster keeping(Cluster cluster, List<Pod> nominated) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster kept = cluster;
        for (Pod pod : nominated) {
            Cluster now = kept;
            kept = request(pod)
                    .flatMap(asked -> now.node(SeenCluster.nodeOf(pod)).flatMap(node -> scheduler.place(node, asked)))
                    .map(now::with)
                    .orElse(now);
        }
        return kept;
    }

    /** Returns the priority of a pod; 0 where none is written. */
    public static int priority(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getPriority(), 0);
    }
}
