package io.gpusched.json;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** GPUs of a node that follow each other and are of one hardware, as they are written. */
record GpuForm(
        int count,
        GpuModel model,
        int computeMillis,
        Optional<Long> memoryMib,
        int slots,
        int numaNode,
        PartitionGeometry partitions) {
    static List<GpuForm> of(List<Gpu> gpus) {
        List<GpuForm> forms = new ArrayList<>();
        for (int first = 0; first < gpus.size(); ) {
            int next = first + 1;
            while (next < gpus.size() && gpus.get(next).hasSameHardware(gpus.get(first))) {
                next++;
            }
            forms.add(of(gpus.get(first), next - first));
            first = next;
        }
        return forms;
    }

    private static GpuForm of(Gpu gpu, int count) {
        boolean all = gpu.memoryMib() == gpu.model().memoryMib();
        return new GpuForm(
                count,
                gpu.model(),
                gpu.computeMillis(),
                all ? Optional.empty() : Optional.of(gpu.memoryMib()),
                gpu.slots(),
                gpu.numaNode(),
                gpu.partitions());
    }

    Gpu gpu(int index, String uuid, boolean healthy) {
        long memory = memoryMib.orElse(model.memoryMib());
        return new Gpu(index, uuid, model, computeMillis, memory, slots, numaNode, healthy, partitions);
    }
}
