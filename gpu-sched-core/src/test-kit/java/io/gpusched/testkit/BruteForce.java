package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The obvious way: tries every set of GPUs and every place of partitions for every container on every node. For small worlds only. */
public final class BruteForce {
    private BruteForce() {}

    /** Whether any legal placement of the group's minimum exists. */
    public static boolean canStart(Cluster cluster, PodGroup group) {
        Locality locality = group.locality();
        List<NodeState> nodes = cluster.nodes();
        if (!locality.required() || locality.scope() == Locality.Scope.ANYWHERE) {
            return canStart(group, nodes);
        }
        if (locality.scope() == Locality.Scope.NODE) {
            return nodes.stream().anyMatch(node -> canStart(group, List.of(node)));
        }
        for (Topology domain : cluster.domains(locality.level()).keySet()) {
            List<NodeState> members = nodes.stream()
                    .filter(node ->
                            node.node().topology().upTo(locality.level()).equals(domain))
                    .toList();
            if (canStart(group, members)) {
                return true;
            }
        }
        return false;
    }

    private static boolean canStart(PodGroup group, List<NodeState> nodes) {
        return canStart(group, group.pods(), 0, new int[group.roles().size()], new ArrayList<>(nodes), new HashSet<>());
    }

    /** Whether the members from one on can be added so that the group starts; states met before are not entered again. */
    private static boolean canStart(
            PodGroup group, List<Pod> pods, int at, int[] placed, List<NodeState> nodes, Set<Object> met) {
        if (isEnough(group, placed)) {
            return true;
        }
        if (at == pods.size() || !met.add(state(at, placed, nodes))) {
            return false;
        }
        int role = roleOf(group, pods.get(at));
        placed[role]++;
        for (int n = 0; n < nodes.size(); n++) {
            int there = n;
            NodeState before = nodes.get(n);
            boolean starts = anyWay(before, pods.get(at), after -> {
                nodes.set(there, after);
                return canStart(group, pods, at + 1, placed, nodes, met);
            });
            if (starts) {
                return true;
            }
            nodes.set(n, before);
        }
        placed[role]--;
        return canStart(group, pods, at + 1, placed, nodes, met);
    }

    /** How far the search is, and what runs on each node, whoever it is. */
    private static Object state(int at, int[] placed, List<NodeState> nodes) {
        List<Object> state = new ArrayList<>();
        state.add(at);
        state.add(Arrays.toString(placed));
        for (NodeState node : nodes) {
            state.add(node.placements().stream()
                    .map(placement -> placement.resources() + " " + placement.containers())
                    .sorted()
                    .toList());
        }
        return state;
    }

    private static boolean isEnough(PodGroup group, int[] placed) {
        int sum = 0;
        for (int role = 0; role < placed.length; role++) {
            if (placed[role] < group.roles().get(role).minMember()) {
                return false;
            }
            sum += placed[role];
        }
        return sum >= group.minMember();
    }

    public static int roleOf(PodGroup group, Pod pod) {
        for (int role = 0; role < group.roles().size(); role++) {
            if (group.roles().get(role).pods().contains(pod)) {
                return role;
            }
        }
        throw new AssertionError("no role of " + pod.id());
    }

    /** Whether there is any legal way to place a pod on a node. */
    public static boolean fits(Pod pod, NodeState node) {
        return anyWay(node, pod, after -> true);
    }

    /** All states in which a node can be after a pod was legally placed there. */
    public static List<NodeState> ways(NodeState node, Pod pod) {
        List<NodeState> ways = new ArrayList<>();
        anyWay(node, pod, after -> !ways.add(after));
        return ways;
    }

    /** Whether any state in which a node can be after a pod was legally placed there will do; looks no further then. */
    private static boolean anyWay(NodeState node, Pod pod, Predicate<NodeState> willDo) {
        Taint cordon = Taint.noSchedule("node.kubernetes.io/unschedulable", "");
        boolean isOpen = !node.node().cordoned() || pod.tolerations().stream().anyMatch(t -> t.tolerates(cordon));
        return isOpen && isAdmitted(node, pod) && anyWay(node, pod, new ArrayList<>(), willDo);
    }

    public static boolean isAdmitted(NodeState node, Pod pod) {
        return pod.nodeSelector().matches(node.node().labels()) && isTolerated(node, pod);
    }

    public static boolean isTolerated(NodeState node, Pod pod) {
        return node.node().taints().stream()
                .filter(taint -> taint.effect().forbids())
                .allMatch(taint -> pod.tolerations().stream().anyMatch((Toleration t) -> t.tolerates(taint)));
    }

    private static boolean anyWay(NodeState node, Pod pod, List<ContainerGrant> grants, Predicate<NodeState> willDo) {
        if (grants.size() == pod.containers().size()) {
            NodeState after;
            try {
                after = node.with(
                        new Placement(pod.id(), node.node().name(), pod.resources(), grants).withSpec(pod.spec()));
            } catch (PlacementConflictException e) {
                return false;
            }
            return willDo.test(after);
        }
        Container container = pod.containers().get(grants.size());
        for (GpuGrant grant : grants(node, container.gpu())) {
            grants.add(new ContainerGrant(container.name(), container.kind(), grant));
            if (anyWay(node, pod, grants, willDo)) {
                return true;
            }
            grants.remove(grants.size() - 1);
        }
        return false;
    }

    private static List<GpuGrant> grants(NodeState node, GpuRequest request) {
        List<GpuGrant> grants = new ArrayList<>();
        if (request instanceof GpuRequest.FirstOf choice) {
            choice.alternatives().forEach(shape -> grants.addAll(grants(node, shape)));
            return grants;
        }
        if (request instanceof GpuRequest.None) {
            return List.of(GpuGrant.none());
        }
        if (request instanceof GpuRequest.Partition partition) {
            addPartitions(partition, node, places(partition, node), 0, new ArrayList<>(), grants);
            return grants;
        }
        boolean share = request instanceof GpuRequest.Share;
        if (share ? !node.node().mode().admitsShares() : !node.node().mode().admitsWhole()) {
            return grants;
        }
        List<Gpu> gpus = node.node().gpus();
        if (request instanceof GpuRequest.WholeNode) {
            boolean near = isNear(request, node, gpus);
            boolean all = near && gpus.stream().allMatch(request.selector()::accepts);
            return gpus.isEmpty() || !all ? List.of() : List.of(new GpuGrant.WholeNode(gpus.size()));
        }
        for (int mask = 1; mask < 1 << gpus.size(); mask++) {
            int chosen = mask;
            List<Gpu> set = gpus.stream()
                    .filter(gpu -> (chosen >> gpu.index() & 1) != 0)
                    .toList();
            boolean near = isNear(request, node, set);
            if (near && set.stream().allMatch(request.selector()::accepts)) {
                addGrant(request, set, grants);
            }
        }
        return grants;
    }

    /** Every unit at which a partition of the profile may begin, on every GPU that the request accepts. */
    private static List<GpuPartition> places(GpuRequest.Partition request, NodeState node) {
        List<GpuPartition> places = new ArrayList<>();
        for (Gpu gpu : node.node().gpus()) {
            for (PartitionProfile profile : gpu.partitions().profiles()) {
                if (profile.name().equals(request.profile())
                        && request.selector().accepts(gpu)) {
                    profile.starts()
                            .forEach(start ->
                                    places.add(new GpuPartition(gpu.index(), profile.name(), start, profile.mode())));
                }
            }
        }
        return places;
    }

    /** Adds every choice of as many places as are asked for, one place several times too: it may take several tenants. */
    private static void addPartitions(
            GpuRequest.Partition request,
            NodeState node,
            List<GpuPartition> places,
            int from,
            List<GpuPartition> chosen,
            List<GpuGrant> grants) {
        if (chosen.size() == request.instances()) {
            GpuGrant grant = new GpuGrant.Partitions(chosen.stream().sorted().toList());
            List<Gpu> gpus =
                    grant.indexes().stream().map(node.node().gpus()::get).toList();
            if (isNear(request, node, gpus)) {
                grants.add(grant);
            }
            return;
        }
        for (int i = from; i < places.size(); i++) {
            chosen.add(places.get(i));
            addPartitions(request, node, places, i, chosen, grants);
            chosen.remove(chosen.size() - 1);
        }
    }

    private static boolean isNear(GpuRequest request, NodeState node, List<Gpu> gpus) {
        Bond bond = request.selector().affinity().required();
        return Wiring.holds(bond, node.node(), gpus.stream().map(Gpu::index).toList());
    }

    private static void addGrant(GpuRequest request, List<Gpu> set, List<GpuGrant> grants) {
        if (request instanceof GpuRequest.Exclusive exclusive && exclusive.count() == set.size()) {
            grants.add(new GpuGrant.Whole(set.stream().map(Gpu::index).toList()));
        }
        if (request instanceof GpuRequest.Share share && share.count() == set.size()) {
            grants.add(new GpuGrant.Shared(set.stream()
                    .map(gpu -> new GpuShare(
                            gpu.index(), share.computeMillis(), share.memory().on(gpu.memoryMib()), share.slots()))
                    .toList()));
        }
    }
}
