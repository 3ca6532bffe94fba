package io.gpusched.conformance.hived;

import io.gpusched.decision.CyclePass;
import io.gpusched.decision.Plan;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.CycleSettings;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SchedulingCycle;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Job;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What runs in HiveD, as it says itself after each event, as a state of the cycle. A gang becomes a job with one pod for each of its nodes;
 * in which cells it runs is found by the cycle, and kept.
 */
final class HivedWorld {
    private final List<Queue> queues;
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, YamlNode> groups = new LinkedHashMap<>();
    private final Map<String, YamlNode> requests = new HashMap<>();
    private final Map<String, List<ShapeCell>> cells = new HashMap<>();
    private final Set<String> bad = new TreeSet<>();
    final HivedConfig config;

    HivedWorld(HivedConfig config) {
        this.config = config;
        this.queues = config.queues();
    }

    boolean isAnyBad() {
        return !bad.isEmpty();
    }

    void health(String node, boolean isHealthy) {
        if (isHealthy) {
            bad.remove(node);
        } else {
            bad.add(node);
        }
    }

    /** Takes over what HiveD says that has changed. */
    void follow(YamlNode after) {
        after.at("gone").textList().forEach(name -> {
            groups.remove(name);
            cells.remove(name);
        });
        after.at("groups").map().forEach((name, group) -> {
            order.putIfAbsent(name, order.size());
            groups.put(name, group);
        });
        if (!groups.isEmpty()) {
            remember(plan(state(null), Set.of()));
        }
    }

    private void remember(Plan plan) {
        plan.after().jobs().forEach(job -> cells.put(job.name(), job.cells()));
    }

    boolean has(String group) {
        return groups.containsKey(group);
    }

    private YamlNode group(String name) {
        return Objects.requireNonNull(groups.get(name), name);
    }

    boolean isWaiting(String group) {
        return has(group) && group(group).need("state").textOr("").equals("Preempting");
    }

    /** Whether a place that is held for a gang is on nodes that are not suggested any more. */
    boolean isLost(String group, Set<String> suggested) {
        return !suggested.containsAll(group(group).need("placement").map().keySet());
    }

    /** Takes note of what a gang asks. */
    void ask(String group, YamlNode request) {
        requests.put(group, request);
    }

    /** Whether a gang did not allow that it gives up its cells and goes on elsewhere. */
    boolean isNotLazy(String group) {
        YamlNode request = requests.get(group);
        return request != null && !request.at("lazyPreemption").isTrueOr(false);
    }

    Plan plan(CycleState state, Set<CyclePass> passes) {
        return SchedulingCycle.of(CycleSettings.standard().withPasses(passes), GpuScheduler.create())
                .plan(state, 0);
    }

    /** Returns the state, with a job more if there is one; who has the same name is left out. */
    CycleState state(@Nullable Job more) {
        Cluster cluster = Cluster.of(config.nodes());
        List<Job> jobs = new ArrayList<>();
        for (String name : groups.keySet()) {
            YamlNode group = groups.get(name);
            if (more != null && name.equals(more.name())) {
                continue;
            }
            List<Placement> placements = placements(name, group);
            if (placements.isEmpty()) {
                continue;
            }
            PodGroup members =
                    PodGroup.of(name, placements.stream().map(HivedWorld::pod).toList());
            var job = Job.builder(members, queue(name, group))
                    .priority(priority(group))
                    .submitted(order.getOrDefault(name, 0))
                    .cells(cells.getOrDefault(name, List.of()));
            switch (group.need("state").text()) {
                case "Preempting" -> job.nominated(placements);
                case "BeingPreempted" -> {
                    job.terminating(placements);
                    cluster = cluster.withAll(placements);
                }
                default -> {
                    job.running(placements).started(0);
                    cluster = cluster.withAll(placements);
                }
            }
            jobs.add(job.build());
        }
        if (more != null) {
            jobs.add(more);
        }
        for (String node : bad) {
            cluster = cluster.node(node).isPresent() ? cluster.withCordoned(node, true) : cluster;
        }
        return CycleState.of(cluster, QueueTree.of(queues), jobs);
    }

    private static Pod pod(Placement placement) {
        return new Pod(
                placement.pod(),
                Pod.of(
                                "x",
                                Resources.NONE,
                                GpuRequest.exclusive(placement.gpus().size()))
                        .spec());
    }

    private String queue(String name, YamlNode group) {
        YamlNode request = requests.get(name);
        String pin = request == null ? "" : request.at("pinnedCellId").textOr("");
        String vc = group.need("vc").text();
        String queue = HivedConfig.pinnedQueue(vc, pin);
        return queues.stream().anyMatch(own -> own.name().equals(queue))
                ? queue
                : queues.get(0).name();
    }

    private static int priority(YamlNode group) {
        return group.at("downgradedToOpportunistic").isTrueOr(false)
                ? -1
                : group.need("priority").integer();
    }

    private List<Placement> placements(String name, YamlNode group) {
        List<Placement> placements = new ArrayList<>();
        group.need("placement").map().forEach((node, leaves) -> {
            List<Integer> gpus = new ArrayList<>();
            for (String leaf : leaves.textList()) {
                int gpu = config.gpu(node, leaf);
                if (gpu >= 0) {
                    gpus.add(gpu);
                }
            }
            if (!gpus.isEmpty()) {
                gpus.sort(null);
                placements.add(new Placement(
                        new PodId("default", name + "-on-" + node),
                        node,
                        Resources.NONE,
                        List.of(ContainerGrant.of("main", new GpuGrant.Whole(gpus)))));
            }
        });
        return placements;
    }

    /** A gang that asks for GPUs of one of these models, on these nodes. */
    static Job job(String name, YamlNode request, Set<String> models, Set<String> suggested) {
        NodeSelector nodes =
                NodeSelector.all(new NodeRequirement("name", NodeRequirement.Operator.IN, List.copyOf(suggested)));
        List<Pod> pods = new ArrayList<>();
        for (YamlNode member : request.need("group").need("members").list()) {
            GpuRequest gpus = GpuRequest.exclusive(member.need("leafCellNumber").integer())
                    .withSelector(GpuSelector.models(models.toArray(String[]::new)));
            for (int i = 0; i < member.need("pods").integer(); i++) {
                pods.add(Pod.builder(name + "-" + pods.size())
                        .container("main", Resources.NONE, gpus)
                        .nodeSelector(nodes)
                        .build());
            }
        }
        String pin = request.at("pinnedCellId").textOr("");
        return Job.builder(
                        PodGroup.of(name, pods),
                        HivedConfig.pinnedQueue(request.need("vc").text(), pin))
                .priority(request.need("priority").integer())
                .submitted(Integer.MAX_VALUE)
                .build();
    }

    List<Queue> queues() {
        return queues;
    }
}
