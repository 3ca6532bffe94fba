package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in plain maps, so simple that it is obviously right: what every {@link Cluster} is compared with. Mutable.
 */
public final class ClusterModel {
    private final Map<String, ModelNode> nodes = new TreeMap<>();

    /** Returns the model of these nodes, on which nothing runs. */
    public static ClusterModel of(Collection<Node> nodes) {
        ClusterModel model = new ClusterModel();
        nodes.forEach(node -> model.nodes.put(node.name(), new ModelNode(node)));
        return model;
    }

    /** Returns the model of what a snapshot lists: its nodes and placements, none of its sums. */
    public static ClusterModel of(Cluster cluster) {
        ClusterModel model = of(cluster.nodes().stream().map(NodeState::node).toList());
        for (Placement placement : cluster.placements()) {
            model.existing(placement.node()).pods().put(placement.pod(), placement);
        }
        return model;
    }

    /** The nodes, by topology, then by name. */
    public List<ModelNode> nodes() {
        List<ModelNode> sorted = new ArrayList<>(nodes.values());
        sorted.sort(
                Comparator.comparing((ModelNode node) -> node.node().topology()).thenComparing(ModelNode::name));
        return sorted;
    }

    /** The node of this name, or null. */
    public @Nullable ModelNode node(String name) {
        return nodes.get(name);
    }

    private ModelNode existing(String name) {
        return Objects.requireNonNull(nodes.get(name), name);
    }

    /** The pods that run, in order. */
    public List<PodId> pods() {
        return placements().stream().map(Placement::pod).sorted().toList();
    }

    /** What the pods hold, node by node. */
    public List<Placement> placements() {
        return nodes.values().stream()
                .flatMap(node -> node.placements().stream())
                .toList();
    }

    /** What a pod holds, or null. */
    public @Nullable Placement placement(PodId pod) {
        return placements().stream()
                .filter(placement -> placement.pod().equals(pod))
                .findFirst()
                .orElse(null);
    }

    /** Whether a placement may be applied. */
    public boolean accepts(Placement placement) {
        ModelNode node = nodes.get(placement.node());
        return node != null && placement(placement.pod()) == null && Legality.fits(placement, node);
    }

    public void place(Placement placement) {
        if (!accepts(placement)) {
            throw new IllegalArgumentException("the model does not take " + placement);
        }
        existing(placement.node()).pods().put(placement.pod(), placement);
    }

    public void release(PodId pod) {
        nodes.values().forEach(node -> node.pods().remove(pod));
    }

    public void cordon(String name, boolean cordoned) {
        existing(name).change(existing(name).node().withCordoned(cordoned));
    }

    public void health(String name, int gpu, boolean healthy) {
        existing(name).change(existing(name).node().withGpuHealth(gpu, healthy));
    }

    public void add(Node node) {
        nodes.put(node.name(), new ModelNode(node));
    }

    /** Puts a node in place of the one of the same name, unless what runs there does not go with it, whatever its health. */
    public boolean replace(Node node) {
        ModelNode fresh = new ModelNode(healed(node));
        for (Placement placement : existing(node.name()).placements()) {
            if (!Legality.fits(placement, fresh)) {
                return false;
            }
            fresh.pods().put(placement.pod(), placement);
        }
        fresh.change(node);
        nodes.put(node.name(), fresh);
        return true;
    }

    public void remove(String name) {
        nodes.remove(name);
    }

    /** The pods that hold anything of a GPU that is not healthy. */
    public Set<Placement> onUnhealthyGpus() {
        Set<Placement> found = new HashSet<>();
        for (ModelNode node : nodes.values()) {
            for (Placement placement : node.placements()) {
                for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
                    if (!node.isHealthy(gpu)
                            && !ModelNode.takenBy(placement, gpu).isNothing()) {
                        found.add(placement);
                    }
                }
            }
        }
        return found;
    }

    public ClusterTotals totals() {
        int gpus = 0;
        int idle = 0;
        Resources capacity = Resources.NONE;
        Resources used = Resources.NONE;
        long[] sums = new long[4];
        for (ModelNode node : nodes.values()) {
            Resources all = node.node().capacity();
            capacity = capacity.plus(all);
            used = used.plus(held(node));
            for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
                Taken taken = node.taken(gpu);
                gpus++;
                idle += node.isIdle(gpu) ? 1 : 0;
                sums[0] += node.gpu(gpu).computeMillis();
                sums[1] += taken.whole() ? node.gpu(gpu).computeMillis() : taken.compute();
                sums[2] += node.gpu(gpu).memoryMib();
                sums[3] += taken.whole() ? node.gpu(gpu).memoryMib() : taken.memory();
            }
        }
        int pods = placements().size();
        return new ClusterTotals(nodes.size(), gpus, pods, capacity, used, sums[0], sums[1], sums[2], sums[3], idle);
    }

    private static Resources held(ModelNode node) {
        Resources all = node.node().capacity();
        Resources held = Resources.of(all.cpuMillis() - node.freeCpuMillis(), all.memoryMib() - node.freeMemoryMib());
        for (String name : all.named().names()) {
            held = held.with(name, all.amount(name) - node.free(name));
        }
        return held;
    }

    private static Node healed(Node node) {
        Node healthy = node;
        for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
            healthy = healthy.withGpuHealth(gpu, true);
        }
        return healthy;
    }
}
