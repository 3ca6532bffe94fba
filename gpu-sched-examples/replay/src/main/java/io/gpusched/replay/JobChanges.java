package io.gpusched.replay;

import io.gpusched.queue.Job;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs in which two states differ. O(jobs), and little more than a comparison for each that is the same object. */
interface JobChanges {
    /** How many jobs in a row mostly go at once. */
    int NEAR = 64;

    /**
     * Takes note of a job that may differ.
     *
     * @param was null if it is new
     * @param is null if it is gone
     */
    void changed(@Nullable Job was, @Nullable Job is);

    /** Tells of jobs that may differ, those that are gone last; returns whether those that stay come first and in their order. */
    static boolean forEach(List<Job> before, List<Job> after, JobChanges changes) {
        Map<String, Integer> places = new HashMap<>();
        Map<String, Job> passedOver = new LinkedHashMap<>();
        boolean isOrdered = true;
        boolean isNewSeen = false;
        int next = 0;
        for (Job job : after) {
            if (next < before.size()) {
                Job same = before.get(next);
                if (same(same, job) || same.name().equals(job.name())) {
                    tell(same, job, changes);
                    next++;
                    isOrdered &= !isNewSeen;
                    continue;
                }
            }
            Job passed = passedOver.remove(job.name());
            int at = passed == null ? indexOf(before, next, job, places) : -1;
            tell(at >= 0 ? before.get(at) : passed, job, changes);
            if (passed != null) {
                isOrdered = false;
            } else if (at < 0) {
                isNewSeen = true;
            } else {
                for (; next < at; next++) {
                    passedOver.put(before.get(next).name(), before.get(next));
                }
                next++;
                isOrdered &= !isNewSeen;
            }
        }
        passedOver.values().forEach(gone -> changes.changed(gone, null));
        before.subList(next, before.size()).forEach(gone -> changes.changed(gone, null));
        return isOrdered;
    }

    /** Returns where a job of a name is from an index on, -1 if it is not: mostly at the end or near, so that names are seldom looked at. */
    private static int indexOf(List<Job> jobs, int from, Job job, Map<String, Integer> places) {
        int near = Math.min(jobs.size(), from + NEAR);
        for (int i = from; i < near; i++) {
            if (same(jobs.get(i), job) || jobs.get(i).name().equals(job.name())) {
                return i;
            }
        }
        if (near == jobs.size()) {
            return -1;
        }
        if (places.isEmpty()) {
            for (int i = from; i < jobs.size(); i++) {
                places.put(jobs.get(i).name(), i);
            }
        }
        return places.getOrDefault(job.name(), -1);
    }

    /** Whether two values are one object: values are compared the faster, and of equal objects nothing is remembered twice. */
    static boolean same(@Nullable Object one, @Nullable Object other) {
        return one == other;
    }

    private static void tell(@Nullable Job was, Job is, JobChanges changes) {
        if (!same(was, is)) {
            changes.changed(was, is);
        }
    }
}
