package io.gpusched.conformance.elasticgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.CoreMemoryFixture;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of elastic-gpu's cases. */
public final class ElasticGpuKinds {
    private static final String SYSTEM = "elastic-gpu";
    private static final ElasticGpuDialect DIALECT = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);

    private ElasticGpuKinds() {}

    public static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "choose-per-container", ElasticGpuKinds::choose),
                VectorKind.comparing(SYSTEM, "fits", ElasticGpuKinds::choose),
                VectorKind.comparing(SYSTEM, "node-score", ElasticGpuKinds::nodeScore));
    }

    private static JsonNode choose(VectorCase vector) {
        ElasticGpuDialect dialect = dialect(vector.request().at("policy"));
        NodeState node = node(vector);
        PodManifest manifest = pod(vector);
        try {
            Optional<Placement> placed = NodeFixture.place(dialect, node, manifest);
            ObjectNode answer = Answers.fits(placed.isPresent());
            placed.ifPresent(placement -> {
                answer.set("gpusPerContainer", Answers.gpusPerContainer(placement));
                answer.put("score", dialect.policy().score(node, node.with(placement), dialect.pod(manifest)));
            });
            return placed.isEmpty() && lacksMemoryForWholeGpus(vector)
                    ? Answers.departing(answer, "memory on top of whole GPUs must be free, and no GPU has that much")
                    : answer;
        } catch (RefusedException e) {
            return Answers.refused(e.rule());
        }
    }

    private static ElasticGpuDialect dialect(YamlNode policy) {
        return switch (policy.textOr("binpack")) {
            case "binpack" -> DIALECT;
            case "spread" -> ElasticGpuDialect.of(ElasticGpuPolicy.SPREAD);
            default -> throw policy.error("must be binpack or spread");
        };
    }

    /** elastic-gpu does not look at the memory that a container asks beside whole GPUs. */
    private static boolean lacksMemoryForWholeGpus(VectorCase vector) {
        long most = vector.given().need("gpus").list().stream()
                .mapToLong(gpu -> gpu.need("memTotal").number())
                .max()
                .orElse(0);
        return vector.request().need("containers").list().stream()
                .anyMatch(container -> container.at("core").numberOr(0) >= 100
                        && container.at("mem").numberOr(0)
                                > most * (container.at("core").number() / 100));
    }

    private static JsonNode nodeScore(VectorCase vector) {
        NodeState node = node(vector);
        Pod none = DIALECT.pod(PodManifest.of("pod", List.of(container("main", 0, 0))));
        return Answers.object().put("score", DIALECT.policy().score(node, node, none));
    }

    private static NodeState node(VectorCase vector) {
        List<YamlNode> gpus = vector.given().need("gpus").list();
        return NodeFixture.node(
                "node", gpus.stream().map(CoreMemoryFixture::device).toList());
    }

    private static PodManifest pod(VectorCase vector) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (YamlNode container : vector.request().need("containers").list()) {
            long core = container.at("core").numberOr(0);
            long memory = container.at("mem").numberOr(0);
            containers.add(container("c" + containers.size(), core, memory));
        }
        return PodManifest.of("pod", containers);
    }

    public static ContainerManifest container(String name, long core, long memory) {
        Map<String, String> requests = new HashMap<>();
        if (core > 0) {
            requests.put(ElasticGpuDialect.CORE, "" + core);
        }
        if (memory > 0) {
            requests.put(ElasticGpuDialect.MEMORY, "" + memory);
        }
        return new ContainerManifest(name, ContainerKind.ORDINARY, requests, Map.of());
    }
}
