package io.gpusched.conformance.aliyun;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.JsonDiff;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What Aliyun gpushare writes: places a case's pod on its GPUs and compares annotations or environment. */
final class AliyunBindOutput {
    private static final AliyunGpuShareDialect DIALECT = AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.MIB);

    private AliyunBindOutput() {}

    static Outcome run(VectorCase vector) {
        boolean readable = vector.given().at("gpus").isPresent()
                && (vector.expect().has("annotations") || vector.expect().has("env"));
        Optional<PodManifest> pod = readable ? pod(vector.request()) : Optional.empty();
        if (pod.isEmpty()) {
            return Outcome.skipped("a case of this shape is not known: expected given.gpus, request.pod.mem or "
                    + "request.containers, and expect.annotations or expect.env");
        }
        NodeState node = AliyunKinds.node(vector);
        Optional<Placement> placed = AliyunKinds.place(node, pod.get());
        return placed.map(placement -> compare(vector, DIALECT.write(pod.get(), node.node(), placement)))
                .orElseGet(() -> Outcome.failed("$", "a placement", "none"));
    }

    private static Outcome compare(VectorCase vector, BindingMetadata metadata) {
        ObjectNode answer = Answers.object();
        ObjectNode annotations = answer.putObject("annotations");
        metadata.annotations().forEach(annotations::put);
        ObjectNode env = answer.putObject("env");
        metadata.environment().values().stream().findFirst().ifPresent(values -> values.forEach(env::put));
        ObjectNode expected = (ObjectNode) JsonValues.of(vector.expect());
        for (String part : List.of("annotations", "env")) {
            JsonNode values = expected.path(part);
            if (values instanceof ObjectNode object) {
                object.remove("ALIYUN_COM_GPU_MEM_ASSUME_TIME");
                object.properties()
                        .forEach(entry ->
                                entry.setValue(object.textNode(entry.getValue().asText())));
            }
        }
        return Outcome.of(JsonDiff.compare(expected, answer));
    }

    private static Optional<PodManifest> pod(YamlNode request) {
        YamlNode memory = request.at("pod").at("mem");
        if (memory.isPresent()) {
            return Optional.of(AliyunKinds.pod("pod", memory.number()));
        }
        List<ContainerManifest> containers = new ArrayList<>();
        for (YamlNode container : request.at("containers").list()) {
            Map<String, String> limits = container.has("mem")
                    ? Map.of(AliyunGpuShareDialect.MEMORY, container.at("mem").text())
                    : container.at("limits").texts();
            containers.add(ContainerManifest.limits("c" + containers.size(), limits));
        }
        return containers.isEmpty() ? Optional.empty() : Optional.of(PodManifest.of("pod", containers));
    }
}
