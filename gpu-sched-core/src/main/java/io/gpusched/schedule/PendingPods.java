package io.gpusched.schedule;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Tells which waiting pods and groups a change of the cluster may help, so that an event loop does not ask for all of them again.
 *
 * <p>It never leaves out one that a scheduler of any policy would place: what is left out is refused for certain. Pods that ask for the
 * same are looked at once, by one decision of few steps, so that a change costs O(kinds of pods + groups), not O(pods). Remembers what a
 * {@link GpuScheduler} does. Not thread-safe.
 *
 * <pre>{@code
 * List<Pod> again = pending.mayPlace(cluster, waiting);
 * }</pre>
 */
public final class PendingPods {
    private static final SearchBudget STEPS_PER_POD = SearchBudget.ofSteps(20_000);

    private final GpuScheduler scheduler =
            GpuScheduler.builder().budget(STEPS_PER_POD).memory(0).build();

    /** The kinds that have no place in the snapshot, for certain. */
    private final Map<Pod, Boolean> refused = new HashMap<>();

    private Cluster cluster = Cluster.of(List.of());

    /** Creates one that knows of no cluster yet. */
    public PendingPods() {}

    /**
     * Returns those of some waiting pods that may be placed now, in their order.
     *
     * @throws io.gpusched.model.PlacementConflictException if one of them runs already
     */
    @SuppressWarnings("ReferenceEquality") // another snapshot is another object
    public List<Pod> mayPlace(Cluster now, Collection<Pod> waiting) {
        Objects.requireNonNull(now, "now");
        Checks.noNulls("waiting", waiting);
        if (now != cluster) {
            refused.clear();
            cluster = now;
        }
        List<Pod> some = new ArrayList<>();
        for (Pod pod : waiting) {
            GpuScheduler.requireUnplaced(now, pod);
            Pod kind = pod.withId(new PodId(pod.id().namespace(), "gpu-sched-pending"));
            if (!refused.computeIfAbsent(
                    kind,
                    any -> scheduler.schedule(now, pod) instanceof Unschedulable no
                            && no.certainty() == Certainty.PROVEN)) {
                some.add(pod);
            }
        }
        return some;
    }

    /**
     * Returns whether a waiting group may start now.
     *
     * @throws io.gpusched.model.PlacementConflictException if one of its members runs already
     */
    public boolean mayStart(Cluster now, PodGroup group) {
        Objects.requireNonNull(now, "now");
        return !(scheduler.schedule(now, group) instanceof Unschedulable no) || no.certainty() != Certainty.PROVEN;
    }
}
