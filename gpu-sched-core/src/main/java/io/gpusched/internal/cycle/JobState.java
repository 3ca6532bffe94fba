package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Eviction;
import io.gpusched.workload.Job;
import io.gpusched.workload.JobBuilder;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Reservation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job as the cycle goes on: where its members are, what they use, and what it asks next. */
final class JobState {
    final Job job;
    final QueueUse queue;

    /** Its number among the jobs. */
    int index;

    /** What each member holds, of those that run. */
    final Map<PodId, Placement> running = new LinkedHashMap<>();

    final Map<PodId, Placement> terminating = new LinkedHashMap<>();
    final Map<PodId, Placement> nominated = new LinkedHashMap<>();

    /** When and where its minimum is to start; null if nothing is reserved. */
    private @Nullable Reservation reservation;

    /** What stands in its way; null if nothing was found yet. */
    @Nullable
    PendingReason reason;

    /** What it has in common with those with whom it waits in line; null if it does not. */
    @Nullable
    Object kind;

    /** Whether it is no longer as the job says. */
    boolean isChanged;

    /** Whether the job is not there any more. */
    boolean isGone;

    private final ResourceTable resources;
    private @Nullable Ask next;
    private @Nullable Boolean isBelowMinimum;
    private OptionalLong staleSince;
    private final int size;

    /** What its members use, may not lose, and use or ask for, as the job says. */
    private final long[] used;

    private final long[] fixed;
    private final long[] requested;

    JobState(Job job, QueueUse queue, ResourceTable resources, Cluster cluster) {
        this.job = job;
        this.queue = queue;
        this.resources = resources;
        this.staleSince = job.staleSince();
        this.reservation = job.reservation().orElse(null);
        job.terminating().forEach(placement -> terminating.put(placement.pod(), placement));
        for (Placement placement : job.running()) {
            running.put(placement.pod(), placement);
        }
        for (Placement placement : job.nominated()) {
            nominated.put(placement.pod(), placement);
        }
        size = size(job.group());
        used = new long[resources.size()];
        fixed = new long[resources.size()];
        int count = 0;
        for (Placement placement : placed()) {
            long[] held = held(placement, cluster);
            Vectors.add(used, held);
            if (isFixed(count++ < job.group().minMember())) {
                Vectors.add(fixed, held);
            }
        }
        requested = requested(cluster);
    }

    /** Whoever is terminating comes back, so that fair shares stay as they are while others end. */
    private long[] requested(Cluster cluster) {
        long[] sums = used.clone();
        for (Placement placement : terminating.values()) {
            if (!nominated.containsKey(placement.pod())) {
                Vectors.add(sums, held(placement, cluster));
            }
        }
        if (size > placedCount()) {
            Vectors.add(sums, resources.asked(pending()));
        }
        return sums;
    }

    /** Adds what it uses and asks for to its queue. */
    void enter() {
        queue.enter(used, fixed, requested);
    }

    /** Takes away from its queue what it used and asked for. */
    void leave() {
        queue.leave(used, fixed, requested);
        isGone = true;
    }

    /** What its members held or hold, as the job says and as the cycle went on. */
    List<List<Placement>> placements() {
        return List.of(
                job.running(),
                job.terminating(),
                job.nominated(),
                List.copyOf(running.values()),
                List.copyOf(nominated.values()));
    }

    private static int size(PodGroup group) {
        int size = 0;
        for (PodGroup.Role role : group.roles()) {
            size += role.pods().size();
        }
        for (PodGroup part : group.groups()) {
            size += size(part);
        }
        return size;
    }

    long[] held(Placement placement, Cluster cluster) {
        NodeState node = cluster.node(placement.node()).orElse(null);
        return node == null ? new long[resources.size()] : resources.held(placement, node);
    }

    /** Whether it is still as this job says, which is the same object if so. */
    @SuppressWarnings("ReferenceEquality")
    boolean is(Job other) {
        return job == other && !isChanged;
    }

    String name() {
        return job.name();
    }

    boolean isFixed(boolean isOfMinimum) {
        return job.eviction() == Eviction.NEVER || job.eviction() == Eviction.EXTRAS && isOfMinimum;
    }

    /** How many members run or have a place. */
    int placedCount() {
        return running.size() + nominated.size();
    }

    /** When and where its minimum is to start; null if nothing is reserved. */
    @Nullable
    Reservation reservation() {
        return reservation;
    }

    /** Whether it starts at this very time, as it was told: it does not leave at once. */
    boolean isKept(long time) {
        return reservation != null && !running.isEmpty() && job.started().orElse(time) == time;
    }

    /** Whether it does not run yet, or since this very time. */
    private boolean isStarting(long time) {
        return running.isEmpty() || isBelowMinimum() || isKept(time);
    }

    /** Takes note of what is reserved now. */
    void reserve(@Nullable Reservation value) {
        reservation = value;
        isChanged = true;
    }

    /** The places of members that run or are held for them. */
    List<Placement> placed() {
        List<Placement> all = new ArrayList<>(running.values());
        all.addAll(nominated.values());
        return all;
    }

    /** The members that are nowhere, in the group's order. */
    List<Pod> pending() {
        if (placedCount() == 0 && terminating.isEmpty()) {
            return job.group().pods();
        }
        return job.group().pods().stream()
                .filter(pod -> !running.containsKey(pod.id())
                        && !nominated.containsKey(pod.id())
                        && !terminating.containsKey(pod.id()))
                .toList();
    }

    boolean isComplete() {
        return placedCount() == size;
    }

    /** Whether all its members run and nothing is to happen to them, as long as nobody else needs their room. */
    boolean isSettled() {
        return running.size() == size && terminating.isEmpty() && nominated.isEmpty() && reservation == null;
    }

    /** Whether fewer members run or have a place than must start together. */
    boolean isBelowMinimum() {
        Boolean known = isBelowMinimum;
        if (known == null) {
            known = !isComplete() && !Members.isMinimum(job.group(), placedIds());
            isBelowMinimum = known;
        }
        return known;
    }

    private Set<PodId> placedIds() {
        Set<PodId> ids = new HashSet<>(running.keySet());
        ids.addAll(nominated.keySet());
        return ids;
    }

    /** What it asks next; null if it asks nothing, or cannot before members have ended. */
    @Nullable
    Ask next() {
        if (next == null && !isComplete()) {
            PodGroup group = Members.next(job.group(), placedIds(), terminating.keySet());
            if (group != null) {
                next = new Ask(this, group, resources.asked(group.pods()), isBelowMinimum());
            }
        }
        return next;
    }

    /** Takes note that members moved between the lists. */
    void changed() {
        isChanged = true;
        next = null;
        isBelowMinimum = null;
    }

    /**
     * Takes note of why others do not leave for it, unless that nobody may is all there is to say, quotas forbid it anyhow, or it is known
     * when it starts.
     */
    void refuse(PendingReason because) {
        boolean isKnown = reason instanceof PendingReason.OverLimit
                || reason instanceof PendingReason.OverDeserved
                || reason instanceof PendingReason.Reserved;
        if (reason == null || !isKnown && !(because instanceof PendingReason.NobodyToEvict)) {
            reason = because;
        }
    }

    /** Since when it runs with fewer members than its minimum: since now if that was not known. */
    long staleSince(long time) {
        if (staleSince.isEmpty()) {
            staleSince = OptionalLong.of(time);
            isChanged = true;
        }
        return staleSince.getAsLong();
    }

    /** How many members do not run. */
    int waiting() {
        return size - running.size();
    }

    /** The job once all steps are done. */
    Job after(long time) {
        if (!isChanged) {
            return job;
        }
        boolean runs = Members.isMinimum(job.group(), running.keySet());
        JobBuilder after = job.toBuilder()
                .running(List.copyOf(running.values()))
                .terminating(List.copyOf(terminating.values()))
                .nominated(List.copyOf(nominated.values()))
                .reservation(Optional.ofNullable(isStarting(time) ? reservation : null))
                .staleSince(running.isEmpty() ? OptionalLong.empty() : staleSince);
        if (runs) {
            return after.started(job.started().orElse(time))
                    .staleSince(OptionalLong.empty())
                    .build();
        }
        return running.isEmpty() ? after.notStarted().build() : after.build();
    }

    @Override
    public String toString() {
        return job.toString();
    }
}
