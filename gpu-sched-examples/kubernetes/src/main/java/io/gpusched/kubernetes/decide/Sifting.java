package io.gpusched.kubernetes.decide;

import io.gpusched.queue.Job;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans without the jobs on which planning fails. Whatever it is that a tenant wrote, it must not keep the jobs of others from being
 * planned: where a plan fails, halves of the jobs are tried, then halves of these, so that k such jobs of n cost O(k log n) plans. They are
 * left out at once as long as they stay as they are. Not thread-safe.
 */
final class Sifting {
    private static final Logger LOG = LoggerFactory.getLogger(Sifting.class);

    private final Map<Job, RuntimeException> failing = new HashMap<>();

    /** Returns the plan of all jobs but the ones that make it fail; {@link #failures} then says which. */
    <T> T plan(List<Job> jobs, Function<List<Job>, T> planner) {
        failing.keySet().retainAll(jobs);
        List<Job> others =
                jobs.stream().filter(job -> !failing.containsKey(job)).toList();
        try {
            return planner.apply(others);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a plan failed; the jobs are looked for that make it fail");
            return planner.apply(sound(List.of(), others, planner));
        }
    }

    /** Returns the suspected jobs with which planning does not fail, after the jobs known not to. */
    private <T> List<Job> sound(List<Job> known, List<Job> suspects, Function<List<Job>, T> planner) {
        List<Job> all = new ArrayList<>(known);
        all.addAll(suspects);
        try {
            T unused = planner.apply(all);
            return all;
        } catch (RuntimeException e) {
            if (suspects.size() < 2) {
                suspects.forEach(job -> failing.put(job, e));
                return known;
            }
            int half = suspects.size() / 2;
            List<Job> first = sound(known, suspects.subList(0, half), planner);
            return sound(first, suspects.subList(half, suspects.size()), planner);
        }
    }

    /** Returns why planning fails on each job that was left out, by its name. */
    Map<String, String> failures() {
        Map<String, String> words = new HashMap<>();
        failing.forEach((job, why) -> words.put(job.name(), "the scheduler failed: " + why));
        return words;
    }
}
