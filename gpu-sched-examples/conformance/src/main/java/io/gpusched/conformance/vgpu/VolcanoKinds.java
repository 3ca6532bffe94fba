package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.VgpuLedger;
import io.gpusched.conformance.emulation.VolcanoExclusiveRules;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.ContainerKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;

/** All of Volcano's cases. */
public final class VolcanoKinds {
    private VolcanoKinds() {}

    public static List<VectorKind> all() {
        List<VectorKind> all = new ArrayList<>(VolcanoChoiceKinds.all());
        all.add(kind(
                "type-selector",
                vector ->
                        HamiRequestKinds.allowed(selecting(vector, "nvidia.com/use-gputype", "nvidia.com/nouse-gputype")
                                .types()
                                .acceptsType(vector.given().need("cardType").text()))));
        all.add(kind(
                "uuid-selector",
                vector -> HamiRequestKinds.allowed(
                        selecting(vector, "volcano.sh/vgpu-use-gpuuuid", "volcano.sh/vgpu-nouse-gpuuuid")
                                .acceptsUuid(vector.given().need("gpuId").text()))));
        all.add(kind(
                "request-parse",
                vector -> HamiRequestKinds.written(VolcanoDialect.of(VolcanoPolicy.UNSET)
                        .requests(PodManifest.of(
                                "pod",
                                List.of(new ContainerManifest(
                                        "main",
                                        ContainerKind.ORDINARY,
                                        HamiRequestKinds.requests(vector),
                                        HamiRequestKinds.limits(vector)))))
                        .get(0))));
        all.add(kind(
                "codec-decode",
                vector -> HamiRequestKinds.decoded(
                        vector.given().need("annotation").text())));
        all.add(emulating("accounting", VolcanoKinds::accounting));
        all.add(emulating("pod-demand", VolcanoKinds::podDemand));
        all.add(emulating("rule-match", VolcanoKinds::matchedRules));
        all.add(emulating("anti-affinity", VolcanoKinds::availableGpus));
        all.add(kind("mig-geometry", VolcanoMig::instance));
        return all;
    }

    private static VectorKind emulating(String name, Function<VectorCase, ObjectNode> answer) {
        return VectorKind.emulating(VolcanoChoiceKinds.SYSTEM, name, answer);
    }

    private static VectorKind kind(String name, Function<VectorCase, JsonNode> answer) {
        return VectorKind.of(VolcanoChoiceKinds.SYSTEM, name, vector -> VgpuJson.compare(vector, answer.apply(vector)));
    }

    private static VolcanoPodRules selecting(VectorCase vector, String use, String nouse) {
        Map<String, String> annotations = new HashMap<>();
        vector.request().at("use").optional().ifPresent(names -> annotations.put(use, names.text()));
        vector.request().at("nouse").optional().ifPresent(names -> annotations.put(nouse, names.text()));
        return VolcanoPodRules.of("default", annotations);
    }

    /** Events that may repeat; what they add up to on one GPU. */
    private static ObjectNode accounting(VectorCase vector) {
        VgpuLedger ledger = VgpuLedger.EMPTY;
        for (YamlNode event : vector.request().need("events").list()) {
            VgpuShare share = new VgpuShare(
                    "gpu",
                    "NVIDIA",
                    event.at("memMiB").numberOr(0),
                    event.at("corePercent").numberOr(0));
            ledger = event.has("remove")
                    ? ledger.without(event.need("remove").text())
                    : ledger.with(event.need("add").text(), share);
        }
        VgpuDevice gpu = ledger.on(VgpuJson.gpu(vector.given().need("gpu"), 0));
        return VgpuJson.object()
                .put("slotsUsed", gpu.slots().used())
                .put("memMiBUsed", gpu.memoryMib().used())
                .put("memMiBIdle", gpu.memoryMib().free())
                .put("corePercentUsed", gpu.cores().used());
    }

    /** What a pod needs by Volcano's older gpushare plugin: its containers together, unless one init container needs more. */
    private static ObjectNode podDemand(VectorCase vector) {
        long peak = numbers(vector.request().at("initContainers")).max().orElse(0);
        long sum = numbers(vector.request().at("containers")).sum();
        return VgpuJson.object().put("podDemand", Math.max(peak, sum));
    }

    private static LongStream numbers(YamlNode list) {
        return list.list().stream().mapToLong(number -> number.numberOr(0));
    }

    private static VolcanoExclusiveRules rules(VectorCase vector) {
        return new VolcanoExclusiveRules(vector.given().need("rules").list().stream()
                .map(YamlNode::texts)
                .toList());
    }

    private static ObjectNode matchedRules(VectorCase vector) {
        List<Integer> matched =
                rules(vector).matching(vector.request().at("labels").texts());
        return VgpuJson.object().set("matchedRules", integers(matched));
    }

    private static ObjectNode availableGpus(VectorCase vector) {
        Map<Integer, Set<Integer>> occupied = new HashMap<>();
        vector.given().at("occupiedByRule").map().forEach((rule, gpus) -> {
            Set<Integer> indexes = new HashSet<>();
            gpus.list().forEach(gpu -> indexes.add(gpu.integer()));
            occupied.put(Integer.valueOf(rule), indexes);
        });
        List<Integer> left = rules(vector)
                .available(
                        vector.request().at("labels").texts(),
                        vector.given().need("gpus").integer(),
                        occupied);
        ObjectNode json = VgpuJson.object();
        json.set("availableGpus", integers(left));
        return json;
    }

    private static ArrayNode integers(List<Integer> values) {
        ArrayNode array = VgpuJson.JSON.arrayNode();
        values.forEach(array::add);
        return array;
    }
}
