package io.gpusched.conformance.kai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.kubernetes.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cases of theme {@code mig} in which nothing is preempted or reclaimed: jobs start one after the other, the most
 * important first, each with its minimum of tasks or not at all. Instances are counted, for a node says no more of them.
 */
public final class KaiPartitionKinds {
    private static final DevicePluginDialect PLUGIN = DevicePluginDialect.of("nvidia.com/gpu");
    private static final Set<String> NEED_QUEUES = Set.of("preempt", "reclaim", "consolidation");

    private final VectorCase vector;
    private final Set<String> closed = new HashSet<>();
    private final ObjectNode jobs = Answers.object();
    private Cluster cluster;

    private KaiPartitionKinds(VectorCase vector) {
        this.vector = vector;
        this.cluster = Cluster.of(vector.field("nodes").list().stream()
                .map(KaiPartitionKinds::node)
                .toList());
    }

    /** Runs a case, or returns nothing if it is none of these. */
    public static Optional<Outcome> run(VectorCase vector) {
        return isOurs(vector) ? Optional.of(new KaiPartitionKinds(vector).run()) : Optional.empty();
    }

    private static boolean isOurs(VectorCase vector) {
        List<String> themes =
                vector.field("themes").list().stream().map(YamlNode::text).toList();
        return themes.contains("mig") && themes.stream().noneMatch(NEED_QUEUES::contains);
    }

    private static Node node(YamlNode node) {
        Map<String, String> allocatable = new HashMap<>();
        allocatable.put("cpu", node.need("cpuMillis").number() + "m");
        allocatable.put("memory", Long.toString(node.need("memoryBytes").number()));
        allocatable.put("pods", Long.toString(node.need("maxPods").number()));
        node.at("mig")
                .at("instances")
                .optional()
                .ifPresent(instances ->
                        instances.map().forEach((name, count) -> allocatable.put(name, Long.toString(count.number()))));
        boolean whole = !node.at("mig").at("strategy").textOr("").equals("mixed");
        allocatable.put(
                "nvidia.com/gpu", whole ? Long.toString(node.need("gpus").number()) : "0");
        return PLUGIN.node(NodeManifest.of(node.need("name").text(), Map.of(), allocatable));
    }

    private Outcome run() {
        List<YamlNode> waiting = new ArrayList<>();
        for (YamlNode job : vector.field("jobs").list()) {
            List<YamlNode> tasks = job.need("tasks").list();
            if (tasks.get(0).need("state").text().equals("running")) {
                tasks.forEach(task -> occupy(job, task));
                put(job, "running").put("node", tasks.get(0).need("node").text());
            } else {
                waiting.add(job);
            }
        }
        waiting.sort(
                Comparator.comparingLong((YamlNode job) -> -job.need("priority").number())
                        .thenComparingLong(job -> job.need("order").number()));
        String started = vector.kind().equals("settle") ? "running" : "started";
        waiting.forEach(job -> put(job, starts(job) ? started : "pending"));
        ObjectNode answer = Answers.object();
        answer.set("jobs", jobs);
        return VectorKind.compare(vector, JsonValues.of(vector.field("expected")), answer);
    }

    private ObjectNode put(YamlNode job, String status) {
        ObjectNode answer = jobs.putObject(job.need("name").text()).put("status", status);
        return answer.put("gpusRequested", job.need("request").at("gpus").numberOr(0));
    }

    /** A task that brought its own MIG device, as KAI once did, keeps requests for MIG devices off its node. */
    private void occupy(YamlNode job, YamlNode task) {
        String name = task.need("node").text();
        if (task.at("legacyMig").isTrueOr(false)) {
            closed.add(name);
        }
        cluster = cluster.with(GpuScheduler.create()
                .place(cluster.node(name).orElseThrow(), pod(job, task))
                .orElseThrow());
    }

    private boolean starts(YamlNode job) {
        Cluster now = cluster;
        long started = 0;
        for (YamlNode task : job.need("tasks").list()) {
            if (!task.at("legacyMig").isTrueOr(false)
                    && GpuScheduler.create().schedule(open(now), pod(job, task)) instanceof Placed placed) {
                now = now.with(placed.placement());
                started++;
            }
        }
        long least = job.need("group").need("podSets").list().stream()
                .mapToLong(set -> set.need("minMember").number())
                .sum();
        cluster = started >= least ? now : cluster;
        return started >= least;
    }

    private Cluster open(Cluster all) {
        Cluster open = all;
        for (String name : closed) {
            open = open.withCordoned(name, true);
        }
        return open;
    }

    private static Pod pod(YamlNode job, YamlNode task) {
        Map<String, String> asked = new HashMap<>();
        YamlNode request = job.need("request");
        asked.put("cpu", request.at("cpuMillis").numberOr(0) + "m");
        asked.put("memory", Long.toString(request.at("memoryBytes").numberOr(0)));
        long gpus = request.at("gpus").numberOr(0);
        if (gpus > 0) {
            asked.put("nvidia.com/gpu", Long.toString(gpus));
        }
        task.at("mig")
                .optional()
                .ifPresent(mig -> mig.map().forEach((name, count) -> asked.put(name, Long.toString(count.number()))));
        return PLUGIN.pod(PodManifest.of(task.need("name").text(), List.of(ContainerManifest.limits("main", asked))));
    }
}
