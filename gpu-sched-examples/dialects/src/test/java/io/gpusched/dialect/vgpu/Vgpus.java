package io.gpusched.dialect.vgpu;

import io.gpusched.dialect.vgpu.VgpuDevice.Amount;
import java.util.OptionalInt;

/** Short ways to write GPUs and requests of HAMi and Volcano. */
public final class Vgpus {
    public static final int MEMORY = 16_000;

    private Vgpus() {}

    /** An idle GPU of 10 slots, 16,000 MiB and 100 percent compute. */
    public static VgpuDevice gpu(String id) {
        return gpu(id, 0, 0, 0, 0);
    }

    /** A GPU on a NUMA node with this much in use. */
    public static VgpuDevice gpu(String id, int numa, long users, long memoryMib, long cores) {
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

    public static VgpuRequest ask(int count, long memoryMib, long cores) {
        return new VgpuRequest(count, "NVIDIA", memoryMib, OptionalInt.empty(), cores);
    }

    public static VgpuRequest askPercent(int count, int percent, long cores) {
        return new VgpuRequest(count, "NVIDIA", 0, OptionalInt.of(percent), cores);
    }
}
