package io.gpusched.conformance.emulation;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who holds what of one GPU, kept from a stream of events that may repeat: adding a pod that is there, or removing one
 * that is not, changes nothing. Immutable.
 *
 * @param pods what each pod holds
 */
public record VgpuLedger(Map<String, VgpuShare> pods) {
    /** Nobody holds anything. */
    public static final VgpuLedger EMPTY = new VgpuLedger(Map.of());

    /** Copies the map. */
    public VgpuLedger {
        pods = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(pods));
    }

    /** Returns this ledger with a pod, or unchanged if the pod is in it. */
    public VgpuLedger with(String pod, VgpuShare share) {
        Map<String, VgpuShare> more = new LinkedHashMap<>(pods);
        return more.putIfAbsent(pod, share) == null ? new VgpuLedger(more) : this;
    }

    /** Returns this ledger without a pod, or unchanged if the pod is not in it. */
    public VgpuLedger without(String pod) {
        Map<String, VgpuShare> fewer = new LinkedHashMap<>(pods);
        return fewer.remove(pod) == null ? this : new VgpuLedger(fewer);
    }

    /** Returns a GPU of this hardware with the pods of this ledger as its only users; it may turn out over-booked. */
    public VgpuDevice on(VgpuDevice gpu) {
        VgpuDevice used = new VgpuDevice(
                gpu.id(),
                gpu.index(),
                gpu.numa(),
                gpu.type(),
                gpu.mode(),
                gpu.healthy(),
                new VgpuDevice.Amount(0, gpu.slots().total()),
                new VgpuDevice.Amount(0, gpu.memoryMib().total()),
                new VgpuDevice.Amount(0, gpu.cores().total()));
        for (VgpuShare share : pods.values()) {
            used = used.plus(share);
        }
        return used;
    }
}
