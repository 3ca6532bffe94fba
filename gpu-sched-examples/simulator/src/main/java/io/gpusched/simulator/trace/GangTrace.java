package io.gpusched.simulator.trace;

import io.gpusched.model.Node;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;

/** Machines for lists of training jobs: equal nodes, sixteen to a rack. */
public final class GangTrace {
    private static final int GPUS_A_NODE = 8;
    private static final int NODES_A_RACK = 16;
    private static final long GPU_CPU_MILLIS = 12_000;
    private static final long GPU_MEMORY_MIB = 98_304;

    private GangTrace() {}

    /** Returns this many nodes of 8 GPUs, 96 cores and 768 GiB, sixteen to a rack. */
    public static List<Node> nodes(int count) {
        return nodes(count, GPUS_A_NODE);
    }

    /** Returns this many nodes with as many GPUs each, 12 cores and 96 GiB for each GPU, sixteen nodes to a rack. */
    public static List<Node> nodes(int count, int gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(OpenbTrace.node(String.format("node-%04d", i), gpus * GPU_CPU_MILLIS, gpus * GPU_MEMORY_MIB)
                    .topology(Topology.of(TraceJob.RACK, String.format("r%03d", i / NODES_A_RACK)))
                    .gpus(gpus, OpenbTrace.model("V100"))
                    .build());
        }
        return nodes;
    }
}
