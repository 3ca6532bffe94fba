package io.gpusched.local;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Path;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Machines for tests. */
final class Machines {
    static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);

    private Machines() {}

    /** GPUs {@code GPU-a0}, {@code GPU-b1}, ... without links. */
    static Node node(int gpus) {
        Node.Builder node = Node.builder("local");
        for (int i = 0; i < gpus; i++) {
            node.gpu(Gpu.of(i, "GPU-" + (char) ('a' + i) + i, A100));
        }
        return node.build();
    }

    /** GPUs of which i and i + gpus/2 have NVLinks. */
    static Node pairs(int gpus) {
        List<List<Link>> matrix = new ArrayList<>();
        for (int a = 0; a < gpus; a++) {
            List<Link> row = new ArrayList<>();
            for (int b = 0; b < gpus; b++) {
                row.add(Link.of(Path.SYS, Math.abs(a - b) == gpus / 2 ? 4 : 0));
            }
            matrix.add(row);
        }
        return node(gpus).toBuilder().links(GpuLinks.of(matrix, List.of())).build();
    }

    /** A machine whose program sees all GPUs. */
    static GpuMachine machine(Node node) {
        return machine(node, Map.of());
    }

    static GpuMachine machine(Node node, Map<String, String> environment) {
        return GpuMachine.builder().node(node).environment(environment).build();
    }
}
