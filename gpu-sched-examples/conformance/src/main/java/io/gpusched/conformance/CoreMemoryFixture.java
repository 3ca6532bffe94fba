package io.gpusched.conformance;

import io.gpusched.manifests.yaml.YamlNode;

/** Reads GPUs that are described by core in percent and memory in some unit. */
public final class CoreMemoryFixture {
    private CoreMemoryFixture() {}

    /** Returns a GPU whose memory unit is a MiB. */
    public static NodeFixture.Device device(YamlNode gpu) {
        return device(gpu, 1);
    }

    /** Returns a GPU whose memory unit has this many MiB; what is not said to be in use is free. */
    public static NodeFixture.Device device(YamlNode gpu, long unitMib) {
        int coreTotal = gpu.at("coreTotal").integerOr(100);
        int coreFree = gpu.at("coreFree").integerOr(coreTotal);
        long memoryFree = gpu.at("memFree").numberOr(gpu.at("memTotal").numberOr(0));
        long memoryTotal = gpu.at("memTotal").numberOr(memoryFree);
        if (coreTotal != 100) {
            throw gpu.at("coreTotal").error("must be 100");
        }
        if (coreFree < 0 || coreFree > coreTotal) {
            throw gpu.at("coreFree").error("must be in 0.." + coreTotal);
        }
        if (memoryFree < 0 || memoryFree > memoryTotal) {
            throw gpu.at("memFree").error("must be in 0.." + memoryTotal);
        }
        return new NodeFixture.Device(
                memoryTotal * unitMib,
                10 * (coreTotal - coreFree),
                (memoryTotal - memoryFree) * unitMib,
                gpu.at("healthy").isTrueOr(true));
    }
}
