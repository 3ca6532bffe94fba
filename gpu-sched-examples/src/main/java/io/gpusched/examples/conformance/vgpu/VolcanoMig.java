package io.gpusched.examples.conformance.vgpu;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.decision.Placed;
import io.gpusched.examples.conformance.Answers;
import io.gpusched.examples.conformance.VectorCase;
import io.gpusched.examples.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.NamedAmounts;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Volcano's GPUs that are cut to one of a few geometries: a request takes the smallest instance with enough memory. */
final class VolcanoMig {
    private VolcanoMig() {}

    static ObjectNode instance(VectorCase vector) {
        YamlNode given = vector.given();
        YamlNode active =
                given.need("geometries").list().get(given.at("activeGeometry").integerOr(0));
        long memoryMib = vector.request().need("memMiB").number();
        List<YamlNode> instances = new ArrayList<>(given.need("instances").list());
        instances.sort(Comparator.comparingLong(one -> one.need("memMiB").number()));
        for (YamlNode instance : instances) {
            int used = instance.at("usedPositions").list().size();
            int count = count(active, instance.need("name").text());
            if (instance.need("memMiB").number() >= memoryMib
                    && fits(instance.need("name").text(), count - used)) {
                return Answers.object()
                        .put("fits", true)
                        .put(
                                "instance",
                                given.need("gpuId").text() + "["
                                        + active.need("group").text() + "-" + used + "]")
                        .put("memMiB", instance.need("memMiB").number());
            }
        }
        return Answers.object().put("fits", false);
    }

    private static int count(YamlNode geometry, String name) {
        return geometry.need("instances").list().stream()
                .filter(one -> one.need("name").text().equals(name))
                .mapToInt(one -> one.need("count").integer())
                .sum();
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
