package io.gpusched.internal.cycle;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.CycleSettings;
import io.gpusched.workload.Eviction;
import io.gpusched.workload.Job;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who of a job may leave, and who leaves first.
 *
 * <p>The cheapest first: the lowest priority; members beyond a minimum before a minimum; where the fewest pods shall leave, those that
 * leave alone before those that leave with others, and then those that hold the most GPUs; then those that were submitted last.
 */
final class Victims {
    private final ResourceTable resources;
    private final boolean isFewest;

    Victims(CycleSettings.VictimOrder chosen, ResourceTable resources) {
        this.resources = resources;
        this.isFewest = chosen == CycleSettings.VictimOrder.FEWEST;
    }

    /** Compares two of those who may leave: the cheaper is less. */
    int compare(Victim one, Victim other) {
        Job job = one.job().job;
        Job otherJob = other.job().job;
        int result = Integer.compare(job.priority(), otherJob.priority());
        if (result == 0) {
            result = Boolean.compare(one.isLast(), other.isLast());
        }
        if (result == 0 && isFewest) {
            result = Integer.compare(one.placements().size(), other.placements().size());
        }
        if (result == 0 && isFewest) {
            result = Long.compare(other.held()[ResourceTable.GPU], one.held()[ResourceTable.GPU]);
        }
        if (result == 0) {
            result = Long.compare(otherJob.submitted(), job.submitted());
        }
        if (result == 0) {
            result = Integer.compare(other.job().index, one.job().index);
        }
        return result == 0 ? Integer.compare(one.ordinal(), other.ordinal()) : result;
    }

    /** Returns who of a job may leave, the cheapest first; a job for which a place is held is not disturbed. */
    List<Victim> of(JobState job, Cluster cluster, long time) {
        Eviction eviction = job.job.eviction();
        if (eviction == Eviction.NEVER || job.running.isEmpty() || !job.nominated.isEmpty() || job.isKept(time)) {
            return List.of();
        }
        return of(job, cluster, !isProtected(job, time) && eviction != Eviction.EXTRAS);
    }

    private List<Victim> of(JobState job, Cluster cluster, boolean isMinimumToo) {
        List<Victim> victims = new ArrayList<>();
        Eviction eviction = job.job.eviction();
        List<Placement> running = List.copyOf(job.running.values());
        List<Placement> extras = extras(job, running);
        if (eviction == Eviction.ALL) {
            extras = List.of();
        }
        for (Placement extra : extras) {
            victims.add(victim(job, List.of(extra), false, victims.size(), cluster));
        }
        if (isMinimumToo) {
            addMinimum(job, running, extras, victims, cluster);
        }
        return victims;
    }

    private void addMinimum(
            JobState job, List<Placement> running, List<Placement> extras, List<Victim> victims, Cluster cluster) {
        List<Placement> minimum = new ArrayList<>(running);
        minimum.removeAll(extras);
        if (job.job.eviction() == Eviction.SINGLE) {
            minimum.forEach(placement -> victims.add(victim(job, List.of(placement), false, victims.size(), cluster)));
        } else {
            victims.add(victim(job, List.copyOf(minimum), true, victims.size(), cluster));
        }
    }

    private Victim victim(JobState job, List<Placement> placements, boolean isLast, int ordinal, Cluster cluster) {
        long[] held = new long[resources.size()];
        placements.forEach(placement -> Vectors.add(held, job.held(placement, cluster)));
        return new Victim(job, placements, held, isLast, ordinal);
    }

    /** Whether it has not run for as long as it may for sure. */
    static boolean isProtected(JobState job, long time) {
        return job.job.started().isPresent() && time - job.job.started().getAsLong() < job.queue.minRuntime;
    }

    /** Whether a member of a job may leave that runs, be it not protected. */
    static boolean mayLeave(JobState job, Placement placement) {
        Eviction eviction = job.job.eviction();
        return job.nominated.isEmpty()
                && eviction != Eviction.NEVER
                && (eviction != Eviction.EXTRAS
                        || extras(job, List.copyOf(job.running.values())).contains(placement));
    }

    /** The members without which the minimum still runs, the last first. */
    private static List<Placement> extras(JobState job, List<Placement> running) {
        List<Placement> extras = new ArrayList<>();
        if (running.size() <= job.job.group().minMember()) {
            return extras;
        }
        Set<PodId> left = new HashSet<>(job.running.keySet());
        for (int i = running.size() - 1; i >= 0; i--) {
            PodId pod = running.get(i).pod();
            left.remove(pod);
            if (Members.isMinimum(job.job.group(), left)) {
                extras.add(running.get(i));
            } else {
                left.add(pod);
            }
        }
        return extras;
    }
}
