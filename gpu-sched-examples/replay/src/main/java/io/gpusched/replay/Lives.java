package io.gpusched.replay;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.Reservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Follows the jobs of one state after the other, and notes what becomes of each. Not thread-safe. */
class Lives {
    private final List<Life> all = new ArrayList<>();
    private final Map<String, Life> present = new HashMap<>();
    private final QueueHoldings holdings = new QueueHoldings();
    private Cluster cluster = Cluster.of(List.of());
    private boolean evicts;
    private boolean isBegun;

    /** Returns what became of all jobs, in the order in which they came. */
    List<Life> all() {
        return all;
    }

    /** Returns the life of a job that is there. */
    Life present(String name) {
        return Objects.requireNonNull(present.get(name), name);
    }

    /**
     * Notes in what a later state differs.
     *
     * @param evicts whether pods that are to end from then on are evicted; else they were deleted, and had run for as long as they were to
     */
    void see(long time, List<Job> before, QueueState after, boolean evicts) {
        holdings.until(time);
        if (before != after.jobs()) {
            cluster = after.cluster();
            this.evicts = evicts;
            JobChanges.forEach(before, after.jobs(), (was, is) -> changed(time, was, is));
        }
        isBegun = true;
    }

    /** Returns what queues held until a time, at which nothing changes any more. */
    QueueHoldings holdings(long time) {
        holdings.until(time);
        return holdings;
    }

    private void tally(Life life, boolean isWaiting) {
        long held = 0;
        for (PodId pod : life.running.keySet()) {
            held += life.gpuMillis(pod);
        }
        holdings.changed(life.spec.queue(), held - life.held, (isWaiting ? 1 : 0) - (life.isWaiting ? 1 : 0));
        life.held = held;
        life.isWaiting = isWaiting;
    }

    private void changed(long time, @Nullable Job was, @Nullable Job is) {
        if (is == null) {
            gone(time, Objects.requireNonNull(was));
            return;
        }
        Life life = present.get(is.name());
        if (was == null || life == null) {
            life = new Life(
                    is.spec(),
                    time,
                    !isBegun && (!is.status().isPending() || is.spec().submitted() < time));
            all.add(life);
            present.put(is.name(), life);
            came(life, time);
        } else if (!JobChanges.same(was.spec(), is.spec())
                && !was.spec().withGroup(is.group()).equals(is.spec())) {
            said(life, is.spec(), time);
        }
        if (was == null || !JobChanges.same(was.status(), is.status()) || !JobChanges.same(was.group(), is.group())) {
            moved(life, was == null ? List.of() : was.terminating(), is, time);
            tally(life, is.running().size() < is.group().minMember());
        }
    }

    private void moved(Life life, List<Placement> terminating, Job is, long time) {
        terminating.forEach(held -> kept(life, is, held.pod()));
        Set<PodId> running = new HashSet<>();
        for (Placement placement : is.running()) {
            running.add(placement.pod());
            if (life.running.putIfAbsent(placement.pod(), time) == null) {
                life.unfinished.remove(placement.pod());
                life.ran.remove(placement.pod());
                started(life, placement.pod(), time);
            }
        }
        if (life.started.isEmpty()
                && (is.status().started().isPresent()
                        || !running.isEmpty() && running.size() >= is.group().minMember())) {
            life.started = OptionalLong.of(
                    life.isOld ? Math.min(time, is.status().started().orElse(time)) : time);
        }
        if (running.size() < life.running.size()) {
            stopped(life, is, running, time);
        }
        if (life.promised.isEmpty() && is.spec().promised() && life.started.isEmpty()) {
            life.promised = is.reservation()
                    .map(Reservation::start)
                    .map(OptionalLong::of)
                    .orElse(OptionalLong.empty());
        }
    }

    /** A pod that was to end and runs is one whose eviction was decided and did not happen: the API server refused it, say. */
    private void kept(Life life, Job is, PodId pod) {
        Life.Evicted evicted = life.evicted.get(pod);
        if (evicted != null && is.running().stream().anyMatch(held -> held.pod().equals(pod))) {
            life.evicted.remove(pod);
            life.unfinished.remove(pod);
            life.evictions--;
            life.lost -= evicted.lost();
            life.running.put(pod, evicted.since());
            kept(life, pod);
        }
    }

    private void stopped(Life life, Job is, Set<PodId> running, long time) {
        Set<PodId> members = new HashSet<>();
        is.group().pods().forEach(pod -> members.add(pod.id()));
        Set<PodId> terminating = new HashSet<>();
        is.terminating().forEach(placement -> terminating.add(placement.pod()));
        for (PodId pod : List.copyOf(life.running.keySet())) {
            if (running.contains(pod)) {
                continue;
            }
            long since = Objects.requireNonNull(life.running.remove(pod));
            if (!members.contains(pod) || terminating.contains(pod) && !evicts) {
                life.ran.put(pod, time - since);
                continue;
            }
            long lost = lose(life, pod, time - since);
            if (terminating.contains(pod)) {
                life.evictions++;
                life.evicted.put(pod, new Life.Evicted(since, lost));
                evicted(life, pod, time);
            }
        }
    }

    /** A pod did not end by itself; what it ran is lost. */
    private static long lose(Life life, PodId pod, long ran) {
        long lost = life.gpuMillis(pod) * ran;
        life.lost += lost;
        life.unfinished.put(pod, ran);
        return lost;
    }

    private void gone(long time, Job was) {
        Life life = present.remove(was.name());
        if (life != null) {
            for (Placement held : was.running()) {
                Long since = life.running.get(held.pod());
                if (since != null && cluster.node(held.node()).isEmpty()) {
                    lose(life, held.pod(), time - since);
                }
            }
            life.running.forEach((pod, since) -> life.ran.put(pod, time - since));
            life.running.clear();
            life.ran.putAll(life.unfinished);
            tally(life, false);
            life.gone = OptionalLong.of(time);
            left(life, time);
        }
    }

    /** A job came. */
    void came(Life life, long time) {}

    /** Something else is said of a job, apart from its members. */
    void said(Life life, JobSpec spec, long time) {}

    /** A pod runs. */
    void started(Life life, PodId pod, long time) {}

    /** A pod is to end for others. */
    void evicted(Life life, PodId pod, long time) {}

    /** A pod that was to end for others runs on. */
    void kept(Life life, PodId pod) {}

    /** A job is gone. */
    void left(Life life, long time) {}
}
