package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Arrays;
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
    private final JobNumbers unsettled;
    private final JobSums sums;
    /** On how many nodes a pod looks at pods around it. */
    private final int ruledNodes;

    /** What pods of no job hold. */
    private final long[] ofOthers;

    private PlanInput(QueueState state, CycleSettings settings, long time, KnownJobs known, int ruledNodes) {
        this.state = state;
        this.settings = settings;
        this.time = time;
        this.table = known.table;
        this.queues = known.queues;
        this.jobs = known.jobs;
        this.unsettled = known.unsettled();
        this.sums = known.sums;
        this.ruledNodes = ruledNodes;
        this.ofOthers = ofOthers(state, table, sums);
    }

    /** Returns the input of a plan; what is known of jobs that are the same objects as in the last one is taken from there. */
    static PlanInput of(@Nullable PlanInput last, QueueState state, CycleSettings settings, long time) {
        Machines machines = Machines.of(last, state.cluster());
        boolean isAlike =
                last != null && machines.areAlike && last.state.queues().equals(state.queues());
        KnownJobs known = new KnownJobs(isAlike ? last : null, state);
        known.addAll();
        return new PlanInput(state, settings, time, known, machines.ruled);
    }

    /** What is known of the jobs of a state: most are the same objects in the same order as in the last plan. */
    private static final class KnownJobs {
        /** With more that are not, the jobs may have another order. */
        private static final int FEW = 64;

        private final QueueState state;
        private final ResourceTable table;
        private final Queues queues;
        private final JobSums sums;
        private final List<JobFacts> jobs;
        private final List<Job> before;
        private final List<JobFacts> factsBefore;
        private final JobNumbers unsettledBefore;
        private int nextUnsettled;
        private int[] unsettled = new int[16];
        private int unsettledCount;
        private int next;
        private int others;
        private @Nullable IdentityHashMap<Job, JobFacts> elsewhere;

        KnownJobs(@Nullable PlanInput last, QueueState state) {
            this.state = state;
            table = last == null ? new ResourceTable(state.queues(), state.cluster()) : last.table;
            queues = last == null ? new Queues(state.queues(), table) : last.queues;
            sums = last == null ? new JobSums(queues, table.size()) : last.sums.copy();
            jobs = new ArrayList<>(state.jobs().size());
            before = last == null ? List.of() : last.state.jobs();
            factsBefore = last == null ? List.of() : last.jobs;
            unsettledBefore = last == null ? JobNumbers.of(unsettled, 0) : last.unsettled;
        }

        /** Jobs that are the same as before are not looked into: with thousands of them that would be most of the cost of a small plan. */
        void addAll() {
            List<Job> all = state.jobs();
            int i = 0;
            while (i < all.size()) {
                int at = SameObjects.indexOf(before, next, all.get(i));
                if (at < 0) {
                    add(all.get(i++));
                } else {
                    skipTo(at);
                    int same = SameObjects.length(before, next, all, i);
                    copy(same);
                    i += same;
                }
            }
            skipTo(before.size());
        }

        /** Takes over what is known of the next jobs of the last plan. */
        private void copy(int count) {
            for (; nextUnsettled < unsettledBefore.size(); nextUnsettled++) {
                int number = unsettledBefore.get(nextUnsettled) - next;
                if (number >= count) {
                    break;
                }
                if (number >= 0) {
                    addUnsettled(jobs.size() + number);
                }
            }
            jobs.addAll(factsBefore.subList(next, next + count));
            next += count;
        }

        private void add(Job job) {
            JobFacts facts = moved(job);
            if (!facts.isSettled) {
                addUnsettled(jobs.size());
            }
            jobs.add(facts);
            sums.add(facts);
        }

        /** The facts of a job that is new, or has another place in the order. */
        private JobFacts moved(Job job) {
            JobFacts facts =
                    next < before.size() && ++others > FEW ? elsewhere().get(job) : null;
            return facts == null ? new JobFacts(job, queues.number(job.queue()), table, state.cluster()) : facts;
        }

        private void addUnsettled(int number) {
            if (unsettledCount == unsettled.length) {
                unsettled = Arrays.copyOf(unsettled, 2 * unsettledCount);
            }
            unsettled[unsettledCount++] = number;
        }

        private void skipTo(int at) {
            for (; next < at; next++) {
                sums.subtract(factsBefore.get(next));
            }
        }

        JobNumbers unsettled() {
            return JobNumbers.of(unsettled, unsettledCount);
        }

        private IdentityHashMap<Job, JobFacts> elsewhere() {
            IdentityHashMap<Job, JobFacts> known = elsewhere;
            if (known == null) {
                known = new IdentityHashMap<>();
                for (JobFacts each : factsBefore) {
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

    private static long[] ofOthers(QueueState state, ResourceTable table, JobSums sums) {
        if (state.cluster().totals().pods() == sums.pods()) {
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

    /** The jobs that are not {@linkplain JobFacts#isSettled settled}, by number: a plan asks each of them. */
    JobNumbers unsettled() {
        return unsettled;
    }

    /** What all jobs come to. */
    JobSums sums() {
        return sums;
    }

    /** Whether some pod has rules that look at pods around it. */
    boolean isRuled() {
        return ruledNodes > 0 || sums.ruled() > 0;
    }

    Cluster cluster() {
        return state.cluster();
    }

    JobFacts job(int number) {
        return jobs.get(number);
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
