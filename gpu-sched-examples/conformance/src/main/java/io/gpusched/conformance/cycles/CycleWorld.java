package io.gpusched.conformance.cycles;

import io.gpusched.conformance.cycles.CycleHistory.JobFacts;
import io.gpusched.decision.Placed;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The nodes, queues and jobs of a scenario. */
final class CycleWorld {
    private static final GpuModel MODEL = GpuModel.of("nvidia", "any", 80_000);
    private static final int MILLI = 1_000;

    private final YamlNode scenario;
    private final CycleHistory history;
    private final Map<PodId, Integer> tasks = new HashMap<>();
    private final Map<String, Integer> delays = new HashMap<>();

    CycleWorld(YamlNode scenario, CycleHistory history) {
        this.scenario = scenario;
        this.history = history;
    }

    /** Returns the state before the first cycle, with the jobs that are there already. */
    QueueState before() {
        Cluster cluster = Cluster.of(nodes());
        List<Job> jobs = new ArrayList<>();
        for (YamlNode job : scenario.need("jobs").list()) {
            remember(job);
            if (isThereBefore(job)) {
                List<Placement> running = running(cluster, job);
                cluster = cluster.withAll(running);
                jobs.add(running.isEmpty() ? pending(job) : pending(job).withStatus(JobStatus.running(running, 0)));
            }
        }
        return QueueState.of(cluster, queues(), jobs);
    }

    boolean isThereBefore(YamlNode job) {
        return job.need("submitCycle").integer() == 0;
    }

    private void remember(YamlNode job) {
        String name = job.need("name").text();
        delays.put(name, job.at("evictionDelayCycles").integerOr(1));
        history.jobs.put(
                name,
                new JobFacts(
                        name,
                        job.need("queue").text(),
                        job.need("gpusPerTask").integer(),
                        job.need("minTasks").integer(),
                        job.need("preemptible").isTrue()));
    }

    Job pending(YamlNode job) {
        String name = job.need("name").text();
        List<Pod> pods = new ArrayList<>();
        for (int task = 0; task < job.need("tasks").integer(); task++) {
            Pod pod = pod(job, task);
            pods.add(pod);
            tasks.put(pod.id(), task);
        }
        PodGroup group =
                PodGroup.of(name, pods).withMinMember(job.need("minTasks").integer());
        return Job.pending(JobSpec.builder(
                        job.has("requiredTopology")
                                ? group.withLocality(Locality.within(
                                        job.need("requiredTopology").text()))
                                : group,
                        job.need("queue").text())
                .priority(job.need("priority").integer())
                .eviction(job.need("preemptible").isTrue() ? Eviction.GANG : Eviction.NEVER)
                .submitted(job.need("submitCycle").integer())
                .build());
    }

    private static Pod pod(YamlNode job, int task) {
        return Pod.of(
                job.need("name").text() + "-" + task,
                Resources.NONE,
                GpuRequest.exclusive(job.need("gpusPerTask").integer()));
    }

    private List<Placement> running(Cluster before, YamlNode job) {
        GpuScheduler scheduler = GpuScheduler.create();
        List<Placement> running = new ArrayList<>();
        Cluster cluster = before;
        List<YamlNode> on = job.at("runningOn").list();
        int count = job.at("runningTasks").integerOr(on.size());
        for (int task = 0; task < count; task++) {
            Pod pod = pod(job, task);
            Placement placement;
            if (on.isEmpty()) {
                placement = scheduler.schedule(cluster, pod) instanceof Placed placed ? placed.placement() : null;
            } else {
                placement = scheduler
                        .place(cluster.node(on.get(task).text()).orElseThrow(), pod)
                        .orElse(null);
            }
            if (placement == null) {
                throw job.error("has a running task that fits nowhere");
            }
            running.add(placement);
            cluster = cluster.with(placement);
        }
        return running;
    }

    private List<Node> nodes() {
        Set<String> levels = new TreeSet<>();
        for (YamlNode job : scenario.need("jobs").list()) {
            job.at("requiredTopology").optional().ifPresent(level -> levels.add(level.text()));
        }
        List<Node> nodes = new ArrayList<>();
        for (YamlNode node : scenario.need("nodes").list()) {
            Node.Builder builder = Node.builder(node.need("name").text())
                    .gpus(node.need("gpus").integer(), MODEL);
            List<String> path = new ArrayList<>();
            node.at("labels").map().forEach((key, value) -> {
                builder.label(key, value.text());
                if (levels.contains(key)) {
                    path.add(key);
                    path.add(value.text());
                }
            });
            nodes.add(builder.topology(Topology.of(path.toArray(String[]::new))).build());
        }
        return nodes;
    }

    private QueueTree queues() {
        List<JobQueue> queues = new ArrayList<>();
        for (YamlNode queue : scenario.need("queues").list()) {
            long limit = queue.at("limitGpus").numberOr(-1);
            Quota quota = new Quota(
                    Math.round(queue.need("deservedGpus").decimal() * MILLI),
                    limit < 0 ? Quota.UNLIMITED : limit * MILLI,
                    Math.round(queue.need("overQuotaWeight").decimal() * MILLI));
            queues.add(JobQueue.builder(queue.need("name").text())
                    .created(queues.size())
                    .quota(QueueResource.GPU, quota)
                    .build());
        }
        return QueueTree.of(queues);
    }

    int task(PodId pod) {
        Integer task = tasks.get(pod);
        if (task == null) {
            throw new IllegalStateException("a step is about no task: " + pod);
        }
        return task;
    }

    int evictionDelay(String job) {
        return delays.getOrDefault(job, 1);
    }
}
