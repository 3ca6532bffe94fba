package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Reason;
import io.gpusched.internal.fit.MachineExam;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Adds up, reason by reason, how many nodes it keeps away and the amounts that matter for it. */
public final class ReasonTally {
    private final MachineExam machine;
    private final PodDemand demand;
    private final EnumMap<Code, Line> lines = new EnumMap<>(Code.class);
    private final TreeSet<String> taints = new TreeSet<>();
    private final TreeSet<String> modes = new TreeSet<>();

    /** One reason: its nodes; an amount summed over them and the greatest on one node or GPU; the same of another. */
    private static final class Line {
        private int nodes;
        private long sum;
        private long most;
        private long otherSum;
        private long otherMost;

        void amount(long value) {
            sum += value;
            most = Math.max(most, value);
        }

        void other(long value) {
            otherSum += value;
            otherMost = Math.max(otherMost, value);
        }
    }

    public ReasonTally(NodeExam exam) {
        this.machine = exam.machine();
        this.demand = exam.demand();
        for (Code code : Code.values()) {
            lines.put(code, new Line());
        }
    }

    /** Counts a whole class under a reason that does not depend on what runs. */
    public void add(Code code, NodeClass nodeClass) {
        Line line = line(code);
        line.nodes += nodeClass.size();
        addMachine(
                code,
                line,
                nodeClass,
                nodeClass.gpus(),
                nodeClass.capacity().cpuMillis(),
                nodeClass.capacity().memoryMib());
    }

    /** Counts a node under a reason. */
    public void add(Code code, NodeState node) {
        Line line = line(code);
        line.nodes++;
        switch (code) {
            case CPU -> line.amount(node.freeCpuMillis());
            case MEMORY -> line.amount(node.freeMemoryMib());
            case POD_LIMIT, NOT_EMPTY -> line.amount(node.podCount());
            case IDLE_GPUS, GPU_LAYOUT, SEARCH_LIMIT, GROUP -> line.amount(node.idleGpus());
            case GPU_SHARE -> addShares(line, node);
            case GPU_UNHEALTHY -> line.amount(unhealthy(node));
            case CORDONED, HELD_WHOLE -> {}
            default ->
                addMachine(
                        code,
                        line,
                        node.nodeClass(),
                        node.node().gpus(),
                        node.node().capacity().cpuMillis(),
                        node.node().capacity().memoryMib());
        }
    }

    private void addMachine(Code code, Line line, NodeClass nodeClass, List<Gpu> gpus, long cpuMillis, long memoryMib) {
        switch (code) {
            case TAINT -> Remedies.untolerated(demand.pod(), nodeClass).forEach(taints::add);
            case NODE_MODE -> modes.add(nodeClass.mode().toString());
            case TOO_FEW_GPUS -> line.amount(gpus.size());
            case GPU_SELECTOR ->
                demand.gpuContainers().forEach(container -> line.amount(machine.countAccepted(container.gpu(), gpus)));
            case NODE_TOO_SMALL -> {
                line.amount(cpuMillis);
                line.other(memoryMib);
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

    private Line line(Code code) {
        return Objects.requireNonNull(lines.get(code), "every code has a line");
    }

    public int nodes(Code code) {
        return line(code).nodes;
    }

    /** Whether any node is kept away by something that may go away. */
    public boolean hasTransient() {
        for (Code code : Code.values()) {
            if (code.isTransient() && nodes(code) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the reasons, those with most nodes first. */
    public List<Reason> reasons() {
        List<Reason> reasons = new ArrayList<>();
        for (Code code : Code.values()) {
            if (nodes(code) > 0) {
                reasons.add(new Reason(code, nodes(code), detail(code)));
            }
        }
        reasons.sort(Comparator.comparingInt(Reason::nodes).reversed());
        return reasons;
    }

    private String detail(Code code) {
        Line line = line(code);
        Asked asked = new Asked(demand);
        return switch (code) {
            case NODE_SELECTOR -> "labels not accepted, asked " + asked.labels();
            case TAINT -> "taint not tolerated: " + String.join(", ", taints);
            case NODE_MODE -> "mode " + String.join(" or ", modes) + ", asked " + asked.gpus();
            case TOO_FEW_GPUS ->
                "at most " + Asked.count(line.most, "GPU") + " on one node, asked " + machine.gpusNeeded();
            case GPU_SELECTOR ->
                "at most " + Asked.count(line.most, "accepted GPU") + " on one node, asked " + asked.gpus();
            case NODE_TOO_SMALL ->
                "at most " + line.most + "m CPU and " + line.otherMost
                        + " MiB of memory on one node and at least one pod, asked " + demand.resources();
            case GPU_TOO_SMALL ->
                "at most " + Asked.gpus(line.most) + " and " + line.otherMost
                        + " MiB of GPU memory on one GPU, not enough even with nothing running, asked " + asked.gpus();
            case CORDONED -> "cordoned";
            case GPU_UNHEALTHY -> Asked.count(line.sum, "unhealthy GPU") + ", too few others, asked " + asked.gpus();
            case HELD_WHOLE -> "held as a whole by another pod";
            case POD_LIMIT -> Asked.count(line.sum, "pod") + " in total, as many as the nodes take";
            case NOT_EMPTY -> Asked.count(line.sum, "pod") + " in total run there, asked the whole node";
            case CPU ->
                line.sum + "m CPU free in total, at most " + line.most + "m on one node, asked "
                        + demand.resources().cpuMillis() + "m";
            case MEMORY ->
                line.sum + " MiB of memory free in total, at most " + line.most + " MiB on one node, asked "
                        + demand.resources().memoryMib() + " MiB";
            case IDLE_GPUS ->
                Asked.count(line.sum, "GPU") + " idle in total, at most " + line.most + " on one node, asked "
                        + asked.gpus();
            case GPU_SHARE -> asked.freeShares(line.sum, line.most, line.otherSum, line.otherMost);
            case GPU_LAYOUT ->
                "the containers cannot be laid out together; " + Asked.count(line.sum, "GPU")
                        + " idle in total, at most " + line.most + " on one node, asked " + asked.gpus();
            case SEARCH_LIMIT ->
                "the search gave up; " + Asked.count(line.sum, "GPU") + " idle in total, asked " + asked.gpus();
            case GROUP ->
                "a member alone would fit, " + Asked.count(line.sum, "GPU") + " idle in total, at most " + line.most
                        + " on one node";
        };
    }
}
