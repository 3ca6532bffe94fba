package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NanoGpuDialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The kinds of nano-gpu's cases. */
final class NanoGpuKinds {
    private static final String SYSTEM = "nano-gpu";

    private NanoGpuKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "choose-per-container", NanoGpuKinds::choose),
                VectorKind.comparing(SYSTEM, "fits", NanoGpuKinds::fits),
                VectorKind.comparing(SYSTEM, "node-score", NanoGpuKinds::nodeScore),
                VectorKind.comparing(SYSTEM, "gpu-order", NanoGpuKinds::gpuOrder),
                VectorKind.of(SYSTEM, "node-order", NanoGpuKinds::nodeOrder));
    }

    private static JsonNode choose(VectorCase vector) {
        NanoGpuDialect dialect = dialect(vector);
        try {
            Pod pod = dialect.pod(pod(vector));
            Optional<Placement> placed =
                    dialect.rule().place(percentNode(vector.given().need("gpus")), pod);
            return placed.map(placement -> {
                        ObjectNode answer = Answers.fits(true);
                        answer.set("gpuPerContainer", Answers.gpuPerContainer(placement));
                        return answer;
                    })
                    .orElseGet(() -> failure(dialect, vector, pod));
        } catch (RefusedException e) {
            return Answers.refused(e.rule()).put("failure", "no assignment of containers to single GPUs");
        }
    }

    private static ObjectNode failure(NanoGpuDialect dialect, VectorCase vector, Pod pod) {
        NodeState node = percentNode(vector.given().need("gpus"));
        return Answers.fits(false).put("failure", dialect.refusal(node, pod));
    }

    private static JsonNode fits(VectorCase vector) {
        List<Field> gpus = vector.given().need("gpus").list();
        if (!gpus.isEmpty() && gpus.get(0).has("coreFree")) {
            return Answers.fits(coreMemoryFits(vector, gpus));
        }
        return choose(vector);
    }

    /** The first version of nano-gpu asked for core and memory. */
    private static boolean coreMemoryFits(VectorCase vector, List<Field> gpus) {
        NodeState node =
                Rig.node("node", gpus.stream().map(CoreMemoryRig::device).toList());
        List<Container> containers = new ArrayList<>();
        for (Field container : vector.request().need("containers").list()) {
            int core = container.at("core").integerOr(0);
            long memory = container.at("mem").numberOr(0);
            if (core > 100) {
                return false;
            }
            GpuRequest request =
                    core == 0 && memory == 0 ? GpuRequest.none() : GpuRequest.share(10 * core, GpuMemory.mib(memory));
            containers.add(Container.of("c" + containers.size(), Resources.NONE, request));
        }
        Pod.Builder pod = Pod.builder("pod");
        containers.forEach(pod::container);
        return GpuScheduler.create().place(node, pod.build()).isPresent();
    }

    private static JsonNode nodeScore(VectorCase vector) {
        NodeState node = percentNode(vector.given().need("gpus"));
        return Answers.object().put("score", dialect(vector).nodeScore(node));
    }

    private static JsonNode gpuOrder(VectorCase vector) {
        NodeState node = percentNode(vector.given().need("gpus"));
        Comparator<Integer> order =
                NanoGpuDialect.of(NanoGpuDialect.Policy.BINPACK).rule().gpus().on(node, GpuRequest.none());
        List<Integer> sorted =
                IntStream.range(0, node.gpuCount()).boxed().sorted(order).toList();
        ObjectNode answer = Answers.object();
        answer.set("orderOfIndices", Answers.numbers(sorted));
        return answer;
    }

    private static Outcome nodeOrder(VectorCase vector) {
        Field nodes = vector.given().need("nodes");
        NanoGpuDialect dialect = dialect(vector);
        long a = dialect.nodeScore(percents(nodes.need("a")));
        long b = dialect.nodeScore(percents(nodes.need("b")));
        Field relation = vector.expect().need("relation");
        boolean holds = switch (relation.text().replace("==", "=")) {
            case "a<b" -> a < b;
            case "a>b" -> a > b;
            case "a<=b" -> a <= b;
            case "a>=b" -> a >= b;
            case "a=b" -> a == b;
            default -> throw relation.malformed("must be a<b, a<=b, a=b, a>=b or a>b");
        };
        return holds ? Outcome.passed() : Outcome.failed("$.relation", relation.text(), "scores " + a + " and " + b);
    }

    private static NanoGpuDialect dialect(VectorCase vector) {
        Field policy = vector.request().at("policy");
        return switch (policy.textOr("binpack").toLowerCase(Locale.ROOT)) {
            case "binpack", "first-fit" -> NanoGpuDialect.of(NanoGpuDialect.Policy.BINPACK);
            case "spread" -> NanoGpuDialect.of(NanoGpuDialect.Policy.SPREAD);
            default -> throw policy.malformed("must be binpack, spread or first-fit");
        };
    }

    private static PodManifest pod(VectorCase vector) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (Field container : vector.request().need("containers").list()) {
            long percent = container.at("percent").numberOr(0);
            Map<String, String> limits = percent == 0 ? Map.of() : Map.of(NanoGpuDialect.PERCENT, "" + percent);
            containers.add(ContainerManifest.limits("c" + containers.size(), limits));
        }
        return PodManifest.of("pod", containers);
    }

    static NodeState percentNode(Field gpus) {
        return Rig.node(
                "node",
                gpus.list().stream()
                        .map(gpu -> percentFree(gpu.need("percentFree")))
                        .toList());
    }

    private static NodeState percents(Field percents) {
        return Rig.node(
                "node", percents.list().stream().map(NanoGpuKinds::percentFree).toList());
    }

    private static Rig.Device percentFree(Field free) {
        if (free.integer() < 0 || free.integer() > 100) {
            throw free.malformed("must be in 0..100");
        }
        return new Rig.Device(0, 1_000 - 10 * free.integer(), 0, true);
    }
}
