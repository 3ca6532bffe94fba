package io.gpusched.queue;

import io.gpusched.internal.persistent.HashTrie;
import io.gpusched.internal.persistent.TextHash;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which names jobs have and which job each pod is a member of: no two jobs share either. A job more or fewer costs O(log n). Immutable. */
final class JobIndex {
    /** A pod is a member of a job. */
    private record Member(PodId pod, String job) {}

    private final HashTrie<String, String> names;
    private final HashTrie<PodId, Member> members;

    private JobIndex(HashTrie<String, String> names, HashTrie<PodId, Member> members) {
        this.names = names;
        this.members = members;
    }

    /** Returns the index of jobs that obey the law. O(n). */
    static JobIndex of(List<Job> jobs) {
        List<Member> members = new ArrayList<>(jobs.size());
        for (Job job : jobs) {
            job.group().pods().forEach(pod -> members.add(new Member(pod.id(), job.name())));
        }
        return new JobIndex(
                HashTrie.of(
                        Function.identity(),
                        jobs.stream().mapToInt(job -> hash(job.name())).toArray(),
                        jobs.stream().map(Job::name).toArray(String[]::new)),
                HashTrie.of(
                        Member::pod,
                        members.stream()
                                .mapToInt(member -> member.pod.hashCode())
                                .toArray(),
                        members.toArray(Member[]::new)));
    }

    private static int hash(String name) {
        return (int) TextHash.of(name);
    }

    /**
     * Returns this index with another job.
     *
     * @throws IllegalArgumentException if its name or one of its pods is known already
     */
    JobIndex with(Job job) {
        String name = job.name();
        if (names.get(hash(name), name) != null) {
            throw new IllegalArgumentException("jobs: two have the name \"" + name + "\"");
        }
        HashTrie<PodId, Member> more = members;
        for (Pod pod : job.group().pods()) {
            Member other = more.get(pod.id().hashCode(), pod.id());
            if (other != null) {
                throw shared(job, pod.id(), other.job);
            }
            more = more.with(pod.id().hashCode(), null, new Member(pod.id(), name));
        }
        return new JobIndex(names.with(hash(name), null, name), more);
    }

    static IllegalArgumentException shared(Job job, PodId pod, String other) {
        return new IllegalArgumentException("job \"" + job.name() + "\": pod \"" + pod
                + "\" must be a member of one job, is one of \"" + other + "\" too");
    }

    /** Returns this index without a job of it. */
    JobIndex without(Job job) {
        HashTrie<PodId, Member> left = members;
        for (Pod pod : job.group().pods()) {
            left = left.without(pod.id().hashCode(), pod.id());
        }
        return new JobIndex(names.without(hash(job.name()), job.name()), left);
    }

    /** Returns the name of the job that a pod is a member of; null if it is of none. */
    @Nullable
    String jobOf(PodId pod) {
        Member member = members.get(pod.hashCode(), pod);
        return member == null ? null : member.job;
    }
}
