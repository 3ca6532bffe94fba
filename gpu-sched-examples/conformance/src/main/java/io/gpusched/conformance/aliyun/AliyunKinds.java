package io.gpusched.conformance.aliyun;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.CoreMemoryFixture;
import io.gpusched.conformance.JsonDiff;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of Aliyun gpushare's cases. */
public final class AliyunKinds {
    private static final String SYSTEM = "aliyun-gpushare";
    private static final AliyunGpuShareDialect DIALECT = AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.MIB);

    private AliyunKinds() {}

    public static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "fits", AliyunKinds::fits),
                VectorKind.comparing(SYSTEM, "choose-per-pod", AliyunKinds::choose),
                VectorKind.comparing(SYSTEM, "request-parse", AliyunKinds::parse),
                VectorKind.comparing(SYSTEM, "capacity", AliyunKinds::capacity),
                VectorKind.comparing(SYSTEM, "usage-report", AliyunKinds::usage),
                VectorKind.comparing(SYSTEM, "sequence", AliyunKinds::sequence),
                VectorKind.of(SYSTEM, "bind-output", AliyunBindOutput::run),
                VectorKind.of(SYSTEM, "runtime-env", AliyunBindOutput::run));
    }

    private static JsonNode fits(VectorCase vector) {
        NodeState node = node(vector);
        long asked = asked(vector.request());
        boolean fits = place(node, pod("pod", asked)).isPresent();
        ObjectNode answer = Answers.fits(fits);
        YamlNode who = vector.expect().at("decidedBy");
        Decider decider = decider(node, asked, fits);
        if (who.isPresent()) {
            answer.put("decidedBy", Decider.of(who) == decider ? who.text() : decider.toString());
        }
        return answer;
    }

    /** Who decides about a pod on a node; cases name the last two in words of their own. */
    private enum Decider {
        ACCEPTED,
        DEFAULT_SCHEDULER,
        EXTENDER;

        static Decider of(YamlNode word) {
            if (word.text().equals("accept")) {
                return ACCEPTED;
            }
            if (word.text().contains("default")) {
                return DEFAULT_SCHEDULER;
            }
            if (word.text().contains("extender")) {
                return EXTENDER;
            }
            throw word.error("must be accept, or name the default scheduler or the extender");
        }
    }

    /** kube-scheduler refuses what exceeds the sum over the node's GPUs, the extender what no single GPU holds. */
    private static Decider decider(NodeState node, long asked, boolean fits) {
        long free = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            free += node.freeMemoryMib(g);
        }
        return fits ? Decider.ACCEPTED : asked > free ? Decider.DEFAULT_SCHEDULER : Decider.EXTENDER;
    }

    /** The pod's demand: said as such, or as that of its containers. */
    private static long asked(YamlNode request) {
        YamlNode pod = request.at("pod").isPresent() ? request.at("pod") : request;
        if (pod.at("mem").isPresent() || !pod.at("containers").isPresent()) {
            return pod.need("mem").number();
        }
        return pod.at("containers").list().stream()
                .mapToLong(container -> container.at("mem").numberOr(0))
                .sum();
    }

    private static JsonNode choose(VectorCase vector) {
        long asked = asked(vector.request());
        Optional<Placement> placed = place(node(vector), pod("pod", asked));
        ObjectNode answer = Answers.fits(placed.isPresent());
        placed.ifPresent(placement -> answer.put("gpu", placement.gpus().get(0)));
        return answer;
    }

    private static JsonNode parse(VectorCase vector) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (YamlNode container : vector.request().need("containers").list()) {
            Map<String, String> limits = new HashMap<>(container.at("limits").texts());
            limits.remove(AliyunGpuShareDialect.MEMORY, "0"); // the dialect refuses it, the sum only counts it
            containers.add(ContainerManifest.limits("c" + containers.size(), limits));
        }
        return Answers.object().put("podMem", podMemory(DIALECT.pod(PodManifest.of("pod", containers))));
    }

    /** What the pod asks of one GPU, all its containers together. */
    private static long podMemory(Pod pod) {
        return pod.containers().stream()
                .map(Container::gpu)
                .filter(GpuRequest.Share.class::isInstance)
                .mapToLong(share -> ((GpuRequest.Share) share).memory().on(0))
                .sum();
    }

    private static JsonNode capacity(VectorCase vector) {
        NodeManifest manifest = NodeManifest.of(
                "node", Map.of(), vector.given().need("allocatable").texts());
        YamlNode real = vector.given().at("realMem");
        Node node = real.isPresent()
                ? DIALECT.node(
                        manifest, real.list().stream().map(YamlNode::number).toList())
                : DIALECT.node(manifest);
        List<Long> each =
                node.gpus().stream().map(gpu -> gpu.memoryMib()).distinct().toList();
        ObjectNode answer = Answers.object();
        if (each.size() == 1) {
            return answer.put("modelledMemPerGpu", each.get(0));
        }
        ArrayNode list = answer.putArray("modelledMemPerGpu");
        node.gpus().forEach(gpu -> list.add(gpu.memoryMib()));
        boolean isReal = JsonDiff.compare(JsonValues.of(real), list).isEmpty();
        return isReal ? Answers.departing(answer, "each GPU with its own memory, " + list) : answer;
    }

    private static JsonNode usage(VectorCase vector) {
        long used = 0;
        long total = 0;
        for (YamlNode machine : vector.given().need("nodes").list()) {
            List<NodeFixture.Device> devices = new ArrayList<>();
            for (YamlNode gpu : machine.need("gpus").list()) {
                devices.add(new NodeFixture.Device(
                        gpu.need("memTotal").number(), 0, gpu.need("memUsed").number(), true));
            }
            NodeState node = NodeFixture.node("node", devices);
            for (int g = 0; g < node.gpuCount(); g++) {
                total += node.node().gpus().get(g).memoryMib();
                used += node.node().gpus().get(g).memoryMib() - node.freeMemoryMib(g);
            }
        }
        return Answers.object()
                .put("allocated", used)
                .put("total", total)
                .put("percent", total == 0 ? 0 : 100 * used / total);
    }

    private static JsonNode sequence(VectorCase vector) {
        NodeState node = node(vector);
        ObjectNode answer = Answers.object();
        ArrayNode gpus = answer.putArray("gpus");
        int number = 0;
        for (YamlNode pod : vector.request().need("pods").list()) {
            Optional<Placement> placed =
                    place(node, pod("pod-" + number++, pod.need("mem").number()));
            if (placed.isPresent()) {
                node = node.with(placed.get());
                gpus.add(placed.get().gpus().get(0));
            } else {
                gpus.addNull();
            }
        }
        ArrayNode free = answer.putArray("freeAfter");
        for (int g = 0; g < node.gpuCount(); g++) {
            free.add(node.freeMemoryMib(g));
        }
        return answer;
    }

    public static NodeState node(VectorCase vector) {
        List<YamlNode> gpus = vector.given().need("gpus").list();
        gpus.forEach(gpu -> gpu.need("memTotal"));
        return NodeFixture.node(
                "node", gpus.stream().map(CoreMemoryFixture::device).toList());
    }

    public static PodManifest pod(String name, long memory) {
        Map<String, String> limits = Map.of(AliyunGpuShareDialect.MEMORY, "" + memory);
        return PodManifest.of(name, List.of(ContainerManifest.limits("main", limits)));
    }

    public static Optional<Placement> place(NodeState node, PodManifest pod) {
        try {
            return NodeFixture.place(DIALECT, node, pod);
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }
}
