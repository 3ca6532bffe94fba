package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.T9kDialect;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What T9k writes into a container's environment for a grant. */
final class T9kEnvironmentKind {
    private T9kEnvironmentKind() {}

    static Outcome run(VectorCase vector) {
        Optional<GpuGrant> grant = grant(vector);
        if (grant.isEmpty()) {
            return Outcome.skipped(
                    "a case of this shape is not known: expected a resource, an amount, the GPUs and, for"
                            + " a share, the GPU's memory");
        }
        ObjectNode env = Answers.object();
        T9kDialect.environment(grant.get()).forEach(env::put);
        JsonNode expected = vector.expect().at("env").isPresent()
                ? vector.expect().at("env").json()
                : vector.expect().json();
        ObjectNode texts = Answers.object();
        expected.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return Outcome.of(JsonDiff.compare(texts, env));
    }

    private static Optional<GpuGrant> grant(VectorCase vector) {
        String resource = resource(vector.request());
        if (resource.equals(T9kDialect.GPU_NODE)) {
            return Optional.of(new GpuGrant.WholeNode(8));
        }
        List<Integer> gpus = gpus(vector);
        if (gpus.isEmpty()) {
            return Optional.empty();
        }
        if (resource.equals(T9kDialect.GPU)) {
            return Optional.of(new GpuGrant.Whole(gpus));
        }
        Optional<Long> memory =
                first(vector, "gpuMemMiB", "gpuMemoryMiB", "gpuMemMB", "gpuMemoryMB", "memMiB", "memTotal");
        Optional<Long> percent = amount(vector, resource);
        if (!resource.equals(T9kDialect.GPU_PERCENT) || memory.isEmpty() || percent.isEmpty()) {
            return Optional.empty();
        }
        long mib = memory.get() * percent.get() / 100;
        GpuShare share = new GpuShare(gpus.get(0), (int) (10 * percent.get()), mib, 1);
        return Optional.of(new GpuGrant.Shared(List.of(share)));
    }

    private static String resource(Field request) {
        Field named = request.at("resource");
        if (named.isPresent()) {
            return named.scalar();
        }
        Field map = request.at("limits").isPresent() ? request.at("limits") : request;
        return map.members().keySet().stream()
                .filter(name -> name.startsWith("tensorstack.dev/"))
                .findFirst()
                .orElse("");
    }

    private static Optional<Long> amount(VectorCase vector, String resource) {
        for (Field map : List.of(vector.request(), vector.request().at("limits"))) {
            for (String name : List.of(resource, "amount", "percent", "value", "count", "quantity")) {
                if (map.at(name).isPresent()) {
                    return Optional.of(Long.valueOf(map.at(name).scalar()));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Long> first(VectorCase vector, String... names) {
        for (Field map :
                List.of(vector.given(), vector.request(), vector.given().at("gpu"))) {
            for (String name : names) {
                if (map.at(name).isPresent() && map.at(name).json().isIntegralNumber()) {
                    return Optional.of(map.at(name).number());
                }
            }
        }
        return Optional.empty();
    }

    private static List<Integer> gpus(VectorCase vector) {
        for (Field map : List.of(vector.given(), vector.request())) {
            for (Map.Entry<String, Field> member : map.members().entrySet()) {
                JsonNode value = member.getValue().json();
                boolean named = List.of(
                                "gpus", "gpu", "gpuIds", "ids", "assigned", "assignedGpus", "devices", "allocated")
                        .contains(member.getKey());
                if (named && value.canConvertToInt()) {
                    return List.of(value.intValue());
                }
                if (named
                        && value.isArray()
                        && value.valueStream().allMatch(id -> id.asText().matches("\\d{1,2}"))) {
                    return value.valueStream()
                            .map(id -> Integer.valueOf(id.asText()))
                            .sorted()
                            .toList();
                }
            }
        }
        return List.of();
    }
}
