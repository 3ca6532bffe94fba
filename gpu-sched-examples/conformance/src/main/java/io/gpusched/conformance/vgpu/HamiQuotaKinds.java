package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** HAMi's cases of namespace quotas. */
final class HamiQuotaKinds {
    private HamiQuotaKinds() {}

    static List<VectorKind> all() {
        return List.of(
                VectorKind.of(HamiFitKinds.SYSTEM, "quota", vector -> VgpuJson.compare(vector, onePod(vector))),
                VectorKind.of(HamiFitKinds.SYSTEM, "quota-node", vector -> VgpuJson.compare(vector, onNode(vector))));
    }

    private static JsonNode onePod(VectorCase vector) {
        List<VgpuShare> current = new ArrayList<>();
        YamlNode booked = vector.given().at("bookedInThisContainer");
        if (booked.isPresent()) {
            current.addAll(VgpuJson.shares(booked));
        }
        current.add(new VgpuShare(
                vector.request().at("gpu").textOr("gpu"),
                "NVIDIA",
                vector.request().at("memMiB").numberOr(0),
                vector.request().at("corePercent").numberOr(0)));
        List<List<VgpuShare>> containers =
                new ArrayList<>(VgpuJson.containers(vector.given().at("bookedByEarlierContainers")));
        containers.add(current);
        int init = vector.given().at("initContainers").integerOr(0);
        return VgpuJson.object().put("fits", quota(vector).admits(init, containers));
    }

    private static JsonNode onNode(VectorCase vector) {
        YamlNode containers = vector.request().at("containers");
        List<Optional<VgpuRequest>> asked = containers.isPresent()
                ? VgpuJson.requests(containers)
                : List.of(Optional.of(VgpuJson.request(vector.request().need("container"))));
        return HamiFitKinds.answer(HamiFitKinds.library(vector, HamiFitKinds.node(vector), asked, quota(vector))
                .place());
    }

    /**
     * The keys are {@code limits.<domain>/gpumem} and {@code limits.<domain>/gpucores}, the values limits, or limits with
     * what is used of them.
     */
    static HamiQuota quota(VectorCase vector) {
        Map<String, Long> hard = new LinkedHashMap<>();
        String domain = "nvidia.com";
        long usedMemory = 0;
        long usedCores = 0;
        for (Map.Entry<String, YamlNode> entry :
                vector.given().at("namespaceQuota").map().entrySet()) {
            YamlNode limit = entry.getValue();
            boolean detailed = limit.kind() == YamlNode.Kind.MAPPING;
            hard.put(entry.getKey(), detailed ? limit.need("limit").number() : limit.number());
            long used = detailed ? limit.at("used").numberOr(0) : 0;
            usedMemory = entry.getKey().endsWith("gpumem") ? used : usedMemory;
            usedCores = entry.getKey().endsWith("gpucores") ? used : usedCores;
            domain = entry.getKey().replaceFirst("^limits\\.", "").replaceFirst("/.*", "");
        }
        return HamiQuota.of(hard, HamiSettings.named(domain)).withUsed(usedMemory, usedCores);
    }
}
