package io.gpusched.cli.place;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.gpusched.kubernetes.yaml.YamlNode;
import io.gpusched.workload.JobBuilder;
import java.util.Collection;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How long a pod runs, in seconds.
 *
 * @param limit when it has gone at the latest: its {@code activeDeadlineSeconds} and then the grace that it is given to stop
 * @param expected what its annotation {@value #EXPECTED} says
 */
record RunTime(OptionalLong limit, OptionalLong expected) {
    /** The annotation of a pod that says for how many seconds it is expected to run. */
    static final String EXPECTED = "gpu-sched.io/expected-seconds";

    static final RunTime UNKNOWN = new RunTime(OptionalLong.empty(), OptionalLong.empty());

    /** Kubernetes' default of {@code terminationGracePeriodSeconds}. */
    private static final long GRACE = 30;

    /**
     * Returns what a pod says.
     *
     * @throws io.gpusched.kubernetes.yaml.InputException if a time is no whole number of seconds in 0..2147483647
     */
    static RunTime of(YamlNode at, Pod pod) {
        Long deadline = pod.getSpec() == null ? null : pod.getSpec().getActiveDeadlineSeconds();
        String expected = pod.getMetadata().getAnnotations() == null
                ? null
                : pod.getMetadata().getAnnotations().get(EXPECTED);
        return new RunTime(
                deadline == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(
                                seconds(at.nearest("spec.activeDeadlineSeconds"), deadline.toString()) + grace(pod)),
                expected == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(
                                seconds(at.nearest("metadata.annotations").at(EXPECTED), expected)));
    }

    /** For how many seconds a pod may go on once it is told to stop. */
    static long grace(Pod pod) {
        PodSpec spec = pod.getSpec();
        @Nullable Long grace = spec == null ? null : spec.getTerminationGracePeriodSeconds();
        return Math.min(Math.max(0, Objects.requireNonNullElse(grace, GRACE)), Integer.MAX_VALUE);
    }

    private static long seconds(YamlNode at, String text) {
        if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > Integer.MAX_VALUE) {
            throw at.error("must be a whole number of seconds in 0.." + Integer.MAX_VALUE + ", got \"" + text + "\"");
        }
        return Long.parseLong(text);
    }

    /** Returns how long it takes until all have ended that start together: known if that of each is known. */
    static RunTime ofAll(Collection<RunTime> all) {
        boolean areBound = all.stream().allMatch(one -> one.limit().isPresent());
        boolean areKnown = all.stream().allMatch(one -> one.planned().isPresent());
        OptionalLong longest =
                all.stream().mapToLong(one -> one.planned().orElse(0)).max();
        return new RunTime(
                areBound ? longest : OptionalLong.empty(), areKnown && !areBound ? longest : OptionalLong.empty());
    }

    private OptionalLong planned() {
        return limit.isPresent() ? limit : expected;
    }

    /** Returns the limit as what is expected where nothing else is. */
    RunTime asEstimate() {
        return new RunTime(OptionalLong.empty(), expected.isPresent() ? expected : limit);
    }

    /** Returns whether anything is known. */
    boolean isKnown() {
        return planned().isPresent();
    }

    /** Adds it to a job. */
    void addTo(JobBuilder job) {
        limit.ifPresent(job::maxDuration);
        expected.ifPresent(job::expectedDuration);
    }
}
