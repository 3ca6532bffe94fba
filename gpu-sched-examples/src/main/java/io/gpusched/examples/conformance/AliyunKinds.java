package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.AliyunGpuShareDialect;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of Aliyun gpushare's cases. */
final class AliyunKinds {
    private static final String SYSTEM = "aliyun-gpushare";
    private static final AliyunGpuShareDialect DIALECT = AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.MIB);

    private AliyunKinds() {}

    static List<VectorKind> all() {
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
        String who = vector.expect().at("decidedBy").textOr("");
        if (!who.isEmpty()) {
            answer.put("decidedBy", decidedBy(node, asked, fits, who));
        }
        return answer;
    }

    /** kube-scheduler refuses what exceeds the sum over the node's GPUs, the extender what no single GPU holds. */
    private static String decidedBy(NodeState node, long asked, boolean fits, String expected) {
        long free = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            free += node.freeMemoryMib(g);
        }
        if (fits) {
            return "accept";
        }
        boolean byDefault = asked > free;
        boolean extenderNamed = expected.startsWith("reject") && !expected.contains("default");
        return byDefault ? "reject-by-default-scheduler" : extenderNamed ? expected : "reject-by-extender";
    }

    /** The pod's demand: said as such, or as that of its containers. */
    private static long asked(Field request) {
        Field pod = request.at("pod").isPresent() ? request.at("pod") : request;
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
        placed.flatMap(AliyunGpuShareDialect::gpu).ifPresent(gpu -> answer.put("gpu", gpu));
        return answer;
    }

    private static JsonNode parse(VectorCase vector) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (Field container : vector.request().need("containers").list()) {
            Map<String, String> limits = texts(container.at("limits"));
            containers.add(ContainerManifest.limits("c" + containers.size(), limits));
        }
        long memory = AliyunGpuShareDialect.podMemory(containers).orElse(0L);
        return Answers.object().put("podMem", memory);
    }

    static Map<String, String> texts(Field map) {
        return map.members().entrySet().stream()
                .collect(java.util.stream.Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().scalar()));
    }

    private static JsonNode capacity(VectorCase vector) {
        NodeManifest manifest =
                NodeManifest.of("node", Map.of(), texts(vector.given().need("allocatable")));
        Field real = vector.given().at("realMem");
        Node node = real.isPresent()
                ? DIALECT.node(manifest, real.list().stream().map(Field::number).toList())
                : DIALECT.node(manifest);
        List<Long> each =
                node.gpus().stream().map(gpu -> gpu.memoryMib()).distinct().toList();
        ObjectNode answer = Answers.object();
        if (each.size() == 1) {
            return answer.put("modelledMemPerGpu", each.get(0));
        }
        ArrayNode list = answer.putArray("modelledMemPerGpu");
        node.gpus().forEach(gpu -> list.add(gpu.memoryMib()));
        return answer;
    }

    private static JsonNode usage(VectorCase vector) {
        long used = 0;
        long total = 0;
        for (Field machine : vector.given().need("nodes").list()) {
            List<Rig.Device> devices = new ArrayList<>();
            for (Field gpu : machine.need("gpus").list()) {
                devices.add(new Rig.Device(
                        gpu.need("memTotal").number(), 0, gpu.need("memUsed").number(), true));
            }
            NodeState node = Rig.node("node", devices);
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
        for (Field pod : vector.request().need("pods").list()) {
            Optional<Placement> placed =
                    place(node, pod("pod-" + number++, pod.need("mem").number()));
            if (placed.isPresent()) {
                node = node.with(placed.get());
                gpus.add(AliyunGpuShareDialect.gpu(placed.get()).orElseThrow());
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

    static NodeState node(VectorCase vector) {
        List<Field> gpus = vector.given().need("gpus").list();
        gpus.forEach(gpu -> gpu.need("memTotal"));
        return Rig.node("node", gpus.stream().map(CoreMemoryRig::device).toList());
    }

    static PodManifest pod(String name, long memory) {
        Map<String, String> limits = Map.of(AliyunGpuShareDialect.MEMORY, "" + memory);
        return PodManifest.of(name, List.of(ContainerManifest.limits("main", limits)));
    }

    static Optional<Placement> place(NodeState node, PodManifest pod) {
        try {
            return DIALECT.rule().place(node, DIALECT.pod(pod));
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }
}
