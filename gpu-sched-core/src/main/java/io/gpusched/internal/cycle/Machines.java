package io.gpusched.internal.cycle;

import io.gpusched.model.NodeState;

/** Compares nodes, whatever runs on them. */
final class Machines {
    private Machines() {}

    /** Whether a node is the same machine in the same health. */
    static boolean isAlike(NodeState was, NodeState is) {
        if (!was.node().equals(is.node()) || was.isHealthy() != is.isHealthy()) {
            return false;
        }
        for (int gpu = 0; gpu < is.gpuCount(); gpu++) {
            if (was.isHealthy(gpu) != is.isHealthy(gpu)) {
                return false;
            }
        }
        return true;
    }
}
