package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a job alone, computed once and kept as long as the job is the same object: what its members hold and ask for, and what
 * it asks for next.
 */
final class JobFacts {
    final Job job;
    final int queue;
    final int size;
    /** What its running members hold. */
    final long[] running;
    /** What its running and its terminating members hold. */
    final long[] standing;
    /** What may not be evicted of what its running members hold. */
    final long[] fixed;
    /** What its members hold and ask for. A pod that terminates comes back, so that fair shares stay as they are meanwhile. */
    final long[] requested;
    /** Whether a member has rules that look at pods around it. */
    final boolean isRuled;
    /** Whether a member must be near others, or spread among them. */
    final boolean needsOthers;

    /** Whether all members run, and nothing else is known of it: a plan only looks at such a job if others need its places. */
    final boolean isSettled;

    private final ResourceTable table;
    private @Nullable Map<PodId, Pod> members;
    private @Nullable JobStatus lastAsked;
    private @Nullable Request lastNext;

    JobFacts(Job job, int queue, ResourceTable table, Cluster cluster) {
        this.job = job;
        this.queue = queue;
        this.table = table;
        JobStatus status = job.status();
        size = Members.size(job.group());
        running = table.held(status.running(), cluster);
        standing = running.clone();
        Amounts.add(standing, table.held(status.terminating(), cluster));
        fixed = fixed(status.running(), cluster);
        requested = compute(status, cluster);
        isRuled = job.group().pods().stream().anyMatch(pod -> pod.rules().concernsOthers());
        isSettled = status.running().size() == size
                && status.terminating().isEmpty()
                && status.nominated().isEmpty()
                && status.reservation().isEmpty();
        needsOthers = isRuled && job.group().pods().stream().anyMatch(pod -> needsOthers(pod.rules()));
    }

    /** Whether where a pod may be depends on pods that are somewhere else. */
    static boolean needsOthers(PodRules rules) {
        return !rules.affinity().required().isEmpty() || rules.spread().stream().anyMatch(TopologySpread::required);
    }

    /** What its members hold and ask for as a job stands now. */
    @SuppressWarnings("ReferenceEquality") // the very same status
    long[] requested(JobStatus status, Cluster cluster) {
        return status == job.status() ? requested : compute(status, cluster);
    }

    private long[] compute(JobStatus status, Cluster cluster) {
        Map<PodId, Placement> places = new HashMap<>();
        status.terminating().forEach(placement -> places.put(placement.pod(), placement));
        status.nominated().forEach(placement -> places.put(placement.pod(), placement));
        status.running().forEach(placement -> places.put(placement.pod(), placement));
        long[] sums = table.held(places.values(), cluster);
        if (places.size() < size) {
            Amounts.add(
                    sums,
                    table.atMost(job.group().pods().stream()
                            .filter(pod -> !places.containsKey(pod.id()))
                            .toList()));
        }
        return sums;
    }

    /** What of these may not be evicted: all of a job that is never evicted, the minimum of one that loses only members beyond it. */
    long[] fixed(List<Placement> placed, Cluster cluster) {
        int count = switch (job.spec().eviction()) {
            case NEVER -> placed.size();
            case EXTRAS -> Math.min(placed.size(), job.group().minMember());
            default -> 0;
        };
        return table.held(placed.subList(0, count), cluster);
    }

    /** Whether what the job gets next may never be evicted. */
    boolean isFixed(boolean isOfMinimum) {
        Eviction eviction = job.spec().eviction();
        return eviction == Eviction.NEVER || eviction == Eviction.EXTRAS && isOfMinimum;
    }

    String name() {
        return job.name();
    }

    /** A member as the scheduler sees it once others of its group are placed. */
    Pod member(PodId id) {
        Map<PodId, Pod> known = members;
        if (known == null) {
            known = new HashMap<>();
            Map<PodId, GroupMembership> memberships = job.group().memberships();
            for (Pod pod : job.group().pods()) {
                known.put(pod.id(), pod.withGroup(Optional.ofNullable(memberships.get(pod.id()))));
            }
            members = known;
        }
        return Objects.requireNonNull(known.get(id), "member");
    }

    /** Whether fewer members run or have a place than must start together. */
    boolean isBelowMinimum(JobStatus status) {
        int placed = status.running().size() + status.nominated().size();
        return placed < size && (placed < job.group().minMember() || !Members.isMinimum(job.group(), placed(status)));
    }

    static Set<PodId> placed(JobStatus status) {
        Set<PodId> placed = Members.ids(status.running());
        status.nominated().forEach(placement -> placed.add(placement.pod()));
        return placed;
    }

    /** Returns what the job asks for next; null if it asks for nothing, or cannot before members have ended. */
    @SuppressWarnings("ReferenceEquality") // the very same status: a memo
    @Nullable
    Request next(int number, JobStatus status) {
        if (lastAsked != status || lastNext != null && lastNext.job() != number) {
            lastNext = computeNext(number, status);
            lastAsked = status;
        }
        return lastNext;
    }

    private @Nullable Request computeNext(int number, JobStatus status) {
        if (status.running().size() + status.nominated().size() == size) {
            return null;
        }
        PodGroup group = job.group();
        Set<PodId> placed = placed(status);
        Set<PodId> ending = Members.ids(status.terminating());
        if (Members.isMinimum(group, placed)) {
            PodGroup next = Members.next(group, placed, ending);
            return next == null ? null : Request.of(number, next, null, placed, table.atLeast(next.pods()), false);
        }
        PodGroup minimum = Members.minimum(group, placed, ending);
        boolean isOneChoice = group.groups().isEmpty() && Request.areEqual(group.pods());
        PodGroup whole = isOneChoice ? null : Members.whole(group, placed, ending);
        PodGroup all = whole != null && minimum != null && Members.size(whole) == Members.size(minimum) ? null : whole;
        long[] least = minimum == null || all == null
                ? table.atLeast(minimum == null ? List.of() : minimum.pods())
                : table.atLeastOf(all);
        return minimum == null ? null : Request.of(number, minimum, all, placed, least, true);
    }

    /** Returns a request for the members of the minimum that hold the fewest GPUs, in place of one for the first of them. */
    @Nullable
    Request smallest(Request request, JobStatus status) {
        PodGroup minimum = Members.minimum(
                job.group(),
                request.placed(),
                Members.ids(status.terminating()),
                Comparator.comparingLong(pod -> table.atLeast(List.of(pod))[ResourceTable.GPU]));
        return minimum == null
                ? null
                : Request.of(request.job(), minimum, null, request.placed(), table.atLeast(minimum.pods()), true);
    }
}
