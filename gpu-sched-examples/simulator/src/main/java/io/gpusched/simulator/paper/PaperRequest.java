package io.gpusched.simulator.paper;

import io.gpusched.simulator.TypicalShape;

/**
 * What a pod asks, decoded for the scan.
 *
 * @param shape what it asks, memory aside
 * @param index number of the shape among those seen, from 0; caches are kept by it
 * @param memoryMib memory in MiB
 * @param acceptsModel whether the models of the cluster are accepted, by model number
 */
record PaperRequest(TypicalShape shape, int index, long memoryMib, AcceptedModels acceptsModel) {
    /** Models by number. */
    interface AcceptedModels {
        /** Returns whether the model is accepted. */
        boolean test(int model);
    }

    long cpuMillis() {
        return shape.cpuMillis();
    }

    int gpus() {
        return shape.gpus();
    }

    int gpuMillis() {
        return shape.gpuMillis();
    }

    boolean isShare() {
        return shape.gpus() == 1 && shape.gpuMillis() < 1_000;
    }

    long totalGpuMillis() {
        return (long) shape.gpus() * shape.gpuMillis();
    }
}
