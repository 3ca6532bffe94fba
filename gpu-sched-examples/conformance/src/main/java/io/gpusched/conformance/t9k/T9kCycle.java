package io.gpusched.conformance.t9k;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.gpusched.kubernetes.quota.QueueBook;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** T9k's queues on one node without GPUs, as {@code kube} reads them and decides. */
final class T9kCycle {
    private static final String NODE = "n1";
    private static final CycleSettings SETTINGS =
            CycleSettings.standard().withPasses(EnumSet.complementOf(EnumSet.of(CyclePass.CONSOLIDATE)));

    private final QueueBook queues = new QueueBook(QueueVocabulary.T9K);
    private final List<Job> jobs = new ArrayList<>();
    private final Map<String, BigDecimal> used = new HashMap<>();

    /** Adds a queue. */
    void queue(String name, Map<String, ?> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setMetadata(new ObjectMetaBuilder().withName(name).build());
        object.setAdditionalProperty("spec", spec);
        queues.put(QueueVocabulary.T9K.read(object));
    }

    QueueBook queues() {
        return queues;
    }

    /** Adds a workload of one pod that runs. */
    void runs(String name, String queue, int priority, long submitted, Map<String, BigDecimal> amounts) {
        Pod pod = Pod.of(name, resources(amounts), GpuRequest.none());
        Placement placement = new Placement(
                        pod.id(), NODE, pod.resources(), List.of(ContainerGrant.of("main", GpuGrant.none())))
                .withSpec(pod.spec());
        JobSpec spec = JobSpec.builder(PodGroup.of(name, List.of(pod)), queue)
                .priority(priority)
                .submitted(submitted)
                .build();
        jobs.add(new Job(spec, JobStatus.running(List.of(placement), submitted)));
        amounts.forEach((resource, amount) -> used.merge(resource, amount, BigDecimal::add));
    }

    /** Adds a workload of one pod that waits. */
    void waits(String name, String queue, int priority, long submitted, Map<String, BigDecimal> amounts) {
        Pod pod = Pod.of(name, resources(amounts), GpuRequest.none());
        jobs.add(Job.pending(JobSpec.builder(PodGroup.of(name, List.of(pod)), queue)
                .priority(priority)
                .submitted(submitted)
                .build()));
    }

    /** Returns the plan on a node that has this in all. */
    Plan plan(Map<String, BigDecimal> capacity) {
        Resources all = resources(capacity);
        Node.Builder node = Node.builder(NODE).mode(NodeMode.EXCLUSIVE).capacity(all.cpuMillis(), all.memoryMib());
        all.named().names().forEach(name -> node.resource(name, all.amount(name)));
        Cluster cluster = Cluster.of(List.of(node.build()));
        for (Job job : jobs) {
            cluster = cluster.withAll(job.running());
        }
        return SchedulingCycle.of(SETTINGS, GpuScheduler.create())
                .plan(QueueState.of(cluster, queues.tree(), jobs), 1_000_000);
    }

    /** Returns the plan on a node with room for all and more. */
    Plan planWithRoom() {
        Map<String, BigDecimal> capacity = new HashMap<>(used);
        BigDecimal much = BigDecimal.valueOf(1L << 40);
        jobs.forEach(job -> job.group()
                .pods()
                .forEach(pod -> pod.resources().named().names().forEach(name -> capacity.put(name, much))));
        capacity.put("cpu", BigDecimal.valueOf(1_000_000));
        capacity.put("memory", much);
        return plan(capacity);
    }

    /** Returns the pods that start, in their order. */
    static List<String> started(Plan plan) {
        return plan.bindings().stream().map(PlanStep::job).toList();
    }

    private static Resources resources(Map<String, BigDecimal> amounts) {
        BigDecimal cpu = Objects.requireNonNullElse(amounts.get("cpu"), BigDecimal.ZERO);
        BigDecimal memory = Objects.requireNonNullElse(amounts.get("memory"), BigDecimal.ZERO);
        Map<String, Long> named = new HashMap<>();
        amounts.forEach((name, amount) -> named.put(name, amount.longValue()));
        named.keySet().removeAll(List.of("cpu", "memory"));
        return new Resources(cpu.movePointRight(3).longValue(), memory.longValue() >> 20, NamedAmounts.of(named));
    }
}
