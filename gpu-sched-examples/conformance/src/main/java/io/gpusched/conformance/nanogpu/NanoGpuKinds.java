package io.gpusched.conformance.nanogpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.CoreMemoryFixture;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.GreedyLayout;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The kinds of nano-gpu's cases. */
public final class NanoGpuKinds {
    private static final String SYSTEM = "nano-gpu";

    private NanoGpuKinds() {}

    public static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "choose-per-container", NanoGpuKinds::choose),
                VectorKind.comparing(SYSTEM, "fits", NanoGpuKinds::fits),
                VectorKind.comparing(SYSTEM, "node-score", NanoGpuKinds::nodeScore),
                VectorKind.comparing(SYSTEM, "gpu-order", NanoGpuKinds::gpuOrder),
                VectorKind.of(SYSTEM, "node-order", NanoGpuKinds::nodeOrder));
    }

    private static JsonNode choose(VectorCase vector) {
        NanoGpuDialect dialect = dialect(vector);
        NodeState node = percentNode(vector.given().need("gpus"));
        try {
            Optional<Placement> placed = NodeFixture.place(dialect, node, pod(vector));
            if (placed.isPresent() && !greedy(vector).fits(node, dialect.pod(pod(vector)))) {
                return refusedByOrder(vector, dialect.refusal(node, pod(vector)));
            }
            ObjectNode answer = Answers.fits(placed.isPresent());
            placed.ifPresentOrElse(
                    placement -> answer.set("gpuPerContainer", Answers.gpuPerContainer(placement)),
                    () -> answer.put("failure", dialect.refusal(node, pod(vector))));
            return answer;
        } catch (RefusedException e) {
            return Answers.refused(e.rule()).put("failure", dialect.refusal(node, pod(vector)));
        }
    }

    /** nano-gpu refuses the pod, because it gives GPUs to one container after the other; here it fits. */
    private static JsonNode refusedByOrder(VectorCase vector, String refusal) {
        return vector.isDefect()
                ? Answers.departing(Answers.fits(true), "placed here, on GPUs that are free for it")
                : Answers.emulated(Answers.fits(false)).put("failure", refusal);
    }

    private static GreedyLayout greedy(VectorCase vector) {
        DeviceOrder byIndex = (node, earlier, container) -> indexes(node);
        DeviceOrder own = dialect(vector).policy().deviceOrder().orElseThrow();
        return GreedyLayout.of(isFirstFit(vector) ? byIndex : own);
    }

    private static boolean isFirstFit(VectorCase vector) {
        return vector.request().at("policy").textOr("").equals("first-fit");
    }

    private static int[] indexes(NodeState node) {
        return IntStream.range(0, node.gpuCount()).toArray();
    }

    private static JsonNode fits(VectorCase vector) {
        List<YamlNode> gpus = vector.given().need("gpus").list();
        if (!gpus.isEmpty() && gpus.get(0).has("coreFree")) {
            return Answers.fits(coreMemoryFits(vector, gpus));
        }
        return choose(vector);
    }

    /** The first version of nano-gpu asked for core and memory. */
    private static boolean coreMemoryFits(VectorCase vector, List<YamlNode> gpus) {
        NodeState node = NodeFixture.node(
                "node", gpus.stream().map(CoreMemoryFixture::device).toList());
        List<Container> containers = new ArrayList<>();
        for (YamlNode container : vector.request().need("containers").list()) {
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
        return Answers.object()
                .put("score", score(dialect(vector), percentNode(vector.given().need("gpus"))));
    }

    /** The policy looks at a node as it is before the pod. */
    private static long score(NanoGpuDialect dialect, NodeState node) {
        return dialect.policy().score(node, node, dialect.pod(percent("c0", 1)));
    }

    private static JsonNode gpuOrder(VectorCase vector) {
        NodeState node = percentNode(vector.given().need("gpus"));
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
        Container container = dialect.pod(percent("c0", 1)).containers().get(0);
        int[] order = NanoGpuPolicy.BINPACK.gpus(node, List.of(), container);
        ObjectNode answer = Answers.object();
        answer.set(
                "orderOfIndices", Answers.numbers(Arrays.stream(order).boxed().toList()));
        return answer;
    }

    private static PodManifest percent(String container, long percent) {
        Map<String, String> limits = percent == 0 ? Map.of() : Map.of(NanoGpuDialect.PERCENT, "" + percent);
        return PodManifest.of("pod", List.of(ContainerManifest.limits(container, limits)));
    }

    private static Outcome nodeOrder(VectorCase vector) {
        YamlNode nodes = vector.given().need("nodes");
        NanoGpuDialect dialect = dialect(vector);
        long a = score(dialect, percents(nodes.need("a")));
        long b = score(dialect, percents(nodes.need("b")));
        YamlNode relation = vector.expect().need("relation");
        boolean holds = switch (relation.text().replace("==", "=")) {
            case "a<b" -> a < b;
            case "a>b" -> a > b;
            case "a<=b" -> a <= b;
            case "a>=b" -> a >= b;
            case "a=b" -> a == b;
            default -> throw relation.error("must be a<b, a<=b, a=b, a>=b or a>b");
        };
        return holds ? Outcome.passed() : Outcome.failed("$.relation", relation.text(), "scores " + a + " and " + b);
    }

    private static NanoGpuDialect dialect(VectorCase vector) {
        YamlNode policy = vector.request().at("policy");
        return switch (policy.textOr("binpack").toLowerCase(Locale.ROOT)) {
            case "binpack", "first-fit" -> NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
            case "spread" -> NanoGpuDialect.of(NanoGpuPolicy.SPREAD);
            default -> throw policy.error("must be binpack, spread or first-fit");
        };
    }

    private static PodManifest pod(VectorCase vector) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (YamlNode container : vector.request().need("containers").list()) {
            long percent = container.at("percent").numberOr(0);
            Map<String, String> limits = percent == 0 ? Map.of() : Map.of(NanoGpuDialect.PERCENT, "" + percent);
            containers.add(ContainerManifest.limits("c" + containers.size(), limits));
        }
        return PodManifest.of("pod", containers);
    }

    public static NodeState percentNode(YamlNode gpus) {
        return NodeFixture.node(
                "node",
                gpus.list().stream()
                        .map(gpu -> percentFree(gpu.need("percentFree")))
                        .toList());
    }

    private static NodeState percents(YamlNode percents) {
        return NodeFixture.node(
                "node", percents.list().stream().map(NanoGpuKinds::percentFree).toList());
    }

    private static NodeFixture.Device percentFree(YamlNode free) {
        if (free.integer() < 0 || free.integer() > 100) {
            throw free.error("must be in 0..100");
        }
        return new NodeFixture.Device(0, 1_000 - 10 * free.integer(), 0, true);
    }
}
