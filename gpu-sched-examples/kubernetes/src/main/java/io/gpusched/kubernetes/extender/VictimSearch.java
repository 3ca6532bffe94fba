package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.analysis.MakeRoom;
import io.gpusched.kubernetes.evict.Disruptions;
import io.gpusched.kubernetes.extender.wire.Victims;
import io.gpusched.manifests.objects.UnhonouredConstraint;
import io.gpusched.manifests.objects.UnhonouredConstraints;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pods to evict from one node for a pod, by {@link MakeRoom}: candidates are the pods that kube-scheduler offered and all of
 * lower priority that hold GPUs. Of a choice each pod is needed; of the choices (one in order of importance, one for each GPU with its
 * pods) the one is taken that violates the fewest disruption budgets, then the one whose most important victim matters least, then that
 * with the fewest.
 *
 * <p>The dearest are pods that a disruption budget protects, then those of higher priority, then those that run longer; of equals those
 * that kube-scheduler did not offer. A pod that was offered may be in the way for a reason that is not looked at here, such as a host
 * port; it stays only where the pod has no such reason.
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

    /** Returns the pods to evict; empty if that does not help, or if none need be evicted. */
    Optional<Victims> find(Victims offered) {
        boolean mayKeepOffered = isJudgedByAmountsAlone(asked.object());
        Map<Pod, Placement> candidates = new LinkedHashMap<>();
        List<Pod> leaving = new ArrayList<>();
        NodeState left = node;
        for (Placement placement : node.placements()) {
            Pod pod = pods.apply(placement.pod()).filter(ClusterMirror::isBound).orElse(null);
            if (pod != null && isOffered(pod, offered) && !(mayKeepOffered && repelsNone(pod))) {
                leaving.add(pod);
                left = left.without(placement);
            } else if (pod != null && (isOffered(pod, offered) || isUnimportant(pod, placement))) {
                candidates.put(pod, placement);
            }
        }
        Choices choices =
                new Choices(candidates, leaving, importantFirst(new ArrayList<>(candidates.keySet()), offered));
        Cluster alone = Cluster.of(List.of(left.node()), left.placements());
        MakeRoom.Answer<Pod> answer = MakeRoom.find(alone, choices, choices, Integer.MAX_VALUE);
        leaving.addAll(answer.victims());
        return answer.isFound() ? victims(leaving) : Optional.empty();
    }

    /** The pods of the node that may leave, in order of importance. */
    private final class Choices implements MakeRoom.Newcomer, MakeRoom.Victims<Pod> {
        private final Map<Pod, Placement> candidates;
        private final List<Pod> leavingAnyhow;
        private final List<Pod> importantFirst;
        private int left;

        Choices(Map<Pod, Placement> candidates, List<Pod> leavingAnyhow, List<Pod> importantFirst) {
            this.candidates = candidates;
            this.leavingAnyhow = List.copyOf(leavingAnyhow);
            this.importantFirst = importantFirst;
            this.left = importantFirst.size();
        }

        @Override
        public MakeRoom.Found find(Cluster cluster) {
            return new MakeRoom.Found(fit.place(cluster.node(0)).stream().toList(), null);
        }

        @Override
        public boolean isSinglePod() {
            return true;
        }

        /** Rules between pods are looked at by kube-scheduler. */
        @Override
        public boolean needsOthers() {
            return false;
        }

        @Override
        public @Nullable Pod next() {
            return left == 0 ? null : importantFirst.get(--left);
        }

        @Override
        public List<Pod> all() {
            List<Pod> cheapestFirst = new ArrayList<>(importantFirst);
            Collections.reverse(cheapestFirst);
            return cheapestFirst;
        }

        @Override
        public List<Placement> placements(Pod victim) {
            return List.of(Objects.requireNonNull(candidates.get(victim), "candidate"));
        }

        @Override
        public List<Pod> dearestFirst(List<Pod> leaving) {
            return importantFirst.stream().filter(Set.copyOf(leaving)::contains).toList();
        }

        @Override
        public boolean isCheaper(List<Pod> leaving, List<Pod> other) {
            Comparator<List<Pod>> harm = Comparator.comparingInt(this::violations);
            return harm.thenComparingInt(VictimSearch::highestPriority)
                            .thenComparingInt(List::size)
                            .compare(leaving, other)
                    < 0;
        }

        private int violations(List<Pod> leaving) {
            List<Pod> all = new ArrayList<>(leavingAnyhow);
            all.addAll(leaving);
            return disruptions.violating(all).size();
        }

        /** There is one node here: its GPUs, each with the pods on it. */
        @Override
        public List<List<Pod>> byNode() {
            return IntStream.range(0, node.gpuCount())
                    .mapToObj(gpu -> all().stream()
                            .filter(pod -> placements(pod).get(0).gpus().contains(gpu))
                            .toList())
                    .toList();
        }
    }

    private static int highestPriority(List<Pod> victims) {
        return victims.stream().mapToInt(VictimSearch::priority).max().orElse(Integer.MIN_VALUE);
    }

    private boolean isUnimportant(Pod pod, Placement placement) {
        boolean holdsGpus = placement.holdsWholeNode() || !placement.gpus().isEmpty();
        return holdsGpus && priority(pod) < priority(asked.object());
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
