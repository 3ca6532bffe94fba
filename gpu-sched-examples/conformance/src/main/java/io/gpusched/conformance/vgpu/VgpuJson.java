package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads and writes the GPUs, requests and shares of HAMi and Volcano as vectors describe them. */
final class VgpuJson {
    static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private VgpuJson() {}

    /** Returns the GPUs of a list; what is not said is a healthy NVIDIA GPU of 100 percent compute at its position. */
    static List<VgpuDevice> gpus(YamlNode list) {
        List<VgpuDevice> gpus = new ArrayList<>();
        for (YamlNode gpu : list.list()) {
            gpus.add(gpu(gpu, gpus.size()));
        }
        return gpus;
    }

    static VgpuDevice gpu(YamlNode gpu, int position) {
        return new VgpuDevice(
                gpu.at("id").textOr(Integer.toString(position)),
                gpu.at("index").integerOr(position),
                gpu.at("numa").integerOr(0),
                gpu.at("type").textOr(VgpuRequest.NVIDIA),
                gpu.at("mode").textOr(""),
                gpu.at("healthy").isTrueOr(true),
                amount(gpu.at("slots"), gpu.at("slotsUsed").numberOr(0), 10),
                amount(gpu.at("memMiB"), 0, 0),
                amount(gpu.at("corePercent"), 0, 100));
    }

    private static VgpuDevice.Amount amount(YamlNode field, long used, long total) {
        return field.kind() == YamlNode.Kind.NUMBER
                ? new VgpuDevice.Amount(0, field.number())
                : new VgpuDevice.Amount(
                        field.at("used").numberOr(used), field.at("total").numberOr(total));
    }

    /** Returns a container's request; a percentage outside 1..100 is none, as in HAMi's records. */
    static VgpuRequest request(YamlNode container) {
        int percent = container.at("memPercent").integerOr(0);
        return new VgpuRequest(
                container.at("count").integerOr(1),
                container.at("type").textOr(VgpuRequest.NVIDIA),
                container.at("memMiB").numberOr(0),
                percent < 1 || percent > 100 ? OptionalInt.empty() : OptionalInt.of(percent),
                container.at("corePercent").numberOr(0));
    }

    /** Returns the requests of containers; null, or a count of 0, asks for no GPU. */
    static List<Optional<VgpuRequest>> requests(YamlNode containers) {
        return containers.list().stream()
                .map(container -> container.isPresent() && container.at("count").integerOr(1) > 0
                        ? Optional.of(request(container))
                        : Optional.<VgpuRequest>empty())
                .toList();
    }

    /**
     * Returns the shares of each container in the order in which a system found its GPUs: the library lists them by index,
     * and says nothing about their order.
     */
    static List<List<VgpuShare>> inOrderOf(List<List<VgpuShare>> found, List<List<VgpuShare>> containers) {
        List<List<VgpuShare>> ordered = new ArrayList<>();
        for (int c = 0; c < containers.size(); c++) {
            List<String> order =
                    c < found.size() ? found.get(c).stream().map(VgpuShare::gpu).toList() : List.of();
            ordered.add(containers.get(c).stream()
                    .sorted(Comparator.comparingInt(share -> order.indexOf(share.gpu())))
                    .toList());
        }
        return ordered;
    }

    /** Returns annotations; one that is null is not there. */
    static Map<String, String> annotations(YamlNode annotations) {
        Map<String, String> said = annotations.texts();
        said.keySet().removeIf(key -> !annotations.at(key).isPresent());
        return said;
    }

    /** Returns a list of shares. */
    static List<VgpuShare> shares(YamlNode list) {
        return list.list().stream()
                .map(share -> new VgpuShare(
                        share.need("gpu").text(),
                        share.at("type").textOr(VgpuRequest.NVIDIA),
                        share.at("memMiB").numberOr(0),
                        share.at("corePercent").numberOr(0)))
                .toList();
    }

    /** Returns lists of shares, one list for each container. */
    static List<List<VgpuShare>> containers(YamlNode list) {
        return list.list().stream().map(VgpuJson::shares).toList();
    }

    static ObjectNode object() {
        return JSON.objectNode();
    }

    static ArrayNode ids(List<VgpuShare> shares) {
        ArrayNode ids = JSON.arrayNode();
        shares.forEach(share -> ids.add(share.gpu()));
        return ids;
    }

    static ArrayNode sortedIds(List<VgpuShare> shares) {
        ArrayNode ids = JSON.arrayNode();
        shares.stream().map(VgpuShare::gpu).sorted().forEach(ids::add);
        return ids;
    }

    static ArrayNode write(List<VgpuShare> shares) {
        ArrayNode list = JSON.arrayNode();
        for (VgpuShare share : shares) {
            list.addObject()
                    .put("id", share.gpu())
                    .put("gpu", share.gpu())
                    .put("type", share.type())
                    .put("memMiB", share.memoryMib())
                    .put("corePercent", share.cores());
        }
        return list;
    }

    /**
     * Compares an answer with what a case expects, its sets in order. An expected error is true, or a text that the error
     * must contain.
     */
    static Outcome compare(VectorCase vector, JsonNode answer) {
        JsonNode expected = JsonValues.of(vector.expect());
        if (expected instanceof ObjectNode object) {
            if (object.path("gpuSet").isArray()) {
                object.set("gpuSet", sorted(object.path("gpuSet")));
            }
            JsonNode error = object.path("error");
            boolean met = error.isBoolean()
                    ? error.booleanValue() == answer.has("error")
                    : error.isTextual() && answer.path("error").asText().contains(error.asText());
            if (met) {
                object.remove("error");
            }
        }
        return VectorKind.compare(vector, expected, answer);
    }

    private static ArrayNode sorted(JsonNode ids) {
        ArrayNode sorted = JSON.arrayNode();
        ids.valueStream().map(JsonNode::asText).sorted().forEach(sorted::add);
        return sorted;
    }
}
