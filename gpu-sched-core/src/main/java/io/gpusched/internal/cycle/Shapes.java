package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.decision.ReducedGuarantee;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.shapes.Guarantees;
import io.gpusched.internal.shapes.Region;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.ShapeCell;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which cells queues own and use as the cycle goes on. Where no queue owns any, it costs nothing. */
final class Shapes {
    private final Cycle cycle;
    private final QueueTree queues;
    private final boolean isNone;

    /** As of so many decisions; null if not known. */
    private @Nullable Guarantees known;

    private int decisions;

    Shapes(Cycle cycle, QueueTree queues) {
        this.cycle = cycle;
        this.queues = queues;
        this.isNone = queues.queues().stream().allMatch(queue -> queue.shapes().isEmpty());
    }

    boolean isNone() {
        return isNone;
    }

    /** Whether a job may start in cells of its queue. */
    boolean isEntitled(JobState job) {
        return job.job.priority() >= 0 && now().owns(job.queue.name());
    }

    /** Returns where a request may go as a guaranteed one, from the cells that its queue uses to all that it is promised. */
    List<Region> regions(Ask ask) {
        return regions(ask, now());
    }

    /** Returns where a request might go as a guaranteed one if jobs ran no longer in cells of its queue. */
    List<Region> regions(Ask ask, Set<JobState> without) {
        return regions(ask, read(false, without));
    }

    private List<Region> regions(Ask ask, Guarantees guarantees) {
        long least = Long.MAX_VALUE;
        for (Pod pod : ask.pods()) {
            least = Math.min(least, cycle.resources.asked(List.of(pod))[ResourceTable.GPU]);
        }
        int gpus = (int) Math.min(Node.MAX_GPUS, least / Gpu.WHOLE_COMPUTE_MILLIS);
        return guarantees.regions(ask.job().queue.name(), gpus, usable(ask)::contains);
    }

    /** Returns the nodes on which a pod of a request might run if they were idle. */
    private Set<String> usable(Ask ask) {
        Map<PodSpec, PodDemand> demands = new LinkedHashMap<>();
        ask.pods().forEach(pod -> demands.computeIfAbsent(pod.spec(), spec -> new PodDemand(pod)));
        return cycle.snapshots.later().nodes().stream()
                .filter(node -> demands.values().stream().anyMatch(demand -> isUsable(node, demand)))
                .map(NodeState::name)
                .collect(Collectors.toSet());
    }

    private static boolean isUsable(NodeState node, PodDemand first) {
        for (PodDemand demand = first; demand != null; demand = demand.otherwise()) {
            if (Admission.of(demand, node)) {
                return true;
            }
        }
        return false;
    }

    /** Returns by how much bad GPUs reduce what queues own. */
    List<ReducedGuarantee> reduced() {
        return isNone
                ? List.of()
                : now().shortfalls().stream()
                        .map(less -> new ReducedGuarantee(less.queue(), less.shape(), less.missing(), less.badNodes()))
                        .toList();
    }

    /**
     * Returns that a job may not start there: it may not be evicted, and takes cells that others own, or it runs in cells of its queue,
     * which has no more. Null if it may.
     */
    @Nullable
    PendingReason forbids(Ask ask, Collection<Placement> placements) {
        if (isNone) {
            return null;
        }
        boolean isForbidden =
                ask.job().isGuaranteed() || stays(ask.job()) && !now().mayStay(placements, cycle.snapshots.later());
        return isForbidden ? new PendingReason.Owned() : null;
    }

    /** Whether members of a job may not be evicted at once, once they run. */
    boolean stays(JobState job) {
        boolean isNew = job.job.started().isEmpty();
        return job.isFixed(true) || job.queue.minRuntime > 0 && (isNew || Victims.isProtected(job, cycle.time));
    }

    /** Guarantees their cells to jobs that run already in cells of their queues, the highest priority first. */
    void adopt() {
        if (!isNone) {
            known = null;
            known = read(true, Set.of());
            decisions = cycle.decisions();
        }
    }

    private Guarantees now() {
        Guarantees now = known;
        if (now == null || decisions != cycle.decisions()) {
            now = read(false, Set.of());
            known = now;
            decisions = cycle.decisions();
        }
        return now;
    }

    private Guarantees read(boolean isAdopting, Set<JobState> without) {
        Cluster cluster = cycle.snapshots.later();
        Guarantees guarantees = Guarantees.of(cluster, queues);
        List<JobState> jobs = highestFirst();
        for (JobState job : jobs) {
            boolean isUsing = job.isGuaranteed() && !without.contains(job);
            if (isUsing && !guarantees.use(job.queue.name(), job.cells)) {
                cycle.runsIn(job, Set.of());
            }
        }
        for (NodeState node : cluster.nodes()) {
            for (Placement placement : node.placements()) {
                if (cycle.isStranger(placement)) {
                    guarantees.block(placement, cluster);
                }
            }
        }
        if (isAdopting) {
            jobs.stream()
                    .filter(job -> !job.isGuaranteed() && !job.running.isEmpty() && job.job.priority() >= 0)
                    .forEach(job -> adopt(guarantees, job));
        }
        for (JobState job : jobs) {
            boolean isUsing = job.isGuaranteed() && !without.contains(job);
            for (Placement placement : isUsing ? List.<Placement>of() : job.placed()) {
                if (stays(job)) {
                    guarantees.block(placement, cluster);
                } else {
                    guarantees.occupy(placement, cluster);
                }
            }
        }
        return guarantees;
    }

    private List<JobState> highestFirst() {
        return cycle.jobs.stream()
                .sorted(Comparator.comparingInt(job -> -job.job.priority()))
                .toList();
    }

    private void adopt(Guarantees guarantees, JobState job) {
        Set<ShapeCell> cells = guarantees.adopt(job.queue.name(), job.placed(), cycle.snapshots.later());
        if (!cells.isEmpty()) {
            cycle.runsIn(job, cells);
        }
    }

    /** A job starts in cells of its queue, beside those in which it runs. */
    void enter(JobState job, Region region, Collection<Placement> placements) {
        Set<ShapeCell> cells = new LinkedHashSet<>(job.isGuaranteed() ? job.cells : Set.of());
        cells.addAll(region.cells(placements));
        cycle.runsIn(job, cells);
    }
}
