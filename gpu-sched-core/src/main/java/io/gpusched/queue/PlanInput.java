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
    /** On how many nodes a pod looks at pods around it. */
    private final int ruledNodes;

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
            int ruledNodes) {
        this.state = state;
        this.settings = settings;
        this.time = time;
        this.table = table;
        this.queues = queues;
        this.jobs = jobs;
        this.ruledNodes = ruledNodes;
        this.isRuled = ruledNodes > 0 || jobs.stream().anyMatch(facts -> facts.isRuled);
        this.ofOthers = ofOthers(state, table);
    }

    /** Returns the input of a plan; what is known of jobs that are the same objects as in the last one is taken from there. */
    static PlanInput of(@Nullable PlanInput last, QueueState state, CycleSettings settings, long time) {
        Machines machines = Machines.of(last, state.cluster());
        boolean isAlike =
                last != null && machines.areAlike && last.state.queues().equals(state.queues());
        ResourceTable table = last != null && isAlike ? last.table : new ResourceTable(state.queues(), state.cluster());
        Queues queues = last != null && isAlike ? last.queues : new Queues(state.queues(), table);
        List<JobFacts> jobs = new ArrayList<>(state.jobs().size());
        Known known = new Known(isAlike && last != null ? last : null);
        for (Job job : state.jobs()) {
            JobFacts facts = known.facts(job);
            jobs.add(facts == null ? new JobFacts(job, queues.number(job.queue()), table, state.cluster()) : facts);
        }
        return new PlanInput(state, settings, time, table, queues, jobs, machines.ruled);
    }

    /** What is known of jobs from the last plan: most are the same objects in the same order. */
    private static final class Known {
        /** With more that are not, the jobs may have another order. */
        private static final int FEW = 64;

        private final List<Job> jobs;
        private final List<JobFacts> facts;
        private int next;
        private int others;
        private @Nullable IdentityHashMap<Job, JobFacts> elsewhere;

        Known(@Nullable PlanInput last) {
            jobs = last == null ? List.of() : last.state.jobs();
            facts = last == null ? List.of() : last.jobs;
        }

        @Nullable
        JobFacts facts(Job job) {
            int at = SameObjects.indexOf(jobs, next, job);
            if (at >= 0) {
                next = at + 1;
                return facts.get(at);
            }
            return next < jobs.size() && ++others > FEW ? elsewhere().get(job) : null;
        }

        private IdentityHashMap<Job, JobFacts> elsewhere() {
            IdentityHashMap<Job, JobFacts> known = elsewhere;
            if (known == null) {
                known = new IdentityHashMap<>();
                for (JobFacts each : facts) {
                    known.put(each.job, each);
                }
                elsewhere = known;
            }
            return known;
        }
    }

    /**
     * What follows from the nodes.
     *
     * @param areAlike whether they are the machines of the last plan in the same health
     * @param ruled on how many of them a pod looks at pods around it
     */
    private record Machines(boolean areAlike, int ruled) {
        static Machines of(@Nullable PlanInput last, Cluster now) {
            if (last == null) {
                int[] ruled = {0};
                now.nodes().forEach(node -> ruled[0] += count(node));
                return new Machines(false, ruled[0]);
            }
            boolean[] areAlike = {true};
            int[] ruled = {last.ruledNodes};
            now.forEachChange(last.cluster(), (was, is) -> {
                areAlike[0] &= was != null && is != null && isAlike(was, is);
                ruled[0] += count(is) - count(was);
            });
            return new Machines(areAlike[0], ruled[0]);
        }
    }

    /** 1 if a pod on a node looks at pods around it; being in a group alone concerns only its members. */
    private static int count(@Nullable NodeState node) {
        boolean isRuled = node != null
                && node.concernsOthers()
                && node.placements().stream()
                        .anyMatch(placement -> placement.spec().isPresent()
                                && placement.spec().get().concernsOthers());
        return isRuled ? 1 : 0;
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
        if (state.cluster().totals().pods() == ofJobs) {
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
