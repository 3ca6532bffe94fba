package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.ElasticGpuDialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of elastic-gpu's cases. */
final class ElasticGpuKinds {
    private static final String SYSTEM = "elastic-gpu";
    private static final ElasticGpuDialect DIALECT = ElasticGpuDialect.of();

    private ElasticGpuKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "choose-per-container", ElasticGpuKinds::choose),
                VectorKind.comparing(SYSTEM, "fits", ElasticGpuKinds::choose),
                VectorKind.comparing(SYSTEM, "node-score", ElasticGpuKinds::nodeScore));
    }

    private static JsonNode choose(VectorCase vector) {
        Field policy = vector.request().at("policy");
        NodeState node = node(vector);
        try {
            Optional<Placement> placed = DIALECT.rule().place(node, DIALECT.pod(pod(vector)));
            ObjectNode answer = Answers.fits(placed.isPresent());
            placed.ifPresent(placement -> {
                answer.set("gpusPerContainer", Answers.gpusPerContainer(placement));
                boolean spread = policy.textOr("binpack").equals("spread");
                answer.put("score", spread ? 0 : ElasticGpuDialect.score(node.with(placement)));
            });
            return answer;
        } catch (RefusedException e) {
            return Answers.refused(e.rule());
        }
    }

    private static JsonNode nodeScore(VectorCase vector) {
        return Answers.object().put("score", ElasticGpuDialect.score(node(vector)));
    }

    private static NodeState node(VectorCase vector) {
        List<Field> gpus = vector.given().need("gpus").list();
        return Rig.node("node", gpus.stream().map(CoreMemoryRig::device).toList());
    }

    private static PodManifest pod(VectorCase vector) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (Field container : vector.request().need("containers").list()) {
            long core = container.at("core").numberOr(0);
            long memory = container.at("mem").numberOr(0);
            containers.add(container("c" + containers.size(), core, memory));
        }
        return PodManifest.of("pod", containers);
    }

    static ContainerManifest container(String name, long core, long memory) {
        Map<String, String> requests = new HashMap<>();
        if (core > 0) {
            requests.put(ElasticGpuDialect.CORE, "" + core);
        }
        if (memory > 0) {
            requests.put(ElasticGpuDialect.MEMORY, "" + memory);
        }
        return new ContainerManifest(name, false, requests, Map.of());
    }
}
