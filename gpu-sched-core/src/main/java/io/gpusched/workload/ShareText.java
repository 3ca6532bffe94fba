package io.gpusched.workload;

import io.gpusched.model.Gpu;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** What a share of GPUs is in words, its selector aside. */
final class ShareText {
    private ShareText() {}

    static String of(GpuRequest.Share share) {
        List<String> parts = new ArrayList<>();
        if (share.computeMillis() > 0) {
            parts.add(compute(share.computeMillis()));
        }
        if (asksOtherMemory(share)) {
            parts.add(share.memory().toString());
        }
        if (share.slots() > 1 || parts.isEmpty()) {
            parts.add(share.slots() + (share.slots() == 1 ? " slot" : " slots"));
        }
        return String.join(", ", parts) + (share.count() > 1 ? " on each of " + share.count() + " GPUs" : "");
    }

    /** Whether more than the same percentage of memory and compute is asked for. */
    private static boolean asksOtherMemory(GpuRequest.Share share) {
        return share.memory() instanceof GpuMemory.Percent same
                ? 10 * same.percent() != share.computeMillis()
                : share.memory().on(0) > 0;
    }

    /** Where compute is given away more than once, more than a whole may be asked of one GPU; it is not several GPUs. */
    private static String compute(int millis) {
        if (millis > Gpu.WHOLE_COMPUTE_MILLIS) {
            return millis + "m compute of one GPU";
        }
        String gpus = BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
        return gpus + (millis == Gpu.WHOLE_COMPUTE_MILLIS ? " GPU" : " GPUs");
    }
}
