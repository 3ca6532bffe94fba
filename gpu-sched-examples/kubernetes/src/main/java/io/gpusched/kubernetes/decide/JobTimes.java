package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.forecast.RunTime;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * How long a job runs from its start on, in milliseconds. Decisions go by limits alone, which the kubelet enforces: no pod gains room by
 * what he says that he expects.
 *
 * @param limit when all of its pods have ended at the latest; nothing if one of them has no limit
 * @param expected when they are expected to have ended; nothing if that is not known of one of them
 */
record JobTimes(OptionalLong limit, OptionalLong expected) {
    static final JobTimes UNKNOWN = new JobTimes(OptionalLong.empty(), OptionalLong.empty());

    private static final long SECOND = 1_000;

    /**
     * Returns those of a job.
     *
     * @param running its pods that run, and since when
     * @param waiting its pods that wait, which run as long once they start
     * @param started when the first one started
     */
    static JobTimes of(Map<JobPod, Long> running, Collection<JobPod> waiting, long started) {
        return new JobTimes(
                longest(running, waiting, started, RunTime::limit),
                longest(running, waiting, started, RunTime::planned));
    }

    private static OptionalLong longest(
            Map<JobPod, Long> running,
            Collection<JobPod> waiting,
            long started,
            Function<RunTime, OptionalLong> howLong) {
        long longest = 0;
        for (Map.Entry<JobPod, Long> pod : running.entrySet()) {
            OptionalLong time = howLong.apply(pod.getKey().runTime());
            if (time.isEmpty()) {
                return time;
            }
            longest = Math.max(longest, pod.getValue() - started + time.getAsLong() * SECOND);
        }
        for (JobPod pod : waiting) {
            OptionalLong time = howLong.apply(pod.runTime());
            if (time.isEmpty()) {
                return time;
            }
            longest = Math.max(longest, time.getAsLong() * SECOND);
        }
        return OptionalLong.of(longest);
    }

    /** Whether a pod that starts when a job has run for some time is known to end with it, or the job has no end itself. */
    boolean covers(JobPod pod, long ranFor) {
        OptionalLong own = pod.runTime().limit();
        return limit.isEmpty() || own.isPresent() && ranFor + own.getAsLong() * SECOND <= limit.getAsLong();
    }
}
