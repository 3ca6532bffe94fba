package io.gpusched.replay;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.UsageHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A state that events are applied to. Jobs that do not change stay the same objects. Not thread-safe. */
final class StateDraft {
    /** As many jobs that change are looked for one by one: a look at all references is cheaper than one at all names. */
    private static final int FEW = 16;

    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private QueueState state;

    StateDraft(QueueState state) {
        this.state = state;
        state.jobs().forEach(job -> jobs.put(job.name(), job));
    }

    QueueState state() {
        return state;
    }

    /**
     * Applies events that lead from this state to another; in between it may contradict itself.
     *
     * @throws IllegalArgumentException if they do not go with this state
     */
    void apply(List<HistoryEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        List<Job> gone = new ArrayList<>();
        Map<PodId, Placement> released = new LinkedHashMap<>();
        Map<PodId, Placement> placed = new LinkedHashMap<>();
        Map<String, JobSpec> specs = new LinkedHashMap<>();
        Map<String, HistoryEvent.StatusSet> statuses = new HashMap<>();
        List<HistoryEvent> nodes = new ArrayList<>();
        List<String> order = null;
        QueueTree queues = state.queues();
        UsageHistory usage = state.usage();
        for (HistoryEvent event : events) {
            if (event instanceof HistoryEvent.QueuesSet set) {
                queues = set.queues();
            } else if (event instanceof HistoryEvent.UsageSet set) {
                usage = set.usage();
            } else if (event instanceof HistoryEvent.JobSet set) {
                specs.put(set.spec().name(), set.spec());
            } else if (event instanceof HistoryEvent.StatusSet set) {
                statuses.put(set.job(), set);
            } else if (event instanceof HistoryEvent.JobGone end) {
                Job job = required(jobs.remove(end.job()), end.job());
                hold(job, released);
                gone.add(job);
            } else if (event instanceof HistoryEvent.JobsOrdered ordered) {
                order = ordered.jobs();
            } else if (event instanceof HistoryEvent.PodGone end) {
                Placement held = state.cluster().placement(end.pod()).orElse(null);
                released.put(end.pod(), required(held, end.pod()));
            } else if (event instanceof HistoryEvent.PodRuns runs) {
                placed.put(runs.placement().pod(), runs.placement());
            } else {
                nodes.add(event);
            }
        }
        Map<String, Job> replaced = new LinkedHashMap<>();
        for (String name : statuses.keySet()) {
            Job old = jobs.get(name);
            if (old != null) {
                hold(old, released);
                replaced.put(name, old);
            }
        }
        List<String> come = new ArrayList<>();
        specs.forEach((name, spec) -> {
            Job old = jobs.get(name);
            if (old == null) {
                come.add(name);
            } else {
                replaced.put(name, old);
            }
            jobs.put(name, statuses.containsKey(name) || old == null ? Job.pending(spec) : old.withSpec(spec));
        });
        statuses.forEach((name, set) -> {
            JobSpec spec = required(jobs.get(name), name).spec();
            JobStatus status = Places.read(spec, set);
            Job job = new Job(spec, status);
            jobs.put(name, job);
            hold(job, placed);
        });
        Cluster cluster = cluster(nodes, released, placed);
        List<Job> all = order == null && gone.size() + replaced.size() <= FEW
                ? changed(gone, replaced.values(), come)
                : ordered(order);
        QueueState next = JobChanges.same(queues, state.queues())
                ? state.with(cluster, all)
                : QueueState.of(cluster, queues, all);
        state = next.withUsage(usage);
    }

    private static <T> T required(@Nullable T value, Object name) {
        if (value == null) {
            throw new IllegalArgumentException("\"" + name + "\" must be known from an earlier line");
        }
        return value;
    }

    private static void hold(Job job, Map<PodId, Placement> held) {
        job.running().forEach(placement -> held.put(placement.pod(), placement));
        job.terminating().forEach(placement -> held.put(placement.pod(), placement));
    }

    private Cluster cluster(List<HistoryEvent> nodes, Map<PodId, Placement> released, Map<PodId, Placement> placed) {
        ClusterBatch batch = state.cluster().batch();
        released.forEach((pod, placement) -> {
            if (!placement.equals(placed.get(pod))) {
                batch.release(pod);
            } else {
                placed.remove(pod);
            }
        });
        Cluster changed = batch.build();
        for (HistoryEvent event : nodes) {
            if (event instanceof HistoryEvent.NodeGone gone) {
                changed = changed.withoutNode(gone.name());
            } else if (event instanceof HistoryEvent.NodeSet set) {
                boolean isKnown = changed.node(set.node().name()).isPresent();
                changed = isKnown ? changed.withReplaced(set.node()) : changed.withNode(set.node());
            } else if (event instanceof HistoryEvent.NamespaceSet set) {
                changed = changed.withNamespace(set.name(), set.labels());
            } else {
                throw new IllegalArgumentException("event is no change of a state: " + event);
            }
        }
        ClusterBatch rest = changed.batch();
        placed.values().forEach(rest::placeRunning);
        return rest.build();
    }

    /** The jobs of the state with what has changed: the same that the names in their order would give. */
    private List<Job> changed(List<Job> gone, Collection<Job> replaced, List<String> come) {
        List<Job> all = new ArrayList<>(state.jobs());
        for (Job job : replaced) {
            all.set(indexOf(all, job), required(jobs.get(job.name()), job.name()));
        }
        for (Job job : gone) {
            all.remove(indexOf(all, job));
        }
        come.forEach(name -> all.add(required(jobs.get(name), name)));
        return all;
    }

    private static int indexOf(List<Job> all, Job job) {
        int at = 0;
        while (!JobChanges.same(all.get(at), job)) {
            at++;
        }
        return at;
    }

    private List<Job> ordered(@Nullable List<String> order) {
        if (order != null) {
            order.forEach(name -> jobs.put(name, required(jobs.remove(name), name)));
        }
        return List.copyOf(jobs.values());
    }
}
