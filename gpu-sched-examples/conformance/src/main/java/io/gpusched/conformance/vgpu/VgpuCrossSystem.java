package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.cross.CrossSystemAnswer;
import io.gpusched.conformance.emulation.HamiNode;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiGpuPolicy;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What HAMi and Volcano do in a situation that is put to many systems, by dialect and scheduler, or by their own greedy way where that refuses what fits. */
public final class VgpuCrossSystem implements CrossSystemAnswer {
    private static final Set<String> PAIRS = Set.of("hami/binpack", "hami/spread", "volcano/binpack", "volcano/spread");

    @Override
    public Set<String> pairs() {
        return PAIRS;
    }

    @Override
    public JsonNode answer(String pair, VectorCase vector) {
        List<Optional<VgpuRequest>> requests = new ArrayList<>();
        for (YamlNode container : vector.request().need("containers").list()) {
            int percent = container.at("percent").integerOr(0);
            if (isRefused(pair, percent)) {
                return VgpuJson.object().set("fits", VgpuJson.JSON.nullNode());
            }
            requests.add(
                    percent == 0
                            ? Optional.empty()
                            : Optional.of(request(container.at("count").integerOr(1), percent)));
        }
        String policy = pair.substring(pair.indexOf('/') + 1);
        List<VgpuDevice> gpus = gpus(vector);
        if (pair.startsWith("volcano")) {
            VolcanoLibrary.Choice answer =
                    new VolcanoLibrary(VolcanoPolicy.parse(policy), Map.of(), gpus).place(requests);
            return written(answer.onNode().fits(), answer.onNode().containers(), gpus, answer.byEmulation());
        }
        HamiNode node = new HamiNode("node", gpus, Set.of(), HamiTopology.UNKNOWN);
        Map<String, String> annotations = Map.of(HamiGpuPolicy.ANNOTATION, policy);
        HamiLibrary.Choice answer = new HamiLibrary(node, annotations, List.of(), requests, HamiQuota.NONE).place();
        return written(answer.onNode().fits(), answer.onNode().containers(), gpus, answer.byEmulation());
    }

    /** Both systems count GPUs apart from percentages, so that there is no request for more than one by percent. */
    private static boolean isRefused(String pair, int percent) {
        boolean volcano = pair.startsWith("volcano");
        Dialect dialect = volcano ? VolcanoDialect.of(VolcanoPolicy.UNSET) : HamiDialect.of(HamiSettings.DEFAULT);
        Map<String, String> limits = volcano
                ? Map.of("volcano.sh/vgpu-number", "1", "volcano.sh/vgpu-memory-percentage", "" + percent)
                : Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem-percentage", "" + percent);
        try {
            dialect.pod(PodManifest.of("pod", List.of(ContainerManifest.limits("main", limits))));
            return false;
        } catch (RefusedException e) {
            return true;
        }
    }

    /** A percentage is that part of both memory and compute. */
    private static VgpuRequest request(int count, int percent) {
        return new VgpuRequest(count, VgpuRequest.NVIDIA, 0, OptionalInt.of(percent), percent);
    }

    /** A GPU of which less than everything is free has one user. */
    private static List<VgpuDevice> gpus(VectorCase vector) {
        long memory = vector.given().at("memMiBPerGpu").numberOr(16_000);
        List<VgpuDevice> gpus = new ArrayList<>();
        for (YamlNode gpu : vector.given().need("gpus").list()) {
            long used = 100 - gpu.need("percentFree").number();
            gpus.add(new VgpuDevice(
                    gpu.need("id").text(),
                    gpus.size(),
                    0,
                    VgpuRequest.NVIDIA,
                    "",
                    true,
                    new VgpuDevice.Amount(used > 0 ? 1 : 0, 10),
                    new VgpuDevice.Amount(memory * used / 100, memory),
                    new VgpuDevice.Amount(used, 100)));
        }
        return gpus;
    }

    private static JsonNode written(
            boolean fits, List<List<VgpuShare>> containers, List<VgpuDevice> gpus, boolean byEmulation) {
        ObjectNode json = VgpuJson.object().put("fits", fits);
        if (byEmulation) {
            Answers.emulated(json);
        }
        if (fits) {
            List<String> ids = gpus.stream().map(VgpuDevice::id).toList();
            ArrayNode perContainer = json.putArray("gpusPerContainer");
            for (List<VgpuShare> shares : containers) {
                ArrayNode indexes = perContainer.addArray();
                shares.forEach(share -> indexes.add(ids.indexOf(share.gpu())));
            }
        }
        return json;
    }
}
