package io.gpusched.verify;

import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Quota;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;

/** What queues hold, and what they may ({@link Quota}, {@link QueueResource}). */
final class QueueLaws {
    private QueueLaws() {}

    /** What a placement holds of a resource. */
    static long held(Map<String, Node> nodes, Placement placement, QueueResource resource) {
        Node node = nodes.get(placement.node());
        if (node == null) {
            return 0;
        }
        Resources has = DeviceLaws.holdsNode(placement) ? node.capacity() : placement.resources();
        return switch (resource.kind()) {
            case CPU -> has.cpuMillis();
            case MEMORY -> has.memoryMib();
            case NAMED -> has.amount(resource.name());
            case GPU -> gpus(placement, node.gpus());
            case GPU_MODEL ->
                gpus(
                        placement,
                        node.gpus().stream()
                                .filter(gpu -> gpu.model().name().equals(resource.name()))
                                .toList());
        };
    }

    /** A whole device is 1,000, a share or a partition the greater of its parts of compute and memory, rounded up. */
    private static long gpus(Placement placement, List<Gpu> gpus) {
        long sum = 0;
        for (Gpu gpu : gpus) {
            Held held = Held.byPod(placement, gpu.index());
            long taken = Math.max(part(held.compute(), gpu.computeMillis()), part(held.memory(), gpu.memoryMib()));
            for (GpuPartition partition : held.partitions()) {
                PartitionProfile profile = PartitionLaws.profile(gpu, partition).orElseThrow();
                taken += Math.max(
                        part(profile.computeMillis(), gpu.computeMillis()), part(profile.memoryMib(), gpu.memoryMib()));
            }
            sum += held.wholes() > 0 ? 1_000 : Math.min(1_000, taken);
        }
        return sum;
    }

    private static long part(long amount, long of) {
        return of == 0 ? 0 : (1_000 * amount + of - 1) / of;
    }

    static long held(Play play, String queue, QueueResource resource, Function<Play.Members, List<Placement>> which) {
        Map<String, Node> nodes = play.now().nodes();
        return play.jobsIn(queue).stream()
                .flatMap(job -> which.apply(job).stream())
                .mapToLong(placement -> held(nodes, placement, resource))
                .sum();
    }

    /** What a queue holds does not grow beyond its limit: neither what runs and terminates now, nor what runs and is nominated. */
    static void limits(Play start, Play end, List<Violation> broken) {
        for (JobQueue queue : end.before.queues().queues()) {
            queue.quotas().forEach((resource, quota) -> {
                if (quota.limit() != Quota.UNLIMITED) {
                    limit(start, end, queue, resource, Play.Members::later, "once what terminates has ended", broken);
                    limit(start, end, queue, resource, Play.Members::now, "while others terminate", broken);
                }
            });
        }
    }

    private static void limit(
            Play start,
            Play end,
            JobQueue queue,
            QueueResource resource,
            Function<Play.Members, List<Placement>> which,
            String when,
            List<Violation> broken) {
        long limit = queue.quota(resource).limit();
        long after = held(end, queue.name(), resource, which);
        if (after > limit && after > held(start, queue.name(), resource, which)) {
            broken.add(
                    Violation.above(Law.LIMIT, "queue \"" + queue.name() + "\"", resource + " " + when, after, limit));
        }
    }

    /**
     * What may not be evicted stays within what its queue and those around it deserve ({@link Eviction}). A queue where nothing comes is not
     * asked: once small members beyond a minimum leave, the minimum that may not be evicted can consist of larger ones.
     */
    static void deserved(Play start, Play end, List<Violation> broken) {
        for (JobQueue queue : end.before.queues().queues()) {
            if (end.jobsIn(queue.name()).stream().noneMatch(job -> grows(start, job))) {
                continue;
            }
            queue.quotas().forEach((resource, quota) -> {
                long after = held(end, queue.name(), resource, job -> safe(end, job, resource));
                if (after > quota.deserved()
                        && after > held(start, queue.name(), resource, job -> safe(start, job, resource))) {
                    broken.add(Violation.above(
                            Law.OVER_DESERVED,
                            "queue \"" + queue.name() + "\"",
                            resource + " of jobs that may not be evicted",
                            after,
                            quota.deserved()));
                }
            });
        }
    }

    private static boolean grows(Play start, Play.Members job) {
        return !job.job.spec().eviction().isPreemptible()
                && !start.of(job.job.name()).later().containsAll(job.later());
    }

    /** The members of a job that may not be evicted: all, or as many as its minimum, of the members that hold the least. */
    private static List<Placement> safe(Play play, Play.Members job, QueueResource resource) {
        if (job.job.spec().eviction().isPreemptible()) {
            return List.of();
        }
        List<Placement> all = new ArrayList<>(job.later());
        if (job.job.spec().eviction() == Eviction.NEVER) {
            return all;
        }
        Map<String, Node> nodes = play.now().nodes();
        all.sort(Comparator.comparingLong(placement -> held(nodes, placement, resource)));
        return all.subList(0, Math.min(all.size(), job.job.group().minMember()));
    }

    /**
     * By reclaim no queue falls below what it deserves, of those on the way up to where the ways of both jobs meet; and one of them had
     * more, before the plan or by what starts in it.
     */
    static void reclaim(
            Play start,
            Play end,
            Play.Members victim,
            Play.Members asker,
            Collection<Placement> taken,
            ToLongBiFunction<String, QueueResource> preempted,
            List<Violation> broken) {
        List<String> theirs = end.chain(asker.job.queue());
        boolean hadMore = false;
        for (String name : end.chain(victim.job.queue())) {
            if (theirs.contains(name)) {
                break;
            }
            JobQueue queue = end.before.queues().queue(name).orElseThrow();
            List<String> fellBelow = new ArrayList<>();
            boolean keeps = false;
            boolean lostGpus = false;
            for (QueueResource resource : finite(end, queue, taken)) {
                long after = held(end, name, resource, Play.Members::later) + preempted.applyAsLong(name, resource);
                long had = held(start, name, resource, Play.Members::later);
                long deserved = queue.quota(resource).deserved();
                keeps |= after >= deserved;
                lostGpus |= resource.equals(QueueResource.GPU) && after < Math.min(deserved, had);
                long withIt = after
                        + taken.stream()
                                .mapToLong(placement -> held(end.now().nodes(), placement, resource))
                                .sum();
                hadMore |= Math.max(had, withIt) > deserved;
                fellBelow.add(resource + " " + had + " to " + after + ", deserved " + deserved);
            }
            long started = gpusThatStart(victim, taken);
            long others = held(end, name, QueueResource.GPU, Play.Members::later);
            hadMore |= started > 0
                    && others + started > queue.quota(QueueResource.GPU).deserved();
            if (lostGpus || !fellBelow.isEmpty() && !keeps) {
                broken.add(Violation.of(
                        Law.RECLAIM,
                        "queue \"" + name + "\"",
                        "job \"" + victim.job.name() + "\" is evicted for \"" + asker.job.name()
                                + "\", and it falls below what it" + " deserves: " + fellBelow));
            }
        }
        if (!hadMore) {
            broken.add(Violation.of(
                    Law.RECLAIM,
                    "queue \"" + victim.job.queue() + "\"",
                    "job \"" + victim.job.name() + "\" is evicted for \"" + asker.job.name()
                            + "\", and no queue around it has more" + " than it deserves"));
        }
    }

    /**
     * The most GPUs that a job which leaves whole can have had: also those of members that wait, which may have started by this plan, made
     * its queue hold too much, and left with the others.
     */
    private static long gpusThatStart(Play.Members job, Collection<Placement> taken) {
        if (!job.running.isEmpty()) {
            return 0;
        }
        Set<PodId> left = new HashSet<>();
        taken.forEach(placement -> left.add(placement.pod()));
        return job.job.group().pods().stream()
                .filter(pod -> !left.contains(pod.id()))
                .flatMap(pod -> pod.containers().stream())
                .mapToLong(container -> 1_000L * container.gpu().count())
                .sum();
    }

    /** The resources that the placements hold and the queue deserves an amount of. */
    private static List<QueueResource> finite(Play play, JobQueue queue, Collection<Placement> taken) {
        Map<String, Node> nodes = play.now().nodes();
        return queue.quotas().keySet().stream()
                .filter(resource -> queue.quota(resource).deserved() != Quota.UNLIMITED)
                .filter(resource -> taken.stream().anyMatch(placement -> held(nodes, placement, resource) > 0))
                .toList();
    }
}
