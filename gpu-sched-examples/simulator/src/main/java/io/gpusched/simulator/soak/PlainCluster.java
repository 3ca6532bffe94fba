package io.gpusched.simulator.soak;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A cluster as plain maps that are changed in place: slow, and too simple to be wrong in the same way. */
final class PlainCluster {
    private static final Comparator<Node> ORDER =
            Comparator.comparing(Node::topology).thenComparing(Node::name);

    private final Map<Node, PlainNode> ordered = new TreeMap<>(ORDER);
    private final Map<String, PlainNode> byName = new HashMap<>();
    private final Map<PodId, String> pods = new HashMap<>();

    PlainCluster copy() {
        PlainCluster copy = new PlainCluster();
        ordered.values().forEach(node -> {
            PlainNode same = node.copy();
            copy.put(same);
            same.pods().keySet().forEach(pod -> copy.pods.put(pod, same.node().name()));
        });
        return copy;
    }

    private void put(PlainNode node) {
        ordered.put(node.node(), node);
        byName.put(node.node().name(), node);
    }

    void add(Node node) {
        put(new PlainNode(node));
    }

    void remove(String name) {
        ordered.remove(node(name).node());
        byName.remove(name);
    }

    void replace(Node node) {
        PlainNode plain = node(node.name());
        ordered.remove(plain.node());
        plain.change(node);
        ordered.put(node, plain);
    }

    void place(Placement placement) {
        node(placement.node()).place(placement);
        pods.put(placement.pod(), placement.node());
    }

    void release(PodId pod) {
        node(Objects.requireNonNull(pods.remove(pod), "node")).release(pod);
    }

    PlainNode node(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    /** The nodes in the order of a cluster. */
    Collection<PlainNode> nodes() {
        return ordered.values();
    }

    int pods() {
        return pods.size();
    }

    /** Whether any node can take a pod of one container. */
    boolean hasRoom(Pod pod) {
        for (PlainNode node : ordered.values()) {
            if (fits(pod, node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a node can take a pod of one container. */
    static boolean fits(Pod pod, PlainNode node) {
        GpuRequest request = pod.containers().get(0).gpu();
        if (!node.isOpen() || !isWelcome(pod, node.node())) {
            return false;
        }
        if (request instanceof GpuRequest.WholeNode) {
            return node.isFree() && pod.resources().fitsIn(node.node().capacity());
        }
        if (pod.resources().cpuMillis() > node.freeCpuMillis()
                || pod.resources().memoryMib() > node.freeMemoryMib()
                || !node.hasFree(pod.resources().named())) {
            return false;
        }
        if (request instanceof GpuRequest.Exclusive exclusive) {
            return node.hasWhole(exclusive.count());
        }
        if (request instanceof GpuRequest.Share share) {
            // the GPUs of a node have equal memory here
            long mib = node.node().gpus().isEmpty()
                    ? 0
                    : share.memory().on(node.node().gpus().get(0).memoryMib());
            return node.gpusWith(share.computeMillis(), mib, share.slots()) >= share.count();
        }
        return true;
    }

    /** A pod that tolerates it may go to cordoned nodes. */
    private static final Taint CORDON = Taint.noSchedule("node.kubernetes.io/unschedulable", "");

    private static boolean isWelcome(Pod pod, Node node) {
        return pod.nodeSelector().matches(node.labels())
                && (!node.cordoned() || pod.tolerations().stream().anyMatch(toleration -> toleration.tolerates(CORDON)))
                && node.taints().stream()
                        .allMatch(taint -> !taint.effect().forbids()
                                || pod.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint)));
    }
}
