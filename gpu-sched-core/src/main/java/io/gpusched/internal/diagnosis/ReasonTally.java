package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts nodes by what keeps a request away from them, and adds up the amounts that matter for it. Nodes come in node order. */
final class ReasonTally {
    private final PodDemand demand;

    /** The requests of the containers, each of several equal ones once. */
    private final List<GpuRequest> requests;

    private final EnumMap<Code, Line> lines = new EnumMap<>(Code.class);

    /** One reason: its nodes; an amount summed over them and the greatest on one node or GPU; the same of another; facts by words. */
    private static final class Line {
        private final List<NodeState> nodes = new ArrayList<>();
        private final TreeMap<String, Fact> facts = new TreeMap<>();
        private final ResourceTally resources;
        private long sum;
        private long most;
        private long otherSum;
        private long otherMost;
        private long slots;
        private long mostSlots;

        Line(PodDemand demand) {
            resources = new ResourceTally(demand.resources().named());
        }

        void fact(Fact fact) {
            facts.put(fact.toString(), fact);
        }

        void amount(long value) {
            sum += value;
            most = Math.max(most, value);
        }

        void other(long value) {
            otherSum += value;
            otherMost = Math.max(otherMost, value);
        }

        void slots(long value) {
            slots += value;
            mostSlots = Math.max(mostSlots, value);
        }

        Amount amount(Quantity quantity, long asked) {
            return new Amount(quantity, asked, sum, most);
        }

        Amount other(Quantity quantity, long asked) {
            return new Amount(quantity, asked, otherSum, otherMost);
        }
    }

    ReasonTally(NodeReasons filter) {
        this.demand = filter.demand();
        this.requests = demand.gpuContainers().stream().map(Container::gpu).toList();
    }

    /** Counts a node under a reason. */
    void add(Code code, NodeState node) {
        Line line = lines.get(code);
        if (line == null) {
            line = new Line(demand);
            lines.put(code, line);
        }
        line.nodes.add(node);
        switch (code) {
            case CPU -> line.amount(node.freeCpuMillis());
            case MEMORY -> line.amount(node.freeMemoryMib());
            case RESOURCE -> line.resources.add(node.freeNamed());
            case POD_LIMIT, NOT_EMPTY -> line.amount(node.podCount());
            case IDLE_GPUS, SEARCH_LIMIT, GROUP -> line.amount(node.idleGpus());
            case GPU_LAYOUT -> {
                if (asksSharesAlone()) {
                    addShares(line, node);
                } else {
                    line.amount(node.idleGpus());
                }
            }
            case PARTITION -> line.amount(PartitionFit.fewest(demand, node));
            case GPU_SHARE -> addShares(line, node);
            case GPU_UNHEALTHY -> line.amount(unhealthy(node));
            case TAINT -> addTaints(line, node);
            case NODE_MODE -> line.fact(new Fact.Mode(node.node().mode()));
            case TOO_FEW_GPUS -> line.amount(node.gpuCount());
            case GPU_SELECTOR -> addAccepted(line, node);
            case NODE_TOO_SMALL -> addMachine(line, node);
            case GPU_TOO_SMALL -> addGpus(line, node);
            default -> {}
        }
    }

    /** Returns the taints of a node that a pod would have to tolerate. */
    static List<Taint> untolerated(PodDemand demand, NodeState node) {
        List<Taint> taints = new ArrayList<>();
        for (Taint taint : node.node().taints()) {
            if (taint.effect().forbids() && !demand.tolerated().test(taint)) {
                taints.add(taint);
            }
        }
        return taints;
    }

    private void addTaints(Line line, NodeState node) {
        untolerated(demand, node).forEach(taint -> line.fact(new Fact.Tainted(taint)));
    }

    private void addAccepted(Line line, NodeState node) {
        for (GpuRequest request : demand.requests()) {
            line.amount(FitRule.accepted(request, node));
        }
    }

    private static void addMachine(Line line, NodeState node) {
        if (node.node().maxPods() == 0) {
            line.fact(new Fact.NoPods());
            return;
        }
        line.amount(node.capacity().cpuMillis());
        line.other(node.capacity().memoryMib());
        line.resources.add(node.capacity().named());
    }

    private static void addGpus(Line line, NodeState node) {
        for (Gpu gpu : node.node().gpus()) {
            if (!gpu.partitions().isAlwaysCut()) {
                line.amount(gpu.computeMillis());
                line.other(gpu.memoryMib());
            }
        }
    }

    private static void addShares(Line line, NodeState node) {
        for (int g = 0; g < node.gpuCount(); g++) {
            if (!node.node().gpus().get(g).partitions().isAlwaysCut()) {
                line.amount(node.freeComputeMillis(g));
                line.other(node.freeMemoryMib(g));
                line.slots(node.freeSlots(g));
            }
        }
    }

    private boolean asksSharesAlone() {
        return requests.stream().allMatch(GpuRequest.Share.class::isInstance);
    }

    private static int unhealthy(NodeState node) {
        int count = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            count += node.isHealthy(g) ? 0 : 1;
        }
        return count;
    }

    /**
     * Returns the reasons, those with most nodes first.
     *
     * @param rules the counts of the snapshot
     */
    List<Reason> reasons(RuleCounts rules, KnownNames names) {
        List<Reason> reasons = new ArrayList<>();
        lines.forEach((code, line) -> reasons.add(new Reason(
                code,
                line.nodes.stream().map(NodeState::name).toList(),
                amounts(code, line),
                facts(code, line, rules, names),
                requests)));
        reasons.sort(Comparator.comparingInt(Reason::nodes).reversed());
        return reasons;
    }

    private List<Fact> facts(Code code, Line line, RuleCounts counts, KnownNames names) {
        return switch (code) {
            case NODE_NAME, GROUP_LOCALITY, HOST_PORT, TOPOLOGY_SPREAD, POD_AFFINITY, POD_ANTI_AFFINITY -> {
                RuleSet rules = demand.rules();
                List<Fact> facts = new ArrayList<>();
                if (rules != null) {
                    facts.addAll(rules.facts(code, line.nodes, counts));
                }
                if (code == Code.TOPOLOGY_SPREAD || code == Code.POD_AFFINITY) {
                    facts.addAll(names.unknownTopologyKeys(demand.pod()));
                }
                yield facts;
            }
            case NODE_SELECTOR -> {
                List<Fact> facts = new ArrayList<>(names.labels(demand));
                facts.add(0, new Fact.Labels(demand.pod().nodeSelector()));
                yield facts;
            }
            case GPU_SELECTOR -> names.models(demand);
            case GPU_TOO_SMALL ->
                Stream.concat(names.profiles(demand).stream(), names.cannotBeCut(demand, line.nodes).stream())
                        .toList();
            default -> List.copyOf(line.facts.values());
        };
    }

    private List<Amount> amounts(Code code, Line line) {
        long cpuMillis = demand.resources().cpuMillis();
        long memoryMib = demand.resources().memoryMib();
        return switch (code) {
            case CPU -> List.of(line.amount(Quantity.CPU_MILLIS, cpuMillis));
            case MEMORY -> List.of(line.amount(Quantity.MEMORY_MIB, memoryMib));
            case NODE_TOO_SMALL ->
                line.resources.amounts(
                        line.amount(Quantity.CPU_MILLIS, cpuMillis), line.other(Quantity.MEMORY_MIB, memoryMib));
            case RESOURCE -> line.resources.amounts();
            case GPU_LAYOUT ->
                asksSharesAlone() ? shares(line) : List.of(line.amount(Quantity.GPUS, demand.gpusNeeded()));
            case TOO_FEW_GPUS, GPU_SELECTOR, GPU_UNHEALTHY, IDLE_GPUS, SEARCH_LIMIT, GROUP ->
                List.of(line.amount(Quantity.GPUS, demand.gpusNeeded()));
            case GPU_TOO_SMALL -> List.of(compute(line), memory(line));
            case GPU_SHARE -> shares(line);
            case PARTITION -> List.of(line.amount(Quantity.PARTITIONS, PartitionFit.mostAsked(demand)));
            case POD_LIMIT, NOT_EMPTY -> List.of(line.amount(Quantity.PODS, 0));
            default -> List.of();
        };
    }

    private Stream<GpuRequest.Share> shares() {
        return requests.stream().filter(GpuRequest.Share.class::isInstance).map(GpuRequest.Share.class::cast);
    }

    /** Compute if compute is asked, and memory if memory is; slots where they are too few or all that is asked. */
    private List<Amount> shares(Line line) {
        boolean asksMemory = shares().anyMatch(ReasonTally::asksMemory);
        boolean asksCompute = shares().anyMatch(share -> share.computeMillis() > 0);
        long slots = shares().mapToLong(GpuRequest.Share::slots).max().orElse(0);
        List<Amount> amounts = new ArrayList<>();
        if (asksCompute) {
            amounts.add(compute(line));
        }
        if (asksMemory) {
            amounts.add(memory(line));
        }
        if (amounts.isEmpty() || line.mostSlots < slots) {
            amounts.add(new Amount(Quantity.GPU_SLOTS, slots, line.slots, line.mostSlots));
        }
        return amounts;
    }

    /** Whether memory is asked for, and not just as the same percentage as the compute. */
    private static boolean asksMemory(GpuRequest.Share share) {
        return share.memory() instanceof GpuMemory.Percent percent
                ? 10 * percent.percent() != share.computeMillis()
                : share.memory().on(0) > 0;
    }

    private Amount compute(Line line) {
        long most = shares().mapToLong(GpuRequest.Share::computeMillis).max().orElse(0);
        return line.amount(Quantity.GPU_COMPUTE_MILLIS, most);
    }

    /** The most memory of one GPU that is asked for; 0 where that depends on the GPU. */
    private Amount memory(Line line) {
        long most = shares().mapToLong(share -> share.memory().on(0)).max().orElse(0);
        return line.other(Quantity.GPU_MEMORY_MIB, most);
    }
}
