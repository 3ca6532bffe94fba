package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.cli.TextTable;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.PodSpec;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-sched who}: how many GPUs pods hold and wait for, by owner. */
@Command(
        name = "who",
        description =
                "Sums the GPUs that pods hold and request, by namespace, owner, queue or model of the GPUs. A GPU counts"
                        + " as held if a pod holds any part of it; partitions count as the GPUs that they are of.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:answered", "2:bad input"})
public final class WhoCommand extends LookCommand {
    private static final List<String> QUEUES = List.of(
            "kueue.x-k8s.io/queue-name",
            "kai.scheduler/queue",
            "runai/queue",
            "gpu-sched.io/queue",
            "volcano.sh/queue-name");
    private static final String VOLCANO_QUEUE = "scheduling.volcano.sh/queue-name";
    private static final String ANY = "(any)";

    /** What the sums are by. */
    enum By {
        /** The pod's namespace. */
        NAMESPACE,
        /** What made the pod. */
        OWNER,
        /** The queue that it names. */
        QUEUE,
        /** The model of the GPUs. */
        MODEL
    }

    /** What one of them has. */
    private static final class Sum {
        int pods;
        /** GPUs by node and index. */
        final Set<String> held = new HashSet<>();

        /** Of nodes whose partitions are not told apart by GPU, what is held of their compute. */
        final Map<NodeState, Long> cut = new HashMap<>();

        long usedMillis;
        long waiting;
        int waitingPods;

        /** Of GPUs that are not told apart, as few as have the compute that is held. */
        int gpus() {
            return held.size()
                    + cut.entrySet().stream()
                            .mapToInt(entry -> (int) Math.min(
                                    SeenCluster.gpus(entry.getKey())
                                            - entry.getKey().gpuCount()
                                            + 1,
                                    (entry.getValue() + 999) / 1_000))
                            .sum();
        }
    }

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            description = "What the sums are by: ${COMPLETION-CANDIDATES} (default: namespace).")
    private By by = By.NAMESPACE;

    /** For the command line. */
    public WhoCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        Map<String, Sum> sums = new TreeMap<>();
        for (NodeState node : seen.cluster().nodes()) {
            for (Placement placement : node.placements()) {
                if (Held.any(placement)) {
                    Optional<Pod> pod = seen.pod(placement.pod());
                    String name = by == By.MODEL
                            ? node.node().gpus().get(0).model().name()
                            : pod.map(this::name).orElse("");
                    add(sums.computeIfAbsent(name, any -> new Sum()), placement, node);
                }
            }
        }
        Shape.waiting(seen).forEach((spec, pods) -> {
            long gpus =
                    spec.containers().stream().mapToLong(WhoCommand::asked).sum() + (parts(seen, spec) + 999) / 1_000;
            for (Pod pod : pods) {
                Sum sum = sums.computeIfAbsent(by == By.MODEL ? model(pod) : name(pod), any -> new Sum());
                sum.waiting += gpus;
                sum.waitingPods++;
            }
        });
        print(sums, out, answer.putArray("sums"));
        answer.put("by", by.name().toLowerCase(Locale.ROOT));
        return 0;
    }

    private void print(Map<String, Sum> sums, PrintWriter out, ArrayNode array) {
        TextTable table = new TextTable(
                1, by.name().toLowerCase(Locale.ROOT), "pods", "GPUs held", "GPUs used", "pods pending", "GPUs asked");
        sums.entrySet().stream()
                .sorted(Map.Entry.<String, Sum>comparingByValue(Comparator.comparingLong(sum -> -sum.usedMillis))
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> {
                    Sum sum = entry.getValue();
                    String used = sum.usedMillis / 1_000 + "." + sum.usedMillis % 1_000 / 100;
                    table.row(
                            entry.getKey(),
                            String.valueOf(sum.pods),
                            String.valueOf(sum.gpus()),
                            used,
                            String.valueOf(sum.waitingPods),
                            String.valueOf(sum.waiting));
                    array.addObject()
                            .put("name", entry.getKey())
                            .put("pods", sum.pods)
                            .put("gpusHeld", sum.gpus())
                            .put("usedMillis", sum.usedMillis)
                            .put("podsPending", sum.waitingPods)
                            .put("gpusAsked", sum.waiting);
                });
        out.print(table);
    }

    /** Of a shared GPU the larger of its compute and memory counts as used, or its slots where it has nothing else. */
    private static void add(Sum sum, Placement placement, NodeState node) {
        sum.pods++;
        for (ContainerGrant grant : placement.containers()) {
            grant.gpus().indexes().stream()
                    .filter(gpu -> !node.node().gpus().get(gpu).partitions().isAlwaysCut())
                    .forEach(gpu -> sum.held.add(node.name() + "/" + gpu));
            if (grant.gpus() instanceof GpuGrant.Whole whole) {
                sum.usedMillis += 1_000L * whole.gpus().size();
            } else if (grant.gpus() instanceof GpuGrant.WholeNode) {
                sum.usedMillis += 1_000L * node.gpuCount();
            } else if (grant.gpus() instanceof GpuGrant.Shared shared) {
                shared.shares()
                        .forEach(share ->
                                sum.usedMillis += part(share, node.node().gpus().get(share.gpu())));
            } else if (grant.gpus() instanceof GpuGrant.Partitions cut) {
                for (GpuPartition one : cut.partitions()) {
                    Gpu gpu = node.node().gpus().get(one.gpu());
                    long compute = compute(gpu, one.profile());
                    sum.usedMillis += compute;
                    if (gpu.partitions().isAlwaysCut()) {
                        sum.cut.merge(node, compute, Long::sum);
                    }
                }
            }
        }
    }

    private static long part(GpuShare share, Gpu gpu) {
        long compute = 1_000L * share.computeMillis() / gpu.computeMillis();
        long memory = gpu.memoryMib() == 0 ? 0 : 1_000L * share.memoryMib() / gpu.memoryMib();
        return Math.max(compute, memory) > 0 ? Math.max(compute, memory) : 1_000L * share.slots() / gpu.slots();
    }

    private static int asked(Container container) {
        GpuRequest request = container.gpu() instanceof GpuRequest.FirstOf any
                ? any.alternatives().get(0)
                : container.gpu();
        return request instanceof GpuRequest.Partition
                ? 0
                : request instanceof GpuRequest.WholeNode ? 1 : request.count();
    }

    /** The compute of the partitions that a pod asks for, where some node offers them: of eight eighths of a GPU 1,000. */
    private static long parts(SeenCluster seen, PodSpec spec) {
        return spec.containers().stream()
                .filter(container -> container.gpu() instanceof GpuRequest.Partition)
                .mapToLong(container -> {
                    GpuRequest.Partition part = (GpuRequest.Partition) container.gpu();
                    long compute = seen.cluster().nodes().stream()
                            .flatMap(node -> node.node().gpus().stream())
                            .mapToLong(gpu -> compute(gpu, part.profile()))
                            .max()
                            .orElse(0);
                    return part.instances() * (compute == 0 ? 1_000 : compute);
                })
                .sum();
    }

    private static long compute(Gpu gpu, String profile) {
        return gpu.partitions().profiles().stream()
                .filter(one -> one.name().equals(profile))
                .mapToLong(PartitionProfile::computeMillis)
                .max()
                .orElse(0);
    }

    private String name(Pod pod) {
        return switch (by) {
            case OWNER -> pod.getMetadata().getNamespace() + "/" + owner(pod);
            case QUEUE -> queue(pod);
            default -> pod.getMetadata().getNamespace();
        };
    }

    /** A ReplicaSet of a Deployment is called after the Deployment. */
    private static String owner(Pod pod) {
        Map<String, String> labels =
                Optional.ofNullable(pod.getMetadata().getLabels()).orElse(Map.of());
        String hash = labels.getOrDefault("pod-template-hash", "");
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst()
                .map(owner -> called(owner, hash))
                .orElse(pod.getMetadata().getName());
    }

    private static String called(OwnerReference owner, String hash) {
        return !hash.isEmpty() && owner.getName().endsWith("-" + hash)
                ? "Deployment/" + owner.getName().substring(0, owner.getName().length() - hash.length() - 1)
                : owner.getKind() + "/" + owner.getName();
    }

    private static String queue(Pod pod) {
        Map<String, String> labels =
                Optional.ofNullable(pod.getMetadata().getLabels()).orElse(Map.of());
        Map<String, String> annotations =
                Optional.ofNullable(pod.getMetadata().getAnnotations()).orElse(Map.of());
        return QUEUES.stream()
                .map(labels::get)
                .filter(name -> name != null)
                .findFirst()
                .orElse(annotations.getOrDefault(VOLCANO_QUEUE, "(none)"));
    }

    private static String model(Pod pod) {
        Map<String, String> selector =
                Optional.ofNullable(pod.getSpec().getNodeSelector()).orElse(Map.of());
        return selector.entrySet().stream()
                .filter(label -> label.getKey().matches(".*(product|accelerator|gpu-name|gpu-model).*"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(ANY);
    }
}
