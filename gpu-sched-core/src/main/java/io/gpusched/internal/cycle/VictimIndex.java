package io.gpusched.internal.cycle;

import io.gpusched.model.Cluster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Who may leave, of all queues and of each; kept from one cycle to the next, and looked at again where members came or went. */
final class VictimIndex {
    private final Victims rules;
    private final VictimPool all;
    private final Map<QueueUse, VictimPool> byQueue = new LinkedHashMap<>();
    private final Map<JobState, List<Victim>> known = new HashMap<>();
    private List<JobState> changed = new ArrayList<>();

    /** Jobs that may leave once they have run for long enough. */
    private final Set<JobState> isProtected = new LinkedHashSet<>();

    VictimIndex(Victims rules, Queues queues, int resources) {
        this.rules = rules;
        this.all = new VictimPool(rules.cheapestFirst(), resources);
        queues.all().forEach(queue -> byQueue.put(queue, new VictimPool(rules.cheapestFirst(), resources)));
    }

    /** Takes note that members of a job came or went. */
    void changed(JobState job) {
        changed.add(job);
    }

    /** Brings the index up to date. */
    void follow(Cluster cluster, long time) {
        List<JobState> now = changed;
        changed = new ArrayList<>();
        for (JobState job : now) {
            gone(job);
            if (!job.isGone) {
                add(job, pool(job.queue), cluster, time);
            }
        }
    }

    /** Takes a job out at once: before its number goes to another, by which the order would take one for the other. */
    void gone(JobState job) {
        List<Victim> victims = known.remove(job);
        if (victims != null) {
            VictimPool pool = pool(job.queue);
            for (Victim victim : victims) {
                pool.remove(victim);
                all.remove(victim);
            }
        }
        isProtected.remove(job);
    }

    private void add(JobState job, VictimPool pool, Cluster cluster, long time) {
        List<Victim> victims = rules.of(job, cluster, time);
        for (Victim victim : victims) {
            pool.add(victim);
            all.add(victim);
        }
        if (!victims.isEmpty()) {
            known.put(job, victims);
        }
        if (Victims.isProtected(job, time) || job.isKept(time)) {
            isProtected.add(job);
        }
    }

    /** Looks again at those for which time has passed. */
    void later() {
        changed.addAll(isProtected);
    }

    Comparator<Victim> cheapestFirst() {
        return rules.cheapestFirst();
    }

    /** Those of all queues. */
    VictimPool all() {
        return all;
    }

    /** Those of one queue. */
    VictimPool pool(QueueUse queue) {
        return Objects.requireNonNull(byQueue.get(queue), "queue");
    }

    /** Those of each queue, in the order of the tree. */
    Map<QueueUse, VictimPool> byQueue() {
        return byQueue;
    }
}
