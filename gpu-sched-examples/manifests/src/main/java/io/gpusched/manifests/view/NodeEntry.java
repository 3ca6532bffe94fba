package io.gpusched.manifests.view;

import io.gpusched.dialect.NodeManifest;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that is known of one node: what the API server says of it, and the pods that run there or are assumed to. */
final class NodeEntry {
    /** What the API server says of the node; null where it is not there. */
    @Nullable
    NodeManifest described;

    /** Null where the node is not there, or cannot be translated. */
    @Nullable
    NodeTranslation translation;

    /** The pods that are bound there. */
    final Map<PodId, RunningPod> running = new TreeMap<>();

    /** The pods that are about to be bound there. */
    final Map<PodId, Placement> assumed = new TreeMap<>();

    /** The pods that belong to the node, and hold no GPUs. */
    final Map<PodId, RunningPod> residents = new TreeMap<>();

    /** Whether what runs there does not fit as it says, so that every change makes the node again. */
    boolean troubled;

    private @Nullable NodeState empty;

    /** The node without anyone, kept as long as the node stays as it is. */
    @SuppressWarnings("ReferenceEquality") // a node that changed is another object
    NodeState empty(Node node) {
        if (empty == null || empty.node() != node) {
            empty = Cluster.of(List.of(node)).node(0);
        }
        return empty;
    }

    /** Whether a pod was assumed to hold just what it holds, and to have the labels, rules and group that it has. */
    boolean confirms(RunningPod pod, Optional<GroupMembership> membership) {
        Placement placement = assumed.get(pod.id());
        if (placement == null || translation == null) {
            return false;
        }
        try {
            return isAsked(pod, placement)
                    && RunningPlacement.of(pod, empty(translation.node()), translation.named())
                            .withGroup(membership)
                            .equals(placement);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether annotations of two states of a pod that runs say that it holds the same, and tell its containers the same. */
    boolean isHeldAlike(RunningPod before, RunningPod after) {
        return variables(before).equals(variables(after)) && grants(before).equals(grants(after));
    }

    private static Map<String, String> variables(RunningPod pod) {
        Map<String, String> variables = new TreeMap<>(pod.manifest().annotations());
        variables.keySet().removeIf(key -> !GrantAnnotations.isVariable(key));
        return variables;
    }

    /** What cannot be read is not alike. */
    private Object grants(RunningPod pod) {
        if (translation == null) {
            return pod.manifest().annotations();
        }
        try {
            return RunningPlacement.of(pod, empty(translation.node()), translation.named())
                    .containers();
        } catch (RuntimeException e) {
            return pod.manifest().annotations();
        }
    }

    /** A pod may have got other labels, or have been deleted, before it was first told of as bound. */
    private static boolean isAsked(RunningPod pod, Placement assumed) {
        return assumed.spec().orElse(null) instanceof PodSpec spec
                && spec.rules().equals(pod.manifest().rules());
    }

    boolean isIdle() {
        return described == null && running.isEmpty() && assumed.isEmpty() && residents.isEmpty();
    }
}
