package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.evict.Disruptions;
import io.gpusched.kubernetes.extender.wire.Victims;
import io.gpusched.manifests.objects.UnhonouredConstraint;
import io.gpusched.manifests.objects.UnhonouredConstraints;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds whom to evict from one node for a pod: everyone who was offered and everyone of lower priority who holds GPUs may
 * go; then, the most important first, each who need not go stays. So of those who are left everyone is needed.
 *
 * <p>That is done once in order of importance, and once for each GPU with its users last, so that a GPU is found where few
 * have to go. Of these answers the one is taken that violates the fewest disruption budgets, then the one whose most important
 * victim matters least, then that with the fewest.
 *
 * <p>Important are first those whom a disruption budget protects, then higher priority, then who runs longer; of equals
 * those whom kube-scheduler did not offer. Whom it offered may be in the way for a reason that is not looked at here, such as
 * a host port; he stays only where the pod has no such reason.
 */
final class VictimSearch {
    private final AskedPod asked;
    private final NodeState node;
    private final DeviceFit fit;
    private final Function<PodId, Optional<Pod>> pods;
    private final Disruptions disruptions;

    VictimSearch(
            AskedPod asked,
            NodeState node,
            DeviceFit fit,
            Function<PodId, Optional<Pod>> pods,
            Disruptions disruptions) {
        this.asked = asked;
        this.node = node;
        this.fit = fit;
        this.pods = pods;
        this.disruptions = disruptions;
    }

    /** Returns whom to evict, or nothing if that helps nobody, or nobody need be evicted. */
    Optional<Victims> find(Victims offered) {
        Map<Pod, Placement> candidates = new LinkedHashMap<>();
        for (Placement placement : node.placements()) {
            pods.apply(placement.pod())
                    .filter(ClusterMirror::isBound)
                    .filter(pod -> isOffered(pod, offered) || isUnimportant(pod, placement))
                    .ifPresent(pod -> candidates.put(pod, placement));
        }
        NodeState left = node;
        for (Placement placement : candidates.values()) {
            left = left.without(placement);
        }
        return fit.place(left).isEmpty() ? Optional.empty() : best(candidates, left, offered);
    }

    private Optional<Victims> best(Map<Pod, Placement> candidates, NodeState emptied, Victims offered) {
        List<Pod> order = importantFirst(new ArrayList<>(candidates.keySet()), offered);
        List<List<Pod>> answers = new ArrayList<>();
        answers.add(spare(candidates, order, emptied, offered));
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            int last = gpu;
            List<Pod> others = new ArrayList<>(order);
            others.sort(Comparator.comparing(pod -> uses(candidates.get(pod), last)));
            answers.add(spare(candidates, others, emptied, offered));
        }
        Comparator<List<Pod>> harm =
                Comparator.comparingInt(pods -> disruptions.violating(pods).size());
        return answers.stream()
                .min(harm.thenComparingInt(VictimSearch::highestPriority).thenComparingInt(List::size))
                .flatMap(this::victims);
    }

    private static boolean uses(@Nullable Placement placement, int gpu) {
        return placement != null && placement.gpus().contains(gpu);
    }

    private static int highestPriority(List<Pod> victims) {
        return victims.stream().mapToInt(VictimSearch::priority).max().orElse(Integer.MIN_VALUE);
    }

    private boolean isUnimportant(Pod pod, Placement placement) {
        boolean holdsGpus = placement.holdsWholeNode() || !placement.gpus().isEmpty();
        return holdsGpus && priority(pod) < priority(asked.object());
    }

    /** Returns those who cannot be spared when it is tried in this order. */
    private List<Pod> spare(Map<Pod, Placement> candidates, List<Pod> order, NodeState emptied, Victims offered) {
        boolean mayKeepOffered = isJudgedByAmountsAlone(asked.object());
        List<Pod> needed = new ArrayList<>();
        NodeState left = emptied;
        for (Pod pod : order) {
            boolean bound = isOffered(pod, offered) && !(mayKeepOffered && repelsNone(pod));
            NodeState kept = bound ? left : left.with(Objects.requireNonNull(candidates.get(pod)));
            if (!bound && fit.place(kept).isPresent()) {
                left = kept;
            } else {
                needed.add(pod);
            }
        }
        return needed;
    }

    private List<Pod> importantFirst(List<Pod> candidates, Victims offered) {
        Comparator<Pod> byPriority =
                Comparator.comparingInt(VictimSearch::priority).reversed();
        Comparator<Pod> order = byPriority
                .thenComparing(VictimSearch::started)
                .thenComparing(pod -> isOffered(pod, offered))
                .thenComparing(ClusterMirror::id);
        candidates.sort(order);
        Set<Pod> violating = disruptions.violating(candidates);
        candidates.sort(Comparator.<Pod, Boolean>comparing(pod -> !violating.contains(pod))
                .thenComparing(order));
        return candidates;
    }

    private Optional<Victims> victims(List<Pod> needed) {
        if (needed.isEmpty()) {
            return Optional.empty();
        }
        int violations = disruptions.violating(needed).size();
        List<String> uids =
                needed.stream().map(pod -> pod.getMetadata().getUid()).toList();
        return Optional.of(Victims.of(uids, violations));
    }

    /** Whether nothing but amounts keeps a pod from a node, of all that is looked at only by kube-scheduler. */
    private boolean isJudgedByAmountsAlone(Pod pod) {
        Set<String> counted = Set.copyOf(node.capacity().named().names());
        return UnhonouredConstraints.of(pod, asked.named().served(counted), counted).stream()
                .noneMatch(UnhonouredConstraint::required);
    }

    /** Whether no rule of a running pod keeps others away, which only kube-scheduler looks at here. */
    private static boolean repelsNone(Pod pod) {
        Affinity affinity = pod.getSpec().getAffinity();
        return affinity == null
                || affinity.getPodAntiAffinity() == null
                || affinity.getPodAntiAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .isEmpty();
    }

    private static boolean isOffered(Pod pod, Victims offered) {
        return offered.uids().contains(pod.getMetadata().getUid());
    }

    private static int priority(Pod pod) {
        Integer priority = pod.getSpec().getPriority();
        return priority == null ? 0 : priority;
    }

    private static String started(Pod pod) {
        String started = pod.getStatus() == null ? null : pod.getStatus().getStartTime();
        return started == null ? "9999" : started;
    }
}
