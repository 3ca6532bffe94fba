package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Small states for tests of the cycle: nodes of whole GPUs, queues with GPU quotas, jobs of equal pods. */
final class World {
    static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
    private static final Resources SMALL = Resources.of(100, 100);

    private Cluster cluster;
    private final List<JobQueue> queues = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();

    World(int nodes, int gpus) {
        cluster = Cluster.of(IntStream.range(0, nodes)
                .mapToObj(i -> node("n" + i, gpus).build())
                .toList());
    }

    World(Node... nodes) {
        cluster = Cluster.of(List.of(nodes));
    }

    static Node.Builder node(String name, int gpus) {
        return Node.builder(name).capacity(1_000_000, 1_000_000).gpus(gpus, A100);
    }

    World queue(String name, int deserved) {
        return queue(JobQueue.builder(name)
                .created(queues.size())
                .quota(QueueResource.GPU, Quota.ofDeserved(1_000L * deserved))
                .build());
    }

    World queue(JobQueue queue) {
        queues.add(queue);
        return this;
    }

    static PodGroup group(String name, int pods, GpuRequest request) {
        return PodGroup.of(
                name,
                IntStream.range(0, pods)
                        .mapToObj(i -> Pod.of(name + "-" + i, SMALL, request))
                        .toList());
    }

    static PodGroup group(String name, int pods, int gpus) {
        return group(name, pods, GpuRequest.exclusive(gpus));
    }

    /** Adds a pending job. */
    World pending(JobSpec.Builder job) {
        jobs.add(Job.pending(job.submitted(jobs.size()).build()));
        return this;
    }

    World pending(String name, String queue, int pods, int gpus, int priority) {
        return pending(JobSpec.builder(group(name, pods, gpus), queue).priority(priority));
    }

    /** Adds a job that runs on these nodes, a pod each. */
    World running(JobSpec.Builder builder, String... nodes) {
        JobSpec job = builder.submitted(jobs.size()).build();
        List<Placement> placements = new ArrayList<>();
        GpuScheduler scheduler = GpuScheduler.create();
        for (int i = 0; i < nodes.length; i++) {
            Placement placement = scheduler
                    .place(
                            cluster.node(nodes[i]).orElseThrow(),
                            job.group().pods().get(i))
                    .orElseThrow();
            cluster = cluster.with(placement);
            placements.add(placement);
        }
        jobs.add(new Job(job, JobStatus.running(placements, 0)));
        return this;
    }

    World running(String name, String queue, int gpus, int priority, String... nodes) {
        return running(JobSpec.builder(group(name, nodes.length, gpus), queue).priority(priority), nodes);
    }

    QueueState state() {
        return QueueState.of(cluster, QueueTree.of(queues), jobs);
    }

    Plan plan() {
        return SchedulingCycle.create().plan(state(), 1_000);
    }

    static List<String> bound(Plan plan) {
        return plan.bindings().stream().map(step -> step.pod().name()).toList();
    }

    static List<String> evicted(Plan plan) {
        return plan.evictions().stream().map(step -> step.pod().name()).sorted().toList();
    }

    static List<String> nominated(Plan plan) {
        return plan.nominations().stream().map(step -> step.pod().name()).toList();
    }

    static Job job(QueueState state, String name) {
        Optional<Job> found =
                state.jobs().stream().filter(job -> job.name().equals(name)).findFirst();
        return found.orElseThrow();
    }

    /** The state once all that terminates has ended. */
    static QueueState ended(QueueState state) {
        List<PodId> pods = state.jobs().stream()
                .flatMap(job -> job.terminating().stream().map(Placement::pod))
                .toList();
        return state.withEnded(pods);
    }

    /** The state once a job has ended. */
    static QueueState without(QueueState state, String name) {
        return state.withoutJob(name);
    }
}
