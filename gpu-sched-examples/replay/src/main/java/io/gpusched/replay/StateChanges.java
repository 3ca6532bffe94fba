package io.gpusched.replay;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.QueueState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What two states differ in, as events that lead from one to the other, see {@link StateDraft}. Costs O(jobs), and O(changes). */
final class StateChanges {
    private final QueueState before;
    private final QueueState after;
    private final List<HistoryEvent> events = new ArrayList<>();

    /** What jobs that changed hold, in either state. */
    private final Set<PodId> heldBefore = new HashSet<>();

    private final Set<PodId> heldAfter = new HashSet<>();

    private final Set<String> gone = new HashSet<>();

    private StateChanges(QueueState before, QueueState after) {
        this.before = before;
        this.after = after;
    }

    static List<HistoryEvent> between(QueueState before, QueueState after) {
        return new StateChanges(before, after).find();
    }

    private List<HistoryEvent> find() {
        if (!before.queues().equals(after.queues())) {
            events.add(new HistoryEvent.QueuesSet(after.queues()));
        }
        if (!before.usage().equals(after.usage())) {
            events.add(new HistoryEvent.UsageSet(after.usage()));
        }
        jobs();
        namespaces();
        cluster();
        return events;
    }

    private void jobs() {
        boolean isOrdered = JobChanges.forEach(before.jobs(), after.jobs(), this::changed);
        if (!isOrdered) {
            List<Job> jobs = after.jobs();
            events.add(new HistoryEvent.JobsOrdered(
                    jobs.subList(inOrder(), jobs.size()).stream().map(Job::name).toList()));
        }
    }

    /** How many jobs, from the first on, are in the order in which they were. */
    private int inOrder() {
        int inOrder = 0;
        for (Job job : before.jobs()) {
            if (!gone.contains(job.name())) {
                if (!job.name().equals(after.jobs().get(inOrder).name())) {
                    return inOrder;
                }
                inOrder++;
            }
        }
        return inOrder;
    }

    private void changed(@Nullable Job was, @Nullable Job is) {
        if (is == null) {
            Job old = Objects.requireNonNull(was);
            held(old, heldBefore);
            gone.add(old.name());
            events.add(new HistoryEvent.JobGone(old.name()));
            return;
        }
        if (was == null
                || !JobChanges.same(was.spec(), is.spec()) && !was.spec().equals(is.spec())) {
            events.add(new HistoryEvent.JobSet(is.spec()));
        }
        JobStatus old = was == null ? JobStatus.PENDING : was.status();
        if (!old.equals(is.status())) {
            events.add(Places.written(is));
            if (was != null) {
                held(was, heldBefore);
            }
            held(is, heldAfter);
        }
    }

    private static void held(Job job, Set<PodId> held) {
        job.running().forEach(placement -> held.add(placement.pod()));
        job.terminating().forEach(placement -> held.add(placement.pod()));
    }

    private void namespaces() {
        Map<String, Map<String, String>> old = before.cluster().namespaces();
        Map<String, Map<String, String>> now = after.cluster().namespaces();
        if (old.equals(now)) {
            return;
        }
        Set<String> names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            Map<String, String> labels = now.getOrDefault(name, Map.of());
            if (!labels.equals(old.getOrDefault(name, Map.of()))) {
                events.add(new HistoryEvent.NamespaceSet(name, labels));
            }
        }
    }

    private void cluster() {
        Set<PodId> changed = new TreeSet<>(heldBefore);
        changed.addAll(heldAfter);
        List<HistoryEvent> nodes = new ArrayList<>();
        after.cluster().forEachChange(before.cluster(), (was, is) -> {
            if (is == null) {
                nodes.add(new HistoryEvent.NodeGone(Objects.requireNonNull(was).name()));
            } else if (was == null
                    || !JobChanges.same(was.node(), is.node()) && !was.node().equals(is.node())) {
                nodes.add(new HistoryEvent.NodeSet(is.node()));
            }
            moved(was, is, changed);
        });
        nodes.sort((a, b) -> name(a).compareTo(name(b)));
        events.addAll(nodes);
        for (PodId pod : changed) {
            Placement was = stranger(before.cluster(), heldBefore, pod);
            Placement is = stranger(after.cluster(), heldAfter, pod);
            if (was != null && !was.equals(is)) {
                events.add(new HistoryEvent.PodGone(pod));
            }
            if (is != null && !is.equals(was)) {
                events.add(new HistoryEvent.PodRuns(is));
            }
        }
    }

    private static String name(HistoryEvent event) {
        return event instanceof HistoryEvent.NodeSet set ? set.node().name() : ((HistoryEvent.NodeGone) event).name();
    }

    /** Adds the pods that hold something else of a node than before. */
    private static void moved(@Nullable NodeState was, @Nullable NodeState is, Set<PodId> changed) {
        Map<PodId, Placement> old = new HashMap<>();
        if (was != null) {
            was.placements().forEach(placement -> old.put(placement.pod(), placement));
        }
        if (is != null) {
            for (Placement placement : is.placements()) {
                Placement held = old.remove(placement.pod());
                if (!placement.equals(held)) {
                    changed.add(placement.pod());
                }
            }
        }
        changed.addAll(old.keySet());
    }

    /** What a pod holds, if it is of no job. A pod that changed and is of no job that changed is of none. */
    private static @Nullable Placement stranger(Cluster cluster, Set<PodId> held, PodId pod) {
        return held.contains(pod) ? null : cluster.placement(pod).orElse(null);
    }
}
