package io.gpusched.cli.place;

import io.gpusched.dialect.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.List;

/**
 * GPUs of one kind in the library's own form: {@code {count: 4, model: A100, memory: 80Gi}}, cut on demand with {@code mig:
 * A100_80GB}.
 *
 * @param gpus the GPUs by index
 */
record PlainGpus(List<Gpu> gpus) {
    /**
     * Reads one entry.
     *
     * @param node the name of the node
     * @param first the index of its first GPU on the node
     */
    static PlainGpus read(YamlNode kind, String node, int first) {
        kind.only("count", "model", "vendor", "memory", "slots", "numa", "uuids", "unhealthy", "mig");
        List<String> uuids = kind.at("uuids").textList();
        int count = count(kind, uuids);
        long mib = kind.at("memory")
                .build(() -> Quantity.parse(kind.at("memory").textOr("0")).mibFloor());
        GpuModel model = kind.build(() ->
                GpuModel.of(kind.at("vendor").textOr("nvidia"), kind.at("model").textOr("gpu"), mib));
        List<String> unhealthy = kind.at("unhealthy").textList();
        PartitionGeometry partitions = kind.at("mig").isPresent()
                ? kind.at("mig").oneOf(MigGeometry.class).geometry()
                : PartitionGeometry.NONE;
        List<Gpu> gpus = new ArrayList<>();
        for (int index = first; index < first + count; index++) {
            int at = index;
            String uuid = uuids.isEmpty() ? node + "-gpu-" + index : uuids.get(index - first);
            gpus.add(kind.build(() -> Gpu.of(at, uuid, model)
                    .withSlots(kind.at("slots").integerOr(Gpu.DEFAULT_SLOTS))
                    .withPartitions(partitions)
                    .withNumaNode(kind.at("numa").integerOr(-1))
                    .withHealthy(!unhealthy.contains(String.valueOf(at)))));
        }
        return new PlainGpus(gpus);
    }

    /** The count, or as many as have a UUID; the two must agree. */
    private static int count(YamlNode kind, List<String> uuids) {
        int count = kind.at("count").integerOr(uuids.isEmpty() ? 1 : uuids.size());
        if (count < 0 || count > Node.MAX_GPUS) {
            throw kind.at("count").error("must be in 0.." + Node.MAX_GPUS + ", got " + count);
        }
        if (!uuids.isEmpty() && uuids.size() != count) {
            throw kind.at("uuids").error("must be as many as count, " + count + ", got " + uuids.size());
        }
        return count;
    }
}
