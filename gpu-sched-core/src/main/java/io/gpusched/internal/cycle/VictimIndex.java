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

/**
 * Who may leave, of all queues and of each; kept from one cycle to the next. Jobs of which members came or went are looked at again when
 * their queue is next asked for.
 */
final class VictimIndex {
    private final Victims rules;
    private final VictimPool all;
    private final Map<QueueUse, VictimPool> byQueue = new LinkedHashMap<>();
    private final Map<JobState, List<Victim>> known = new HashMap<>();
    private final Map<QueueUse, List<JobState>> changed = new HashMap<>();
    private Cluster cluster;
    private long time;

    /** Jobs that may leave once they have run for long enough. */
    private final Set<JobState> isProtected = new LinkedHashSet<>();

    VictimIndex(Victims rules, Queues queues, int resources, Cluster cluster) {
        this.cluster = cluster;
        this.rules = rules;
        this.all = new VictimPool(rules::compare, resources);
        queues.all().forEach(queue -> byQueue.put(queue, new VictimPool(rules::compare, resources)));
    }

    /** Takes note that members of a job came or went. */
    void changed(JobState job) {
        changed.computeIfAbsent(job.queue, queue -> new ArrayList<>()).add(job);
    }

    /** What is asked from now on is asked of this cluster at this time. */
    void at(Cluster now, long moment) {
        cluster = now;
        time = moment;
    }

    private void follow(QueueUse queue) {
        List<JobState> jobs = changed.remove(queue);
        for (JobState job : jobs == null ? List.<JobState>of() : jobs) {
            gone(job);
            if (!job.isGone) {
                add(job);
            }
        }
    }

    /** Takes a job out at once: before its number goes to another, by which the order would take one for the other. */
    void gone(JobState job) {
        List<Victim> victims = known.remove(job);
        if (victims != null) {
            VictimPool pool = known(job.queue);
            for (Victim victim : victims) {
                pool.remove(victim);
                all.remove(victim);
            }
        }
        isProtected.remove(job);
    }

    private void add(JobState job) {
        List<Victim> victims = rules.of(job, cluster, time);
        VictimPool pool = known(job.queue);
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
        isProtected.forEach(this::changed);
    }

    Comparator<Victim> cheapestFirst() {
        return rules::compare;
    }

    /** Those of all queues. */
    VictimPool all() {
        queues().forEach(this::follow);
        return all;
    }

    /** Those of one queue. */
    VictimPool pool(QueueUse queue) {
        follow(queue);
        return known(queue);
    }

    private VictimPool known(QueueUse queue) {
        return Objects.requireNonNull(byQueue.get(queue), "queue");
    }

    /** The queues, in the order of the tree. */
    Set<QueueUse> queues() {
        return byQueue.keySet();
    }
}
