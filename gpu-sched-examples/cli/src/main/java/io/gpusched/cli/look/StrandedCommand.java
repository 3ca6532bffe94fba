package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.Headroom;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;

/** {@code gpu-sched stranded}: idle GPUs that no pod takes. */
@Command(
        name = "stranded",
        description =
                "Says which idle GPUs no pod can take, neither a pending pod nor one like the running pods, and why.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:no idle GPU is stranded", "1:some are", "2:bad input"})
public final class StrandedCommand extends LookCommand {
    /** For the command line. */
    public StrandedCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        Map<PodSpec, List<PodId>> shapes = Shape.asked(seen);
        if (shapes.isEmpty()) {
            shapes.put(Shape.bare(seen, GpuRequest.exclusive(1), NodeSelector.ANY), List.of());
        }
        Cluster cluster = seen.cluster();
        Set<String> served = new HashSet<>();
        shapes.keySet()
                .forEach(spec -> served.addAll(Headroom.of(cluster, new Pod(PodId.of("shape"), spec))
                        .byNode()
                        .keySet()));
        ArrayNode array = answer.putArray("nodes");
        int stranded = 0;
        int nodes = 0;
        for (NodeState node : cluster.nodes()) {
            int idle = idle(node);
            if (idle > 0 && !served.contains(node.name())) {
                stranded += idle;
                nodes++;
                String why = why(seen, node, shapes);
                out.println("  " + node.name() + "  " + Held.gpus(idle) + ": " + why);
                array.addObject().put("name", node.name()).put("gpus", idle).put("reason", why);
            }
        }
        answer.put("gpus", stranded);
        out.println(
                stranded == 0
                        ? "no idle GPU is stranded"
                        : Held.gpus(stranded) + " on " + nodes + (nodes == 1 ? " node: " : " nodes: ") + asked(shapes));
        return stranded == 0 ? 0 : 1;
    }

    private static String asked(Map<PodSpec, List<PodId>> shapes) {
        int pods = shapes.values().stream().mapToInt(List::size).sum();
        return pods == 0
                ? "no pod that asks for one GPU and nothing else would fit"
                : pods == 1
                        ? "the 1 pod that holds or requests GPUs would not fit, nor would a copy of it"
                        : "none of the " + pods + " pods that hold or request GPUs would fit, nor would a copy of one";
    }

    private static int idle(NodeState node) {
        return (int) IntStream.range(0, node.gpuCount())
                .filter(gpu -> node.isHealthy(gpu) && node.isIdle(gpu))
                .count();
    }

    /** Marks first; else what stands in the way of the pod that asks for least of what the node gives out. */
    private static String why(SeenCluster seen, NodeState node, Map<PodSpec, List<PodId>> shapes) {
        List<String> marks = SeenCluster.marks(node);
        if (!marks.isEmpty()) {
            return "the node is " + String.join(", ", marks);
        }
        List<PodSpec> asked = shapes.keySet().stream()
                .filter(spec -> Shape.isOfSystem(spec, node) && (Shape.asksForGpus(spec) || hasAll(spec, node)))
                .sorted(Comparator.comparingInt(StrandedCommand::gpus)
                        .thenComparingLong(spec -> spec.resources().cpuMillis())
                        .thenComparingLong(spec -> spec.resources().memoryMib()))
                .toList();
        if (asked.isEmpty()) {
            return "no pod requests its GPUs";
        }
        List<Pod> pods = new ArrayList<>();
        asked.forEach(spec -> pods.add(new Pod(PodId.of("shape"), spec)));
        // what others select says nothing of this node: would it do for the least of them without its labels?
        pods.add(anywhere(asked.get(0)));
        for (Pod pod : pods) {
            Optional<Diagnosis> refusal = GpuScheduler.create().whyNot(seen.cluster(), node.name(), pod);
            if (refusal.filter(why -> why.reasons().get(0).code() != Reason.Code.NODE_SELECTOR)
                    .isPresent()) {
                return reason(refusal.get(), seen);
            }
        }
        return "no pod that requests such GPUs selects this node";
    }

    /** Whether a node has some of each device that is counted by name and asked for: others are another system's. */
    private static boolean hasAll(PodSpec spec, NodeState node) {
        return spec.resources().named().names().stream()
                .allMatch(name -> node.node().capacity().named().amount(name) > 0);
    }

    private static String reason(Diagnosis refusal, SeenCluster seen) {
        return PlainWords.of(refusal.toString(), seen)
                .lines()
                .skip(1)
                .findFirst()
                .orElse("")
                .strip()
                .replaceFirst("^1 node: ", "");
    }

    private static Pod anywhere(PodSpec spec) {
        Pod pod = new Pod(PodId.of("shape"), spec);
        return new Pod(pod.id(), pod.containers(), NodeSelector.ANY, pod.tolerations(), pod.overhead());
    }

    private static int gpus(PodSpec spec) {
        return spec.containers().stream()
                .map(Container::gpu)
                .filter(gpu -> !gpu.isNone())
                .mapToInt(gpu -> gpu.alternatives().get(0).count())
                .sum();
    }
}
