package io.gpusched.conformance.cross;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.elasticgpu.ElasticGpuKinds;
import io.gpusched.conformance.gaia.GaiaKinds;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers cross-system cases for nano-gpu, elastic-gpu, Aliyun gpushare and GaiaGPU. */
public final class CrossSystemSharers implements CrossSystemAnswer {
    private static final String NANO_BINPACK = "nano-gpu/binpack";
    private static final String NANO_SPREAD = "nano-gpu/spread";
    private static final String ELASTIC = "elastic-gpu/binpack";
    private static final String ALIYUN = "aliyun-gpushare";
    private static final String GAIA = "gaia";

    @Override
    public Set<String> pairs() {
        return Set.of(NANO_BINPACK, NANO_SPREAD, ELASTIC, ALIYUN, GAIA);
    }

    @Override
    public JsonNode answer(String pair, VectorCase vector) {
        Dialect dialect = dialect(pair);
        long memoryMib = vector.given().need("memMiBPerGpu").number();
        NodeState node = NodeFixture.node("node", devices(vector.given().need("gpus"), memoryMib));
        try {
            PodManifest pod = pod(pair, vector.request().need("containers"), memoryMib);
            Optional<Placement> placed = NodeFixture.place(dialect, node, pod);
            ObjectNode answer = Answers.fits(placed.isPresent());
            placed.ifPresent(placement -> answer.set(
                    "gpusPerContainer",
                    pair.equals(ALIYUN) ? sameForAll(pod, placement) : Answers.gpusPerContainer(placement)));
            return answer;
        } catch (RefusedException e) {
            return Answers.refused(e.rule());
        }
    }

    private static Dialect dialect(String pair) {
        return switch (pair) {
            case NANO_BINPACK -> NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
            case NANO_SPREAD -> NanoGpuDialect.of(NanoGpuPolicy.SPREAD);
            case ELASTIC -> ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);
            case ALIYUN -> AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.MIB);
            case GAIA -> GaiaGpuDialect.of();
            default -> throw new IllegalArgumentException("no answer for " + pair);
        };
    }

    private static List<NodeFixture.Device> devices(YamlNode gpus, long memoryMib) {
        List<NodeFixture.Device> devices = new ArrayList<>();
        for (YamlNode gpu : gpus.list()) {
            int free = gpu.need("percentFree").integer();
            devices.add(new NodeFixture.Device(memoryMib, 1_000 - 10 * free, memoryMib - memoryMib * free / 100, true));
        }
        return devices;
    }

    /** These systems have no count: two halves are asked for as one whole. */
    private static PodManifest pod(String pair, YamlNode list, long memoryMib) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (YamlNode container : list.list()) {
            long percent =
                    container.need("percent").number() * container.at("count").numberOr(1);
            containers.add(container(pair, "c" + containers.size(), percent, memoryMib * percent / 100));
        }
        return PodManifest.of("pod", containers);
    }

    private static ContainerManifest container(String pair, String name, long percent, long memoryMib) {
        return switch (pair) {
            case ELASTIC -> ElasticGpuKinds.container(name, percent, percent < 100 ? memoryMib : 0);
            case GAIA -> GaiaKinds.container(name, percent, memoryMib / GaiaGpuDialect.BLOCK_MIB);
            case ALIYUN -> limits(name, AliyunGpuShareDialect.MEMORY, memoryMib);
            default -> limits(name, NanoGpuDialect.PERCENT, percent);
        };
    }

    private static ContainerManifest limits(String name, String resource, long amount) {
        return ContainerManifest.limits(name, amount == 0 ? Map.of() : Map.of(resource, "" + amount));
    }

    private static ArrayNode sameForAll(PodManifest pod, Placement placement) {
        ArrayNode list = Answers.object().arrayNode();
        for (ContainerManifest container : pod.containers()) {
            if (container.limits().isEmpty()) {
                list.addNull();
            } else {
                list.add(Answers.numbers(placement.gpus()));
            }
        }
        return list;
    }
}
