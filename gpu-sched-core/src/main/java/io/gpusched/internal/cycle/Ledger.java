package io.gpusched.internal.cycle;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.CycleSettings;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.Job;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What jobs and queues use, and who may leave: kept from one cycle to the next and brought up to date by what differs. A job that is the
 * same object as in the last cycle costs one comparison. Where nodes or queues themselves differ, or jobs changed their order, it is made
 * anew.
 */
final class Ledger {
    final CycleSettings settings;
    final ResourceTable resources;
    final Queues queues;
    final Waiting waiting;
    final VictimIndex victims;
    final Emptied emptied = new Emptied(this::mayLeave);

    /** What found no room although nobody was in the way who will stay. */
    final Refusals hopeless = new Refusals();

    /** What found no room as things are. */
    final Refusals refusals = new Refusals();

    private CycleState state;
    private long time;
    private List<JobState> jobs = List.of();

    /** The jobs that are not {@linkplain JobState#isSettled settled}, in their order. */
    private final List<JobState> open = new ArrayList<>();

    private final Map<String, JobState> byName = new HashMap<>();
    private final Map<PodId, JobState> owners = new HashMap<>();
    private final Set<String> changedNodes = new HashSet<>();

    /** What pods of no job hold, by node, and on all. */
    private final Map<String, long[]> strangers = new HashMap<>();

    private final long[] ofStrangers;

    private Ledger(CycleState state, long time, CycleSettings settings) {
        this.settings = settings;
        this.state = state;
        this.time = time;
        resources = new ResourceTable(state.queues(), state.cluster());
        queues = new Queues(state.queues(), resources);
        waiting = new Waiting(new JobOrder(settings.jobOrder()));
        victims = new VictimIndex(
                new Victims(settings.victimOrder(), resources), queues, resources.size(), state.cluster());
        ofStrangers = new long[resources.size()];
        state.cluster().nodes().forEach(node -> changedNodes.add(node.name()));
        followJobs(state.jobs());
        followStrangers();
    }

    /** Returns what is known of a state at a time, from what was known of another, if anything. */
    static Ledger of(@Nullable Ledger last, CycleState state, long time, CycleSettings settings) {
        boolean isFollowed = last != null && time >= last.time && last.follow(state, time);
        Ledger ledger = last == null || !isFollowed ? new Ledger(state, time, settings) : last;
        ledger.queues.start(state.usage(), settings.usagePermille(), ledger.shared());
        return ledger;
    }

    private boolean follow(CycleState next, long now) {
        if (!state.queues().equals(next.queues()) || !isFollowed(next.cluster())) {
            return false;
        }
        state = next;
        time = now;
        victims.later();
        if (!followJobs(next.jobs())) {
            return false;
        }
        followStrangers();
        return true;
    }

    private boolean isFollowed(Cluster next) {
        boolean[] isAlike = {true};
        next.forEachChange(state.cluster(), (was, is) -> {
            if (was == null || is == null || !Machines.isAlike(was, is)) {
                isAlike[0] = false;
            } else {
                changedNodes.add(is.name());
            }
        });
        return isAlike[0];
    }

    /** Goes along both lists; returns whether jobs that are in both come in the same order. */
    private boolean followJobs(List<Job> next) {
        List<JobState> old = jobs;
        List<JobState> merged = new ArrayList<>(next.size());
        int at = 0;
        for (Job job : next) {
            JobState own = at < old.size() && old.get(at).is(job) ? old.get(at) : byName.get(job.name());
            if (own != null) {
                if (own.index < at) {
                    return false;
                }
                for (; at < own.index; at++) {
                    leave(old.get(at));
                }
                at++;
            }
            if (own == null || !own.is(job)) {
                if (own != null) {
                    leave(own);
                }
                own = enter(job);
            }
            merged.add(own);
        }
        for (; at < old.size(); at++) {
            leave(old.get(at));
        }
        number(merged);
        return true;
    }

    private void number(List<JobState> merged) {
        jobs = merged;
        open.clear();
        for (int i = 0; i < merged.size(); i++) {
            JobState job = merged.get(i);
            job.index = i;
            if (!job.isSettled()) {
                job.reason = null;
                open.add(job);
            }
        }
    }

    private JobState enter(Job job) {
        JobState own = new JobState(job, queues.get(job.queue()), resources, state.cluster());
        byName.put(job.name(), own);
        own.enter();
        waiting.enter(own);
        victims.changed(own);
        for (List<Placement> placements : List.of(job.running(), job.terminating(), job.nominated())) {
            for (Placement placement : placements) {
                owners.put(placement.pod(), own);
                changedNodes.add(placement.node());
            }
        }
        return own;
    }

    private void leave(JobState own) {
        byName.remove(own.name(), own);
        own.leave();
        waiting.leave(own);
        victims.gone(own);
        for (List<Placement> placements : own.placements()) {
            for (Placement placement : placements) {
                owners.remove(placement.pod(), own);
                changedNodes.add(placement.node());
            }
        }
    }

    private void followStrangers() {
        for (String name : changedNodes) {
            emptied.note(name);
            long[] before = strangers.remove(name);
            if (before != null) {
                Vectors.subtract(ofStrangers, before);
            }
            state.cluster().node(name).ifPresent(this::addStrangers);
        }
        changedNodes.clear();
    }

    private void addStrangers(NodeState node) {
        long[] sum = null;
        for (Placement placement : node.placements()) {
            if (!owners.containsKey(placement.pod())) {
                sum = sum == null ? new long[resources.size()] : sum;
                Vectors.add(sum, resources.held(placement, node));
            }
        }
        if (sum != null) {
            strangers.put(node.name(), sum);
            Vectors.add(ofStrangers, sum);
        }
    }

    /** What the queues share: what the cluster has, without what pods of no job hold. */
    long[] shared() {
        long[] shared = resources.capacity().clone();
        Vectors.subtract(shared, ofStrangers);
        Vectors.max(shared, new long[shared.length]);
        return shared;
    }

    List<JobState> jobs() {
        return jobs;
    }

    List<JobState> open() {
        return open;
    }

    /** Returns the job of a pod; null if it has none. */
    @Nullable
    JobState owner(PodId pod) {
        return owners.get(pod);
    }

    /** Takes note that members of a job came or went. */
    void changed(JobState job) {
        job.changed();
        victims.changed(job);
        job.nominated.keySet().forEach(pod -> owners.put(pod, job));
        for (Placement placement : job.running.values()) {
            owners.put(placement.pod(), job);
            emptied.note(placement.node());
        }
    }

    /** Takes note that a pod does not start after all. */
    void cancelled(JobState job, PodId pod) {
        owners.remove(pod, job);
        changed(job);
    }

    private boolean mayLeave(Placement placement) {
        JobState job = owners.get(placement.pod());
        return job != null && job.running.containsKey(placement.pod()) && Victims.mayLeave(job, placement);
    }
}
