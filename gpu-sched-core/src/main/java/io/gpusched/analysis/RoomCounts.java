package io.gpusched.analysis;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.Occupancy;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import it.unimi.dsi.fastutil.objects.Object2LongMap;
import it.unimi.dsi.fastutil.objects.Object2LongOpenCustomHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the units of a wanted room on nodes. Remembers nodes in the same state. Not thread-safe. */
final class RoomCounts {
    private static final int STEPS_PER_NODE = 10;
    private static final int MOST_KNOWN = 1 << 16;

    private final WantedRoom wanted;
    private final AnalysisSteps steps;
    private final GpuScheduler scheduler;

    /** The pod without what it demands of others; null if whole nodes are wanted. */
    private final @Nullable Pod pod;

    private final @Nullable PodDemand demand;

    private final boolean isAlike;
    private final Object2LongMap<NodeState> known = new Object2LongOpenCustomHashMap<>(Occupancy.STRATEGY);

    RoomCounts(WantedRoom wanted, AnalysisSteps steps) {
        this.wanted = wanted;
        this.steps = steps;
        this.scheduler = steps.count(GpuScheduler.builder().memory(0).build());
        this.pod = wanted.pod()
                .map(any -> any.withRules(PodRules.NONE).withGroup(Optional.empty()))
                .orElse(null);
        this.demand = pod == null ? null : new PodDemand(pod);
        this.isAlike =
                demand == null || pod != null && pod.nodeSelector().terms().isEmpty() && !demand.looksAtUuids();
    }

    WantedRoom wanted() {
        return wanted;
    }

    /** Whether nodes of one class with the same amounts free count alike, whatever their labels. */
    boolean isAlike() {
        return isAlike;
    }

    /** Returns how many pods, or whole nodes, a node has room for. */
    long on(NodeState node) {
        if (!isAlike) {
            return count(node);
        }
        if (known.size() > MOST_KNOWN) {
            known.clear();
        }
        return known.computeIfAbsent(node, (NodeState any) -> count(any));
    }

    private long count(NodeState node) {
        steps.take(STEPS_PER_NODE);
        if (demand == null || pod == null) {
            return isWhole(node) ? 1 : 0;
        }
        if (PodCapacity.isExact(demand)) {
            return FitRule.atAll(demand, node) == null ? PodCapacity.of(demand, node) : 0;
        }
        NodeState now = node;
        for (long count = 0; ; count++) {
            Pod next = pod.withId(new PodId(pod.id().namespace(), "wanted-" + count));
            Optional<Placement> placement = steps.areLeft() ? scheduler.place(now, next) : Optional.empty();
            if (placement.isEmpty()) {
                return count;
            }
            now = now.with(placement.get());
        }
    }

    private static boolean isWhole(NodeState node) {
        return node.gpuCount() > 0
                && node.idleGpus() == node.gpuCount()
                && node.isHealthy()
                && !node.isCordoned()
                && node.nodeClass().taints().stream().noneMatch(RoomCounts::isCondition);
    }

    /** Kubernetes marks nodes so that are cordoned, not ready, or short of something. */
    private static boolean isCondition(Taint taint) {
        return taint.effect().forbids() && taint.key().startsWith("node.kubernetes.io/");
    }

    /** Returns how many units the nodes of an area have. */
    long units(List<NodeState> area) {
        if (wanted.members() == 0) {
            List<NodeState> withGpus =
                    area.stream().filter(node -> node.gpuCount() > 0).toList();
            return !withGpus.isEmpty() && withGpus.stream().allMatch(node -> on(node) > 0) ? 1 : 0;
        }
        return area.stream().mapToLong(this::on).sum() / wanted.members();
    }
}
