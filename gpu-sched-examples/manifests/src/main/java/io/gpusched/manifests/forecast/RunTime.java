package io.gpusched.manifests.forecast;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.queue.JobSpec;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How long a pod runs, in seconds.
 *
 * @param limit when it has gone at the latest: its {@code activeDeadlineSeconds} and then the grace that it is given to stop
 * @param expected what its annotation {@value #EXPECTED} says
 */
public record RunTime(OptionalLong limit, OptionalLong expected) {
    /** The annotation of a pod that says for how many seconds it is expected to run. */
    public static final String EXPECTED = "gpu-sched.io/expected-seconds";

    /** Of a pod that says nothing. */
    public static final RunTime UNKNOWN = new RunTime(OptionalLong.empty(), OptionalLong.empty());

    /** Kubernetes' default of {@code terminationGracePeriodSeconds}. */
    private static final long GRACE = 30;

    /**
     * Returns what a pod says in a file.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a time is no whole number of seconds in 0..2147483647
     */
    public static RunTime of(YamlNode at, Pod pod) {
        deadline(pod).ifPresent(text -> check(at.nearest("spec.activeDeadlineSeconds"), text));
        expected(pod).ifPresent(text -> check(at.nearest("metadata.annotations").at(EXPECTED), text));
        return of(pod);
    }

    /** Returns what a pod says; what is no whole number of seconds in 0..2147483647 says nothing. */
    public static RunTime of(Pod pod) {
        OptionalLong limit = seconds(deadline(pod));
        return new RunTime(
                limit.isPresent() ? OptionalLong.of(limit.getAsLong() + grace(pod)) : limit, seconds(expected(pod)));
    }

    private static Optional<String> deadline(Pod pod) {
        return Optional.ofNullable(pod.getSpec())
                .map(PodSpec::getActiveDeadlineSeconds)
                .map(String::valueOf);
    }

    private static Optional<String> expected(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations()).map(all -> all.get(EXPECTED));
    }

    /** For how many seconds a pod may go on once it is told to stop. */
    public static long grace(Pod pod) {
        PodSpec spec = pod.getSpec();
        @Nullable Long grace = spec == null ? null : spec.getTerminationGracePeriodSeconds();
        return Math.min(Math.max(0, Objects.requireNonNullElse(grace, GRACE)), Integer.MAX_VALUE);
    }

    private static OptionalLong seconds(Optional<String> text) {
        return text.filter(one -> one.matches("[0-9]{1,10}"))
                .map(Long::valueOf)
                .filter(number -> number <= Integer.MAX_VALUE)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    private static void check(YamlNode at, String text) {
        if (seconds(Optional.of(text)).isEmpty()) {
            throw at.error("must be a whole number of seconds in 0.." + Integer.MAX_VALUE + ", got \"" + text + "\"");
        }
    }

    /** Returns how long it takes until all have ended that start together: known if that of each is known. */
    public static RunTime ofAll(Collection<RunTime> all) {
        boolean areBound = all.stream().allMatch(one -> one.limit().isPresent());
        boolean areKnown = all.stream().allMatch(one -> one.planned().isPresent());
        OptionalLong longest =
                all.stream().mapToLong(one -> one.planned().orElse(0)).max();
        return new RunTime(
                areBound ? longest : OptionalLong.empty(), areKnown && !areBound ? longest : OptionalLong.empty());
    }

    /** Returns how long it runs as far as plans count with: its limit, else what is expected. */
    public OptionalLong planned() {
        return limit.isPresent() ? limit : expected;
    }

    /** Returns the limit as what is expected where nothing else is. */
    public RunTime asEstimate() {
        return new RunTime(OptionalLong.empty(), expected.isPresent() ? expected : limit);
    }

    /** Returns whether anything is known. */
    public boolean isKnown() {
        return planned().isPresent();
    }

    /** Adds it to a job whose times are in seconds. */
    public void addTo(JobSpec.Builder job) {
        limit.ifPresent(job::maxDuration);
        expected.ifPresent(job::expectedDuration);
    }
}
