package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.VectorCase;
import io.gpusched.decision.Placed;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Volcano's GPUs that are cut to one of a few geometries: a request takes the smallest instance with enough memory. An idle
 * GPU takes the first geometry that has one; where something runs, its geometry stays, and only instances of the profiles
 * that are in use already are given.
 */
final class VolcanoMig {
    private VolcanoMig() {}

    static ObjectNode instance(VectorCase vector) {
        YamlNode given = vector.given();
        long memoryMib = vector.request().need("memMiB").number();
        List<YamlNode> geometries = given.at("geometries").list();
        int active = given.at("activeGeometry").integerOr(-1);
        List<YamlNode> candidates =
                active < 0 ? geometries : geometries.subList(active, Math.min(geometries.size(), active + 1));
        List<YamlNode> inUse = active < 0 ? List.of() : given.at("instances").list();
        for (YamlNode geometry : candidates) {
            Optional<ObjectNode> found = pick(geometry, inUse, memoryMib);
            if (found.isPresent()) {
                String id = given.need("gpuId").text();
                ObjectNode answer = found.get();
                return answer.put("instance", id + answer.path("instance").asText());
            }
        }
        return Answers.object().put("fits", false);
    }

    private static Optional<ObjectNode> pick(YamlNode geometry, List<YamlNode> inUse, long memoryMib) {
        List<YamlNode> instances = geometry.at("instances").list();
        int offset = 0;
        Map<YamlNode, Integer> offsets = new LinkedHashMap<>();
        for (YamlNode instance : instances) {
            offsets.put(instance, offset);
            offset += instance.need("count").integer();
        }
        return offsets.keySet().stream()
                .filter(instance -> instance.need("memMiB").number() >= memoryMib)
                .sorted(Comparator.comparingLong(
                        instance -> instance.need("memMiB").number()))
                .flatMap(instance -> freePosition(instance, inUse).stream()
                        .map(position -> Answers.object()
                                .put("fits", true)
                                .put(
                                        "instance",
                                        "[" + geometry.at("group").textOr("") + "-"
                                                + (offsets.getOrDefault(instance, 0) + position) + "]")
                                .put("memMiB", instance.need("memMiB").number())))
                .findFirst();
    }

    /** The first position of a profile that nobody holds; none of a profile that is not in use while others are. */
    private static Optional<Integer> freePosition(YamlNode instance, List<YamlNode> inUse) {
        String name = instance.need("name").text();
        int count = instance.need("count").integer();
        if (inUse.isEmpty()) {
            return fits(name, count) ? Optional.of(0) : Optional.empty();
        }
        for (YamlNode used : inUse) {
            Set<Integer> taken = new HashSet<>();
            used.at("usedPositions").list().forEach(position -> taken.add(position.integer()));
            if (used.need("name").text().equals(name) && fits(name, count - taken.size())) {
                return IntStream.range(0, count)
                        .filter(position -> !taken.contains(position))
                        .boxed()
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    private static boolean fits(String profile, int left) {
        if (left < 1) {
            return false;
        }
        PartitionGeometry geometry = PartitionGeometry.of(
                        "instances", 0, NamedAmounts.NONE, List.of(PartitionProfile.template(profile, left)))
                .withAlwaysCut(true);
        Gpu gpu = Gpu.of(0, "gpu", GpuModel.of("nvidia", "gpu", 0)).withPartitions(geometry);
        Cluster cluster = Cluster.of(List.of(Node.builder("node").gpu(gpu).build()));
        Pod pod = Pod.of("pod", Resources.NONE, GpuRequest.partition(profile, 1));
        return GpuScheduler.create().schedule(cluster, pod) instanceof Placed placed
                && placed.placement().containers().get(0).gpus() instanceof GpuGrant.Partitions;
    }
}
