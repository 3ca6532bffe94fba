package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.Taint;
import io.gpusched.model.TopologyDomain;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuCloseness.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;

/** The obvious way: tries every set of GPUs for every container on every node. For small worlds only. */
public final class BruteForce {
    private BruteForce() {}

    /** Whether any legal placement of the group's minimum exists. */
    public static boolean canStart(Cluster cluster, PodGroup group) {
        PodGroup.Locality locality = group.locality();
        List<NodeState> nodes = cluster.nodes();
        if (!locality.required() || locality.scope() == PodGroup.Locality.Scope.ANYWHERE) {
            return canStart(group, nodes);
        }
        if (locality.scope() == PodGroup.Locality.Scope.NODE) {
            return nodes.stream().anyMatch(node -> canStart(group, List.of(node)));
        }
        for (TopologyDomain domain : cluster.domains(locality.level())) {
            List<NodeState> members = nodes.stream()
                    .filter(node ->
                            node.node().topology().upTo(locality.level()).equals(domain.path()))
                    .toList();
            if (canStart(group, members)) {
                return true;
            }
        }
        return false;
    }

    private static boolean canStart(PodGroup group, List<NodeState> nodes) {
        return canStart(group, group.pods(), 0, new int[group.roles().size()], new ArrayList<>(nodes));
    }

    private static boolean canStart(PodGroup group, List<Pod> pods, int at, int[] placed, List<NodeState> nodes) {
        if (isEnough(group, placed)) {
            return true;
        }
        if (at == pods.size()) {
            return false;
        }
        int role = roleOf(group, pods.get(at));
        placed[role]++;
        for (int n = 0; n < nodes.size(); n++) {
            NodeState before = nodes.get(n);
            for (NodeState after : ways(before, pods.get(at))) {
                nodes.set(n, after);
                if (canStart(group, pods, at + 1, placed, nodes)) {
                    return true;
                }
            }
            nodes.set(n, before);
        }
        placed[role]--;
        return canStart(group, pods, at + 1, placed, nodes);
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

    /** All states in which a node can be after a pod was legally placed there. */
    public static List<NodeState> ways(NodeState node, Pod pod) {
        List<NodeState> ways = new ArrayList<>();
        Taint cordon = Taint.noSchedule("node.kubernetes.io/unschedulable", "");
        boolean isOpen = !node.node().cordoned() || pod.tolerations().stream().anyMatch(t -> t.tolerates(cordon));
        if (isOpen && isAdmitted(node, pod)) {
            addWays(node, pod, new ArrayList<>(), ways);
        }
        return ways;
    }

    public static boolean isAdmitted(NodeState node, Pod pod) {
        return pod.nodeSelector().matches(node.node().labels()) && isTolerated(node, pod);
    }

    public static boolean isTolerated(NodeState node, Pod pod) {
        return node.node().taints().stream()
                .filter(taint -> taint.effect().forbids())
                .allMatch(taint -> pod.tolerations().stream().anyMatch((Toleration t) -> t.tolerates(taint)));
    }

    private static void addWays(NodeState node, Pod pod, List<ContainerGrant> grants, List<NodeState> ways) {
        if (grants.size() == pod.containers().size()) {
            try {
                ways.add(node.with(new Placement(pod.id(), node.node().name(), pod.resources(), grants)));
            } catch (PlacementConflictException e) {
                return;
            }
            return;
        }
        Container container = pod.containers().get(grants.size());
        for (GpuGrant grant : grants(node, container.gpu())) {
            grants.add(new ContainerGrant(container.name(), container.kind(), grant));
            addWays(node, pod, grants, ways);
            grants.remove(grants.size() - 1);
        }
    }

    private static List<GpuGrant> grants(NodeState node, GpuRequest request) {
        List<GpuGrant> grants = new ArrayList<>();
        if (request instanceof GpuRequest.FirstOf choice) {
            choice.shapes().forEach(shape -> grants.addAll(grants(node, shape)));
            return grants;
        }
        if (request instanceof GpuRequest.None) {
            return List.of(GpuGrant.none());
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

    private static boolean isNear(GpuRequest request, NodeState node, List<Gpu> gpus) {
        Bond bond = request.selector().closeness().required();
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
