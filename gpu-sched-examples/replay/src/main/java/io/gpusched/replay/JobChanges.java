package io.gpusched.replay;

import io.gpusched.queue.Job;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs in which two states differ. O(jobs), and little more than a comparison for each that is the same object. */
interface JobChanges {
    /**
     * Takes note of a job that may differ.
     *
     * @param was null if it is new
     * @param is null if it is gone
     */
    void changed(@Nullable Job was, @Nullable Job is);

    /** Tells of jobs that may differ, those that are gone last; returns whether those that stay come first and in their order. */
    static boolean forEach(List<Job> before, List<Job> after, JobChanges changes) {
        Map<String, Job> byName = new HashMap<>();
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
            if (byName.isEmpty()) {
                before.forEach(each -> byName.put(each.name(), each));
            }
            Job known = byName.get(job.name());
            tell(known, job, changes);
            if (known == null) {
                isNewSeen = true;
            } else if (passedOver.remove(job.name()) != null) {
                isOrdered = false;
            } else {
                for (; !before.get(next).name().equals(job.name()); next++) {
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
