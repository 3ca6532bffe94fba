package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Tries every assignment of a pod's containers to the GPUs of every node. Exponential, for small clusters; it shares no
 * code with the search.
 */
public final class Oracle {
    private final ClusterModel model;
    private final Pod pod;
    private final List<Placement> legal = new ArrayList<>();

    private Oracle(ClusterModel model, Pod pod) {
        this.model = model;
        this.pod = pod;
    }

    /** Returns all legal placements of a pod, node by node in node order, lower GPU indexes first. */
    public static List<Placement> placements(ClusterModel model, Pod pod) {
        Oracle oracle = new Oracle(model, pod);
        for (ModelNode node : model.nodes()) {
            if (Legality.isWelcome(pod, node)) {
                oracle.assign(node, new ArrayList<>());
            }
        }
        return oracle.legal;
    }

    /** Returns the placements on nodes with the fewest taints that are only to be avoided and that a pod does not tolerate. */
    public static List<Placement> preferred(Cluster cluster, List<Placement> legal, Pod pod) {
        long least = legal.stream()
                .mapToLong(placement -> avoided(cluster, placement, pod))
                .min()
                .orElse(0);
        return legal.stream()
                .filter(placement -> avoided(cluster, placement, pod) == least)
                .toList();
    }

    private static long avoided(Cluster cluster, Placement placement, Pod pod) {
        return cluster.node(placement.node()).orElseThrow().node().taints().stream()
                .filter(taint -> taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE)
                .filter(taint -> pod.tolerations().stream().noneMatch(toleration -> toleration.tolerates(taint)))
                .count();
    }

    /** Returns the score of a placement as a scheduler ranks it: the policy's score less the penalty, at least
     * {@link Long#MIN_VALUE}. */
    public static long score(PlacementPolicy policy, Cluster cluster, Placement placement, Pod pod) {
        NodeState before = cluster.node(placement.node()).orElseThrow();
        NodeState after = before.with(placement);
        long score = policy.score(before, after, pod);
        if (!(policy instanceof ClusterAwarePolicy aware)) {
            return score;
        }
        BigInteger net =
                BigInteger.valueOf(score).subtract(BigInteger.valueOf(penalty(aware, cluster, before, after, pod)));
        return net.max(BigInteger.valueOf(Long.MIN_VALUE)).longValueExact();
    }

    private static long penalty(
            ClusterAwarePolicy policy, Cluster cluster, NodeState before, NodeState after, Pod pod) {
        ClusterAwarePolicy.Statistics statistics = policy.statistics();
        cluster.nodes().forEach(statistics::add);
        return statistics.penalties(pod).applyAsLong(policy.penaltyKey(before, after));
    }

    /**
     * Returns the best rank of any of these placements, which must stand node by node. Which GPUs are taken on a node is
     * decided by the policy's score alone, the first of equals; penalties only tell nodes apart.
     */
    public static OptionalLong bestScore(PlacementPolicy policy, Cluster cluster, List<Placement> placements, Pod pod) {
        Map<String, Placement> onNode = new LinkedHashMap<>();
        for (Placement placement : placements) {
            onNode.merge(
                    placement.node(),
                    placement,
                    (best, next) -> bareScore(policy, cluster, next, pod) > bareScore(policy, cluster, best, pod)
                            ? next
                            : best);
        }
        return onNode.values().stream()
                .mapToLong(placement -> score(policy, cluster, placement, pod))
                .max();
    }

    private static long bareScore(PlacementPolicy policy, Cluster cluster, Placement placement, Pod pod) {
        NodeState before = cluster.node(placement.node()).orElseThrow();
        return policy.score(before, before.with(placement), pod);
    }

    private void assign(ModelNode node, List<ContainerGrant> grants) {
        if (grants.size() == pod.containers().size()) {
            Placement placement = new Placement(pod.id(), node.name(), pod.resources(), grants).withSpec(pod.spec());
            if (model.accepts(placement)) {
                legal.add(placement);
            }
            return;
        }
        Container container = pod.containers().get(grants.size());
        for (GpuGrant grant : grants(container.gpu(), node)) {
            if (Legality.isAccepted(container, grant.indexes(), node)) {
                grants.add(new ContainerGrant(container.name(), container.kind(), grant));
                assign(node, grants);
                grants.remove(grants.size() - 1);
            }
        }
    }

    private static List<GpuGrant> grants(GpuRequest request, ModelNode node) {
        if (request instanceof GpuRequest.None) {
            return List.of(GpuGrant.none());
        }
        if (request instanceof GpuRequest.WholeNode) {
            return node.gpuCount() == 0 ? List.of() : List.of(new GpuGrant.WholeNode(node.gpuCount()));
        }
        if (request instanceof GpuRequest.Exclusive exclusive) {
            return subsets(node.gpuCount(), exclusive.count()).stream()
                    .map(gpus -> (GpuGrant) new GpuGrant.Whole(gpus))
                    .toList();
        }
        GpuRequest.Share share = (GpuRequest.Share) request;
        return subsets(node.gpuCount(), share.count()).stream()
                .map(gpus -> (GpuGrant) new GpuGrant.Shared(
                        gpus.stream().map(gpu -> part(share, node, gpu)).toList()))
                .toList();
    }

    private static GpuShare part(GpuRequest.Share share, ModelNode node, int gpu) {
        long capacity = node.gpu(gpu).memoryMib();
        long memory = share.memory() instanceof GpuMemory.Mib fixed
                ? fixed.mib()
                : Math.floorDiv(capacity * ((GpuMemory.Percent) share.memory()).percent(), 100L);
        return new GpuShare(gpu, share.computeMillis(), memory, share.slots());
    }

    /** All sets of {@code size} numbers below {@code n}, each ascending, in lexicographic order. */
    static List<List<Integer>> subsets(int n, int size) {
        List<List<Integer>> found = new ArrayList<>();
        collect(n, size, 0, new ArrayList<>(), found);
        return found;
    }

    private static void collect(int n, int size, int from, List<Integer> taken, List<List<Integer>> found) {
        if (taken.size() == size) {
            found.add(List.copyOf(taken));
            return;
        }
        for (int next = from; next < n; next++) {
            taken.add(next);
            collect(n, size, next + 1, taken, found);
            taken.remove(taken.size() - 1);
        }
    }
}
