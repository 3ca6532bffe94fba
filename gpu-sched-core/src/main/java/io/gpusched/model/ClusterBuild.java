package io.gpusched.model;

import io.gpusched.internal.index.HashIndex;
import io.gpusched.internal.index.NodeSummaryEncoder;
import io.gpusched.internal.tree.DeferredTree;
import io.gpusched.internal.tree.SummaryTree;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Builds a snapshot from machines. */
final class ClusterBuild {
    private ClusterBuild() {}

    /** Returns the cluster of these nodes with these states kept where their node is among them by name. */
    static Cluster of(Collection<Node> nodes, Iterable<NodeState> kept) {
        List<Node> sorted = Inventory.sorted(nodes);
        Inventory inventory = Inventory.of(sorted);
        NodeState[] states = new NodeState[sorted.size()];
        for (int order = 0; order < states.length; order++) {
            states[order] = new NodeState(sorted.get(order), inventory.classOf(order), order, inventory.slotOf(order));
        }
        for (NodeState old : kept) {
            int order = inventory.orderOf(old.name());
            if (order < 0 || old.isEmpty()) {
                continue;
            }
            NodeState fresh = states[order];
            states[order] = fresh.node().equals(old.node())
                    ? old.on(fresh.node(), fresh.nodeClass(), order, fresh.slot())
                    : NodeMove.move(old, fresh);
        }
        List<DeferredTree<NodeState>> trees = new ArrayList<>();
        for (NodeClass nodeClass : inventory.classes()) {
            NodeState[] members = new NodeState[nodeClass.size()];
            for (int slot = 0; slot < members.length; slot++) {
                members[slot] = states[inventory.orderOf(nodeClass, slot)];
            }
            trees.add(DeferredTree.of(SummaryTree.of(NodeSummaryEncoder.INSTANCE, List.of(members))));
        }
        List<NodeState> all = List.of(states);
        all.forEach(inventory::note);
        Usage usage = Usage.of(all);
        HashIndex pods = index(all.size(), all::get, usage.pods());
        return new Cluster(inventory, List.copyOf(trees), pods, usage);
    }

    /** Returns the index of the pods that run on the nodes of a cluster, given by order. */
    static HashIndex index(int nodes, IntFunction<NodeState> node, int running) {
        LongArrayList pods = new LongArrayList(running);
        IntArrayList orders = new IntArrayList(running);
        for (int order = 0; order < nodes; order++) {
            node.apply(order).addPodHashes(pods);
            while (orders.size() < pods.size()) {
                orders.add(order);
            }
        }
        return HashIndex.of(nodes, pods, orders);
    }

    /** Returns the cluster with its list of machines changed; what runs stays where its node is among them by name. */
    static Cluster changed(Cluster cluster, Consumer<List<Node>> change) {
        List<NodeState> states = cluster.nodes();
        List<Node> machines = new ArrayList<>(states.size() + 1);
        states.forEach(state -> machines.add(state.node()));
        change.accept(machines);
        return of(machines, states);
    }

    /** Returns the trees of the classes with one replaced. */
    static List<DeferredTree<NodeState>> replaced(
            List<DeferredTree<NodeState>> trees, int at, DeferredTree<NodeState> changed) {
        if (trees.size() == 1) {
            return List.of(changed);
        }
        List<DeferredTree<NodeState>> all = new ArrayList<>(trees);
        all.set(at, changed);
        return all;
    }
}
