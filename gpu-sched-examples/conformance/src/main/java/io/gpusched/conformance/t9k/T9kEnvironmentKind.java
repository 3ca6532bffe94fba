package io.gpusched.conformance.t9k;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.JsonDiff;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What T9k writes into a container's environment for a grant. */
final class T9kEnvironmentKind {
    private T9kEnvironmentKind() {}

    static Outcome run(VectorCase vector) {
        String resource = resource(vector.request());
        List<String> ids = ids(vector);
        Optional<GpuGrant> grant = grant(vector, resource, ids.size());
        if (grant.isEmpty()) {
            return Outcome.skipped(
                    "a case of this shape is not known: expected a resource, an amount, the GPUs and, for"
                            + " a share, the GPU's memory");
        }
        ObjectNode env = Answers.object();
        T9kDialect.environment(grant.get(), ids::get).forEach(env::put);
        YamlNode expected = vector.expect().at("env").optional().orElse(vector.expect());
        ObjectNode texts = Answers.object();
        expected.texts().forEach(texts::put);
        return Outcome.of(JsonDiff.compare(texts, env));
    }

    /** What dialect and scheduler grant on a node that has as many GPUs as the container was given. */
    private static Optional<GpuGrant> grant(VectorCase vector, String resource, int gpus) {
        boolean wholeNode = resource.equals(T9kDialect.GPU_NODE);
        boolean share = resource.equals(T9kDialect.GPU_PERCENT);
        Optional<Long> memory = memory(vector);
        Optional<Long> amount = share ? amount(vector, resource) : Optional.of(wholeNode ? 1L : gpus);
        if (!wholeNode && gpus == 0 || amount.isEmpty() || share && (gpus != 1 || memory.isEmpty())) {
            return Optional.empty();
        }
        T9kDialect dialect = T9kDialect.of();
        Map<String, String> labels = Map.of(
                T9kDialect.NODE_ALLOC_MODE,
                share ? "sgn" : "xgn",
                "nvidia.com/gpu.count",
                "" + Math.max(1, gpus),
                "nvidia.com/gpu.memory",
                "" + memory.orElse(0L));
        Node node = dialect.node(NodeManifest.of("node", labels, Map.of()));
        PodManifest pod =
                PodManifest.of("pod", List.of(ContainerManifest.limits("main", Map.of(resource, "" + amount.get()))));
        return NodeFixture.placement(DialectScheduler.of(dialect).schedule(Cluster.of(List.of(node)), pod))
                .map(placement -> placement.containers().get(0).gpus());
    }

    private static String resource(YamlNode request) {
        YamlNode named = request.at("resource");
        if (named.isPresent()) {
            return named.text();
        }
        YamlNode map = request.at("limits").isPresent() ? request.at("limits") : request;
        return map.map().keySet().stream()
                .filter(name -> name.startsWith("tensorstack.dev/"))
                .findFirst()
                .orElse("");
    }

    private static Optional<Long> amount(VectorCase vector, String resource) {
        for (YamlNode map : List.of(vector.request(), vector.request().at("limits"))) {
            for (String name : List.of(resource, "amount", "percent", "value", "count", "quantity")) {
                if (map.at(name).isWholeNumber()) {
                    return Optional.of(map.at(name).number());
                }
            }
        }
        return Optional.empty();
    }

    /** The memory of the GPU, under whatever name it is given. */
    private static Optional<Long> memory(VectorCase vector) {
        for (YamlNode map :
                List.of(vector.given(), vector.request(), vector.given().at("gpu"))) {
            for (Map.Entry<String, YamlNode> member : map.map().entrySet()) {
                boolean named = member.getKey().toLowerCase(Locale.ROOT).contains("mem");
                if (named && member.getValue().isWholeNumber()) {
                    return Optional.of(member.getValue().number());
                }
            }
        }
        return Optional.empty();
    }

    /** The ids of the GPUs that the container was given. */
    private static List<String> ids(VectorCase vector) {
        List<String> names = List.of(
                "gpus",
                "gpu",
                "gpuId",
                "gpuIds",
                "ids",
                "id",
                "assigned",
                "assignedGpus",
                "devices",
                "allocated",
                "chosen");
        for (YamlNode map : List.of(vector.given(), vector.request())) {
            for (String name : names) {
                YamlNode value = map.at(name);
                if (value.isWholeNumber() || value.kind() == YamlNode.Kind.TEXT) {
                    return List.of(value.text());
                }
                if (value.kind() == YamlNode.Kind.LIST && value.list().stream().allMatch(one -> one.scalar() != null)) {
                    return value.textList();
                }
            }
        }
        return List.of();
    }
}
