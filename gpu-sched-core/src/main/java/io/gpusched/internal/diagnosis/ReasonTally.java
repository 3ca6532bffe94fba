package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Adds up, reason by reason, how many nodes it keeps away and the amounts that matter for it. */
final class ReasonTally {
    private final StaticFilter machine;
    private final PodDemand demand;
    private final EnumMap<Code, Line> lines = new EnumMap<>(Code.class);
    private final EnumMap<Code, ResourceTally> resources = new EnumMap<>(Code.class);
    private final TreeSet<String> taints = new TreeSet<>();
    private final TreeSet<String> modes = new TreeSet<>();

    /** Whether any node that is too small takes no pods at all; such nodes do not count into amounts. */
    private boolean takingNoPods;

    /** One reason: its nodes; an amount summed over them and the greatest on one node or GPU; the same of another. */
    private static final class Line {
        private int nodes;
        private long sum;
        private long most;
        private long otherSum;
        private long otherMost;

        /** The first in node order. */
        private final List<NodeState> first = new ArrayList<>();

        /** The order of the last of these once there are as many as are named. */
        private long last = Long.MAX_VALUE;

        void name(NodeState node) {
            if (NodeAccess.order(node) >= last) {
                return;
            }
            int at = first.size();
            while (at > 0 && NodeAccess.order(first.get(at - 1)) > NodeAccess.order(node)) {
                at--;
            }
            first.add(at, node);
            if (first.size() > Reason.MOST_NAMES) {
                first.remove(Reason.MOST_NAMES);
            }
            if (first.size() == Reason.MOST_NAMES) {
                last = NodeAccess.order(first.get(Reason.MOST_NAMES - 1));
            }
        }

        void amount(long value) {
            sum += value;
            most = Math.max(most, value);
        }

        Amount amount(Quantity quantity, long asked) {
            return new Amount(quantity, asked, sum, most);
        }

        Amount other(Quantity quantity, long asked) {
            return new Amount(quantity, asked, otherSum, otherMost);
        }

        void other(long value) {
            otherSum += value;
            otherMost = Math.max(otherMost, value);
        }
    }

    ReasonTally(NodeFilter filter) {
        this.machine = filter.machine();
        this.demand = filter.demand();
        for (Code code : Code.values()) {
            lines.put(code, new Line());
        }
    }

    /** Counts a whole class under a reason that does not depend on what runs; its nodes are named by {@link #name}. */
    void add(Code code, NodeClass nodeClass, int nodes) {
        Line line = line(code);
        line.nodes += nodes;
        addMachine(code, line, nodeClass, nodeClass.gpus(), nodeClass.capacity());
    }

    /** Names a node under a reason if it is one of the first. */
    void name(Code code, NodeState node) {
        line(code).name(node);
    }

    /** Counts a node under a reason. */
    void add(Code code, NodeState node) {
        Line line = line(code);
        line.nodes++;
        line.name(node);
        switch (code) {
            case CPU -> line.amount(node.freeCpuMillis());
            case MEMORY -> line.amount(node.freeMemoryMib());
            case RESOURCE -> resources(code).add(node.freeNamed());
            case POD_LIMIT, NOT_EMPTY -> line.amount(node.podCount());
            case IDLE_GPUS, GPU_LAYOUT, SEARCH_LIMIT, GROUP -> line.amount(node.idleGpus());
            case GPU_SHARE -> addShares(line, node);
            case PARTITION -> line.amount(PartitionFit.fewest(demand, node));
            case GPU_UNHEALTHY -> line.amount(unhealthy(node));
            case CORDONED, HELD_WHOLE, NODE_NAME, HOST_PORT, TOPOLOGY_SPREAD, POD_AFFINITY, POD_ANTI_AFFINITY -> {}
            default ->
                addMachine(
                        code,
                        line,
                        node.nodeClass(),
                        node.node().gpus(),
                        node.node().capacity());
        }
    }

    private void addMachine(Code code, Line line, NodeClass nodeClass, List<Gpu> gpus, Resources capacity) {
        switch (code) {
            case TAINT ->
                RemedyFinder.untolerated(demand.tolerated(), nodeClass).forEach(taints::add);
            case NODE_MODE -> modes.add(nodeClass.mode().toString());
            case TOO_FEW_GPUS -> line.amount(gpus.size());
            case GPU_SELECTOR ->
                demand.gpuContainers().forEach(container -> line.amount(machine.countAccepted(container.gpu(), gpus)));
            case NODE_TOO_SMALL -> {
                if (nodeClass.maxPods() == 0) {
                    takingNoPods = true;
                    break;
                }
                line.amount(capacity.cpuMillis());
                line.other(capacity.memoryMib());
                resources(code).add(capacity.named());
            }
            case GPU_TOO_SMALL ->
                gpus.forEach(gpu -> {
                    line.amount(gpu.computeMillis());
                    line.other(gpu.memoryMib());
                });
            default -> {}
        }
    }

    private static void addShares(Line line, NodeState node) {
        for (int g = 0; g < node.gpuCount(); g++) {
            line.amount(node.freeComputeMillis(g));
            line.other(node.freeMemoryMib(g));
        }
    }

    private static int unhealthy(NodeState node) {
        int count = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            count += node.isHealthy(g) ? 0 : 1;
        }
        return count;
    }

    private ResourceTally resources(Code code) {
        return resources.computeIfAbsent(
                code, any -> new ResourceTally(demand.resources().named()));
    }

    private Line line(Code code) {
        return Objects.requireNonNull(lines.get(code), "every code has a line");
    }

    int nodes(Code code) {
        return line(code).nodes;
    }

    /** Returns the reasons, those with most nodes first. */
    List<Reason> reasons() {
        List<Reason> reasons = new ArrayList<>();
        for (Code code : Code.values()) {
            if (nodes(code) > 0) {
                reasons.add(reason(code, line(code)));
            }
        }
        reasons.sort(Comparator.comparingInt(Reason::nodes).reversed());
        return reasons;
    }

    private Reason reason(Code code, Line line) {
        RequestFormatter asked = new RequestFormatter(demand);
        String words = switch (code) {
            case NODE_SELECTOR -> asked.labels();
            case NODE_TOO_SMALL -> demand.resources().toString();
            default -> asked.gpus();
        };
        List<String> names = line.first.stream().map(NodeState::name).toList();
        return new Reason(code, line.nodes, names, amounts(code, line, asked), facts(code), words);
    }

    private List<String> facts(Code code) {
        return switch (code) {
            case TAINT -> List.copyOf(taints);
            case NODE_MODE -> List.copyOf(modes);
            case NODE_NAME, HOST_PORT, TOPOLOGY_SPREAD, POD_AFFINITY, POD_ANTI_AFFINITY -> rules(code);
            case NODE_TOO_SMALL -> takingNoPods ? List.of("maxPods is 0") : List.of();
            case GPU_TOO_SMALL -> asksPartitionsOnly() ? List.of("the GPUs cannot be cut so") : List.of();
            default -> List.of();
        };
    }

    private boolean asksPartitionsOnly() {
        return demand.gpuContainers().stream()
                .allMatch(container -> container.gpu().takesPartitions());
    }

    private List<String> rules(Code code) {
        RuleSet rules = demand.rules();
        return rules == null ? List.of() : rules.words(code);
    }

    private List<Amount> amounts(Code code, Line line, RequestFormatter asked) {
        long cpuMillis = demand.resources().cpuMillis();
        long memoryMib = demand.resources().memoryMib();
        return switch (code) {
            case CPU -> List.of(line.amount(Quantity.CPU_MILLIS, cpuMillis));
            case MEMORY -> List.of(line.amount(Quantity.MEMORY_MIB, memoryMib));
            case NODE_TOO_SMALL ->
                resources(code)
                        .amounts(
                                line.amount(Quantity.CPU_MILLIS, cpuMillis),
                                line.other(Quantity.MEMORY_MIB, memoryMib));
            case RESOURCE -> resources(code).amounts();
            case TOO_FEW_GPUS, GPU_SELECTOR, GPU_UNHEALTHY, IDLE_GPUS, GPU_LAYOUT, SEARCH_LIMIT, GROUP ->
                List.of(line.amount(Quantity.GPUS, machine.gpusNeeded()));
            case GPU_TOO_SMALL ->
                List.of(
                        line.amount(Quantity.GPU_COMPUTE_MILLIS, asked.computeMillis()),
                        line.other(Quantity.GPU_MEMORY_MIB, asked.memoryMib()));
            case GPU_SHARE -> shares(line, asked);
            case PARTITION -> List.of(line.amount(Quantity.PARTITIONS, PartitionFit.mostAsked(demand)));
            case POD_LIMIT, NOT_EMPTY -> List.of(line.amount(Quantity.PODS, 0));
            default -> List.of();
        };
    }

    /** Compute if compute is asked, and memory if memory is. */
    private static List<Amount> shares(Line line, RequestFormatter asked) {
        List<Amount> amounts = new ArrayList<>();
        if (asked.asksCompute() || !asked.asksMemory()) {
            amounts.add(line.amount(Quantity.GPU_COMPUTE_MILLIS, asked.computeMillis()));
        }
        if (asked.asksMemory()) {
            amounts.add(line.other(Quantity.GPU_MEMORY_MIB, asked.memoryMib()));
        }
        return amounts;
    }
}
