package io.gpusched.conformance.emulation;

import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuDevice.Amount;
import io.gpusched.dialect.vgpu.VgpuRequest;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Short ways to write GPUs and requests of HAMi and Volcano. */
final class Vgpus {
    static final int MEMORY = 16_000;

    private Vgpus() {}

    /** An idle GPU of 10 slots, 16,000 MiB and 100 percent compute. */
    static VgpuDevice gpu(String id) {
        return gpu(id, 0, 0, 0, 0);
    }

    /** A GPU on a NUMA node with this much in use. */
    static VgpuDevice gpu(String id, int numa, long users, long memoryMib, long cores) {
        int index = id.charAt(id.length() - 1) - '0';
        return new VgpuDevice(
                id,
                index,
                numa,
                "NVIDIA-A100",
                "hami-core",
                true,
                new Amount(users, 10),
                new Amount(memoryMib, MEMORY),
                new Amount(cores, 100));
    }

    static VgpuRequest ask(int count, long memoryMib, long cores) {
        return new VgpuRequest(count, "NVIDIA", memoryMib, OptionalInt.empty(), cores);
    }

    static VgpuRequest askPercent(int count, int percent, long cores) {
        return new VgpuRequest(count, "NVIDIA", 0, OptionalInt.of(percent), cores);
    }

    static HamiNode node(VgpuDevice... gpus) {
        return new HamiNode("n1", java.util.List.of(gpus), Set.of(), HamiTopology.UNKNOWN);
    }

    static HamiPodRules rules(String... annotations) {
        Map<String, String> map = new java.util.TreeMap<>();
        for (int i = 0; i < annotations.length; i += 2) {
            map.put(annotations[i], annotations[i + 1]);
        }
        return HamiPodRules.of(map);
    }
}
