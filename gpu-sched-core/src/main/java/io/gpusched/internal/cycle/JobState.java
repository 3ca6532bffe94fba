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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job as the cycle goes on: where its members are, what they use, and what it asks next. */
final class JobState {
    final Job job;
    final int index;
    final QueueUse queue;

    /** What each member holds, of those that run. */
    final Map<PodId, Placement> running = new LinkedHashMap<>();

    final Map<PodId, Placement> terminating = new LinkedHashMap<>();
    final Map<PodId, Placement> nominated = new LinkedHashMap<>();

    /** What stands in its way; null if nothing was found yet. */
    @Nullable
    PendingReason reason;

    boolean isChanged;
    private final ResourceTable resources;
    private @Nullable Ask next;
    private @Nullable Boolean isBelowMinimum;
    private OptionalLong staleSince;

    JobState(Job job, int index, QueueUse queue, ResourceTable resources, Cluster cluster) {
        this.job = job;
        this.index = index;
        this.queue = queue;
        this.resources = resources;
        this.staleSince = job.staleSince();
        job.terminating().forEach(placement -> terminating.put(placement.pod(), placement));
        for (Placement placement : job.running()) {
            running.put(placement.pod(), placement);
        }
        for (Placement placement : job.nominated()) {
            nominated.put(placement.pod(), placement);
        }
        int count = 0;
        for (Placement placement : placed()) {
            use(placement, cluster, count++ < job.group().minMember());
        }
        // whoever is terminating comes back, so that fair shares stay as they are while others end
        List<Placement> requested = placed();
        terminating.values().stream()
                .filter(placement -> !nominated.containsKey(placement.pod()))
                .forEach(requested::add);
        if (!requested.isEmpty()) {
            queue.request(total(requested, cluster));
        }
        if (size(job.group()) > placedCount()) {
            queue.request(resources.asked(pending()));
        }
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

    private void use(Placement placement, Cluster cluster, boolean isOfMinimum) {
        queue.use(held(placement, cluster), isFixed(isOfMinimum));
    }

    private long[] total(List<Placement> placements, Cluster cluster) {
        long[] sums = new long[resources.size()];
        placements.forEach(placement -> Vectors.add(sums, held(placement, cluster)));
        return sums;
    }

    long[] held(Placement placement, Cluster cluster) {
        NodeState node = cluster.node(placement.node()).orElse(null);
        return node == null ? new long[resources.size()] : resources.held(placement, node);
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

    private List<Placement> placed() {
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
        return placedCount() == size(job.group());
    }

    /** Whether fewer members run or have a place than must start together. */
    boolean isBelowMinimum() {
        Boolean known = isBelowMinimum;
        if (known == null) {
            known = !Members.isMinimum(job.group(), placedIds());
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

    /** Takes note of why others do not leave for it, unless that nobody may is all there is to say, or quotas forbid it anyhow. */
    void refuse(PendingReason because) {
        boolean isQuota = reason instanceof PendingReason.OverLimit || reason instanceof PendingReason.OverDeserved;
        if (reason == null || !isQuota && !(because instanceof PendingReason.NobodyToEvict)) {
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
        return size(job.group()) - running.size();
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
                .staleSince(running.isEmpty() ? OptionalLong.empty() : staleSince);
        if (runs) {
            return after.started(job.started().orElse(time))
                    .staleSince(OptionalLong.empty())
                    .build();
        }
        return running.isEmpty()
                ? after.notStarted().attainedService(service(time)).build()
                : after.build();
    }

    /** GPU time so far, in milli times time. */
    long service(long now) {
        long since = job.started().isPresent() ? Math.max(0, now - job.started().getAsLong()) : 0;
        return job.attainedService() + since * running.size();
    }

    @Override
    public String toString() {
        return job.toString();
    }
}
