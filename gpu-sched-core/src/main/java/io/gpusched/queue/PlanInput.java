package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What does not change in a plan: what is asked, and what follows from it alone. */
final class PlanInput {
    private final QueueState state;
    private final CycleSettings settings;
    private final long time;
    private final ResourceTable table;
    private final Queues queues;
    private final List<JobFacts> jobs;
    private final boolean isRuled;
    /** What pods of no job hold. */
    private final long[] ofOthers;

    private PlanInput(
            QueueState state,
            CycleSettings settings,
            long time,
            ResourceTable table,
            Queues queues,
            List<JobFacts> jobs,
            boolean isRuled) {
        this.state = state;
        this.settings = settings;
        this.time = time;
        this.table = table;
        this.queues = queues;
        this.jobs = jobs;
        this.isRuled = isRuled;
        this.ofOthers = ofOthers(state, table);
    }

    /** Returns the input of a plan; what is known of jobs that are the same objects as in the last one is taken from there. */
    static PlanInput of(@Nullable PlanInput last, QueueState state, CycleSettings settings, long time) {
        boolean isAlike = last != null
                && last.state.queues().equals(state.queues())
                && areMachinesAlike(last.state.cluster(), state.cluster());
        ResourceTable table = last != null && isAlike ? last.table : new ResourceTable(state.queues(), state.cluster());
        Queues queues = last != null && isAlike ? last.queues : new Queues(state.queues(), table);
        IdentityHashMap<Job, JobFacts> known = new IdentityHashMap<>();
        if (last != null && isAlike) {
            last.jobs.forEach(facts -> known.put(facts.job, facts));
        }
        List<JobFacts> jobs = new ArrayList<>(state.jobs().size());
        boolean isRuled = false;
        for (Job job : state.jobs()) {
            JobFacts facts = known.get(job);
            if (facts == null) {
                facts = new JobFacts(job, queues.number(job.queue()), table, state.cluster());
            }
            jobs.add(facts);
            isRuled |= facts.isRuled;
        }
        for (NodeState node : state.cluster().nodes()) {
            isRuled |= node.concernsOthers() && isRuled(node);
        }
        return new PlanInput(state, settings, time, table, queues, jobs, isRuled);
    }

    /** Whether a pod on a node looks at pods around it; being in a group alone concerns only its members. */
    private static boolean isRuled(NodeState node) {
        return node.placements().stream()
                .anyMatch(placement ->
                        placement.spec().isPresent() && placement.spec().get().concernsOthers());
    }

    private static boolean areMachinesAlike(Cluster before, Cluster now) {
        boolean[] areAlike = {true};
        now.forEachChange(before, (was, is) -> areAlike[0] &= was != null && is != null && isAlike(was, is));
        return areAlike[0];
    }

    /** Whether a node is the same machine in the same health. */
    private static boolean isAlike(NodeState was, NodeState is) {
        if (!was.node().equals(is.node()) || was.isHealthy() != is.isHealthy()) {
            return false;
        }
        for (int gpu = 0; gpu < is.gpuCount(); gpu++) {
            if (was.isHealthy(gpu) != is.isHealthy(gpu)) {
                return false;
            }
        }
        return true;
    }

    private static long[] ofOthers(QueueState state, ResourceTable table) {
        int ofJobs = 0;
        for (Job job : state.jobs()) {
            ofJobs += job.status().running().size() + job.status().terminating().size();
        }
        int all = 0;
        for (NodeState node : state.cluster().nodes()) {
            all += node.podCount();
        }
        if (all == ofJobs) {
            return new long[table.size()];
        }
        Set<PodId> owned = new HashSet<>();
        for (Job job : state.jobs()) {
            job.status().running().forEach(placement -> owned.add(placement.pod()));
            job.status().terminating().forEach(placement -> owned.add(placement.pod()));
        }
        List<Placement> others = state.cluster().placements().stream()
                .filter(placement -> !owned.contains(placement.pod()))
                .toList();
        return table.held(others, state.cluster());
    }

    QueueState state() {
        return state;
    }

    CycleSettings settings() {
        return settings;
    }

    /** Now. */
    long time() {
        return time;
    }

    /** The resources of the queues. */
    ResourceTable table() {
        return table;
    }

    Queues queues() {
        return queues;
    }

    /** The jobs by number. */
    List<JobFacts> jobs() {
        return jobs;
    }

    /** Whether some pod has rules that look at pods around it. */
    boolean isRuled() {
        return isRuled;
    }

    Cluster cluster() {
        return state.cluster();
    }

    JobFacts job(int number) {
        return jobs.get(number);
    }

    /** Nothing, for each queue. */
    List<long[]> zeros() {
        List<long[]> zeros = new ArrayList<>();
        for (int q = 0; q < queues.size(); q++) {
            zeros.add(new long[table.size()]);
        }
        return zeros;
    }

    /** What the queues share: what the cluster has, without what pods of no job hold. */
    long[] shared() {
        long[] shared = table.capacity().clone();
        Amounts.subtract(shared, ofOthers);
        Amounts.max(shared, new long[shared.length]);
        return shared;
    }

    /**
     * Returns which limit forbids that a queue holds this more, its own or one above; null if none does.
     *
     * @param held what the queues hold
     * @param certainty whether what is asked for cannot be less
     */
    @Nullable
    PendingReason overLimit(Vec<long[]> held, int queue, long[] more, Certainty certainty) {
        for (int q = queue; q >= 0; q = queues.parent(q)) {
            long[] limit = queues.limit(q);
            int r = Amounts.firstAbove(held.get(q), more, limit);
            if (r >= 0) {
                return new PendingReason.OverLimit(
                        queues.name(q), table.resource(r), held.get(q)[r], more[r], limit[r], certainty);
            }
        }
        return null;
    }
}
