package io.gpusched.kubernetes.defrag;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.gpusched.analysis.MoveLimits;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.manifests.cluster.Protection;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.PodId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The pods that run and may be moved, and the budgets that protect any. Not thread-safe. */
final class MovablePods {
    /** By this annotation the cluster autoscaler is told to leave a pod alone. */
    private static final String SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict";

    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final Scope scope;

    /** Their names, labels and owners. */
    private final Map<PodId, Pod> movable = new HashMap<>();

    /** All that run, as budgets select by labels, whichever scheduler places a pod. */
    private final Map<PodId, Pod> running = new HashMap<>();

    private final Map<String, PodDisruptionBudget> budgets = new TreeMap<>();

    MovablePods(Scope scope) {
        this.scope = scope;
    }

    void apply(Change change) {
        if (change instanceof Change.PodPut put) {
            put(put.pod());
        } else if (change instanceof Change.PodGone gone) {
            forget(gone.id(), gone.uid());
        } else if (change instanceof Change.BudgetPut put) {
            budgets.put(key(put.budget()), put.budget());
        } else if (change instanceof Change.BudgetGone gone) {
            budgets.remove(key(gone.budget()));
        }
    }

    private static String key(PodDisruptionBudget budget) {
        return budget.getMetadata().getNamespace() + "/" + budget.getMetadata().getName();
    }

    private void put(Pod pod) {
        PodId id = idOf(pod);
        movable.remove(id);
        running.remove(id);
        boolean runs = pod.getSpec().getNodeName() != null
                && (pod.getStatus() == null
                        || !ENDED.contains(String.valueOf(pod.getStatus().getPhase())));
        if (runs) {
            Pod outline = outline(pod, id);
            running.put(id, outline);
            if (mayMove(pod)) {
                movable.put(id, outline);
            }
        }
    }

    private static PodId idOf(Pod pod) {
        String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE);
        return new PodId(namespace, pod.getMetadata().getName());
    }

    private void forget(PodId id, String uid) {
        Pod known = running.get(id);
        if (known != null && uid.equals(known.getMetadata().getUid())) {
            running.remove(id);
            movable.remove(id);
        }
    }

    /** A pod that no controller would make again, or whose volume may be of its node, stays. */
    private boolean mayMove(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return scope.holds(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && controller(pod).isPresent()
                && !ResidentPods.isOfNode(pod)
                && RunningPod.claims(pod).isEmpty()
                && (annotations == null || !"false".equals(annotations.get(SAFE_TO_EVICT)));
    }

    private static Optional<OwnerReference> controller(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst();
    }

    private static Pod outline(Pod pod, PodId id) {
        return new PodBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(id.namespace())
                        .withName(id.name())
                        .withUid(pod.getMetadata().getUid())
                        .withLabels(pod.getMetadata().getLabels())
                        .withOwnerReferences(pod.getMetadata().getOwnerReferences())
                        .build())
                .build();
    }

    /** Returns what may move: groups as a whole, and no more at one time than budgets allow. */
    MoveLimits limits(int most) {
        return MoveLimits.of(most)
                .keeping(held -> !movable.containsKey(held.pod()))
                .within(Protection.of(budgets.values(), running.values()))
                .wholeGroups();
    }

    /** Returns the pod to evict, by name and identity; nothing if it may not be moved any more. */
    Optional<NominationRecord.Victim> victim(PodId id) {
        return Optional.ofNullable(movable.get(id))
                .map(pod -> new NominationRecord.Victim(id, pod.getMetadata().getUid()));
    }

    boolean isThere(NominationRecord.Victim victim) {
        Pod pod = running.get(victim.pod());
        return pod != null && victim.uid().equals(pod.getMetadata().getUid());
    }

    /** Returns the identities of the controllers of some pods. */
    Set<String> owners(List<NominationRecord.Victim> victims) {
        Set<String> owners = new HashSet<>();
        for (NominationRecord.Victim victim : victims) {
            Optional.ofNullable(running.get(victim.pod()))
                    .flatMap(MovablePods::controller)
                    .ifPresent(owner -> owners.add(owner.getUid()));
        }
        return owners;
    }

    /** Returns the identities of the pods that run of some controllers. */
    Set<String> ofOwners(Set<String> owners) {
        Set<String> uids = new HashSet<>();
        for (Pod pod : running.values()) {
            if (controller(pod).filter(owner -> owners.contains(owner.getUid())).isPresent()) {
                uids.add(pod.getMetadata().getUid());
            }
        }
        return uids;
    }
}
