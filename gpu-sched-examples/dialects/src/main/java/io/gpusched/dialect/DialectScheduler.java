package io.gpusched.dialect;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Remedy;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides about pods in a system's vocabulary: the dialect translates, {@link GpuScheduler} decides by the policy that the
 * dialect names for the pod.
 *
 * <p>Costs what the scheduler costs with that policy: what it remembers of nodes carries over from pod to pod, so that a
 * decision looks at the nodes that changed, not at all of them. Systems whose pods name policies of their own have one
 * memory for each of the last {@value #MOST_POLICIES} policies.
 *
 * <p>Not thread-safe because of what it remembers; take one for each thread.
 *
 * <pre>{@code
 * DialectScheduler scheduler = DialectScheduler.of(T9kDialect.of());
 * if (scheduler.schedule(cluster, manifest) instanceof Placed placed) {
 *     cluster = cluster.with(placed.placement());
 * }
 * }</pre>
 */
public final class DialectScheduler {
    private static final int MOST_POLICIES = 8;

    private final Dialect dialect;

    /** Finds any place at all, whatever the dialect's policy leaves out. */
    private final GpuScheduler anyPlace =
            GpuScheduler.builder().policy(FirstFit.of()).memory(0).build();

    private final Map<PlacementPolicy, GpuScheduler> schedulers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PlacementPolicy, GpuScheduler> eldest) {
            return size() > MOST_POLICIES;
        }
    };

    private DialectScheduler(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Returns a scheduler for pods of this dialect. */
    public static DialectScheduler of(Dialect dialect) {
        Objects.requireNonNull(dialect, "dialect");
        return new DialectScheduler(dialect);
    }

    /**
     * Decides where a pod goes.
     *
     * @throws RefusedException if the system's rules forbid the pod whatever the cluster
     */
    public Decision schedule(Cluster cluster, PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        Pod pod = dialect.pod(manifest, cluster);
        PlacementPolicy policy = dialect.policy(manifest);
        Decision decision = schedulers.computeIfAbsent(policy, GpuScheduler::of).schedule(cluster, pod);
        boolean systemRefuses = decision instanceof Unschedulable no
                && no.certainty() == Certainty.PROVEN
                && anyPlace.schedule(cluster, pod).isPlaced();
        return systemRefuses ? refusedByRule(cluster, manifest, "pod \"" + manifest.id() + "\"", policy) : decision;
    }

    /**
     * Decides whether a group can start together and where its members go, by the policy that the dialect names for them.
     *
     * @param group the group; its pods are this dialect's translations of the manifests
     * @param manifests the members' manifests
     * @throws IllegalArgumentException if a member has no manifest
     * @throws RefusedException if the dialect names different policies for two members
     */
    public GroupDecision schedule(Cluster cluster, PodGroup group, Map<PodId, PodManifest> manifests) {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(manifests, "manifests");
        Objects.requireNonNull(cluster, "cluster");
        List<PodManifest> members = new ArrayList<>();
        for (Pod pod : group.pods()) {
            PodManifest manifest = manifests.get(pod.id());
            if (manifest == null) {
                throw new IllegalArgumentException(
                        "pod group \"" + group.name() + "\": pod \"" + pod.id() + "\" has no manifest");
            }
            members.add(manifest);
        }
        PlacementPolicy policy = policy(group, members);
        GroupDecision decision =
                schedulers.computeIfAbsent(policy, GpuScheduler::of).schedule(cluster, group);
        boolean systemRefuses = decision instanceof Unschedulable no
                && no.certainty() == Certainty.PROVEN
                && anyPlace.schedule(cluster, group).isPlaced();
        return systemRefuses
                ? refusedByRule(cluster, members.get(0), "pod group \"" + group.name() + "\"", policy)
                : decision;
    }

    /** The policy that all members name. */
    private PlacementPolicy policy(PodGroup group, List<PodManifest> members) {
        PodManifest first = members.get(0);
        PlacementPolicy policy = dialect.policy(first);
        for (PodManifest member : members) {
            if (!dialect.policy(member).equals(policy)) {
                throw new RefusedException(
                        "pod group \"" + group.name() + "\"",
                        "all members must name the same policy, got " + policy + " of pod \"" + first.id() + "\" and "
                                + dialect.policy(member) + " of pod \"" + member.id() + "\"");
            }
        }
        return policy;
    }

    /** There is room, but the system's policy leaves it out, as a quota or a policy of idle GPUs does. */
    private Unschedulable refusedByRule(Cluster cluster, PodManifest pod, String subject, PlacementPolicy policy) {
        return Unschedulable.of(
                subject, Certainty.PROVEN, () -> refusedByRule(cluster, pod, subject, policy.toString()));
    }

    private Diagnosis refusedByRule(Cluster cluster, PodManifest pod, String subject, String policy) {
        String words = cluster.nodes().stream()
                .map(node -> dialect.refusal(node, pod))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("no GPU that it may take");
        List<String> names = cluster.nodes().stream().map(NodeState::name).toList();
        Reason reason = Reason.ofQuota(names, "refused by " + policy + ": " + words);
        Change change = new Change.RaiseQuota("a greater quota, or pods that leave GPUs it may take");
        return new Diagnosis(
                subject, Certainty.PROVEN, cluster.size(), List.of(reason), true, new Remedy(List.of(change)));
    }

    /**
     * Returns what the system says of each node on which a pod does not fit, by node name in node order; nothing for nodes
     * of which it says nothing of its own. O(nodes).
     *
     * @throws RefusedException if the system's rules forbid the pod whatever the cluster
     */
    public Map<String, String> refusals(Cluster cluster, PodManifest manifest) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(manifest, "manifest");
        Pod pod = dialect.pod(manifest, cluster);
        GpuScheduler scheduler = schedulers.computeIfAbsent(dialect.policy(manifest), GpuScheduler::of);
        Map<String, String> reasons = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            String reason = scheduler.place(node, pod).isPresent() ? "" : dialect.refusal(node, manifest);
            if (!reason.isEmpty()) {
                reasons.put(node.name(), reason);
            }
        }
        return reasons;
    }
}
