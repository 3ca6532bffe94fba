package io.gpusched.dialect;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * How a system picks among what fits: it goes through nodes in an order, through a pod's containers in an order, and
 * gives each container the first GPUs in an order that have room.
 *
 * <p>Such a scan can miss a way to lay out several containers; then the scheduler's exact search lays them out. So a
 * pod is refused only if it does not fit.
 *
 * <p>Costs O(nodes) a decision, since these systems look at every node. Immutable and thread-safe.
 *
 * @param name what the rule is called, such as {@code nano-gpu/binpack}
 * @param containers puts containers into the order in which they get their GPUs
 * @param gpus the order in which GPUs are tried, looked up again for each container
 * @param nodes the order in which nodes are tried; ties end in node order
 * @param layout how containers are laid out together, where the system does that; it goes before the scan
 */
public record ScanRule(
        String name,
        UnaryOperator<List<Container>> containers,
        GpuOrder gpus,
        Comparator<NodeState> nodes,
        LayoutRule layout) {
    /** Checks that nothing is missing. */
    public ScanRule {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(containers, "containers");
        Objects.requireNonNull(gpus, "gpus");
        Objects.requireNonNull(nodes, "nodes");
        Objects.requireNonNull(layout, "layout");
    }

    /** Returns the rule that takes containers and nodes in their own order, and GPUs in this one. */
    public static ScanRule of(String name, GpuOrder gpus) {
        return new ScanRule(
                name, UnaryOperator.identity(), gpus, Comparator.comparingLong(NodeAccess::order), LayoutRule.NONE);
    }

    /** Returns this rule with another order of nodes. */
    public ScanRule withNodes(Comparator<NodeState> order) {
        return new ScanRule(name, containers, gpus, order, layout);
    }

    /** Returns this rule with another order of containers. */
    public ScanRule withContainers(UnaryOperator<List<Container>> order) {
        return new ScanRule(name, order, gpus, nodes, layout);
    }

    /** Returns this rule with a layout of whole pods that goes before the scan. */
    public ScanRule withLayout(LayoutRule rule) {
        return new ScanRule(name, containers, gpus, nodes, rule);
    }

    /** Decides where a pod goes; O(nodes). */
    public Decision schedule(Cluster cluster, Pod pod) {
        GpuScheduler exact = GpuScheduler.create();
        return inOrder(cluster)
                .flatMap(node -> place(exact, node, pod).stream())
                .findFirst()
                .<Decision>map(Placed::new)
                .orElseGet(() -> exact.schedule(cluster, pod));
    }

    /** Returns the nodes of a cluster in the order in which they are tried. */
    public Stream<NodeState> inOrder(Cluster cluster) {
        List<NodeState> all = cluster.nodes();
        return all.stream().sorted(nodes.thenComparingLong(NodeAccess::order));
    }

    /** Returns where a pod goes on this node, or nothing if it does not fit. */
    public Optional<Placement> place(NodeState node, Pod pod) {
        return place(GpuScheduler.create(), node, pod);
    }

    private Optional<Placement> place(GpuScheduler exact, NodeState node, Pod pod) {
        Optional<Placement> any = exact.place(node, pod);
        if (any.isEmpty()) {
            return any;
        }
        return layout.place(node, pod)
                .or(() -> new Scan(this, node, pod).place())
                .or(() -> any);
    }
}
