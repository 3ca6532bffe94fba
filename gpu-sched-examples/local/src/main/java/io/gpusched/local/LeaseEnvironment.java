package io.gpusched.local;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What a child process must be told to stay within a lease. */
final class LeaseEnvironment {
    private static final String MPS = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE";

    private LeaseEnvironment() {}

    static Map<String, String> of(Node node, Placement placement) {
        Map<String, String> variables = new TreeMap<>(VisibleGpus.showing(node, placement.gpus()));
        GpuGrant grant = placement.containers().get(0).gpus();
        if (grant instanceof GpuGrant.Shared shared
                && node.gpus().get(0).model().vendor().equals("nvidia")) {
            int millis = shared.shares().get(0).computeMillis();
            if (millis > 0 && millis < Gpu.WHOLE_COMPUTE_MILLIS) {
                variables.put(MPS, String.valueOf(Math.max(1, millis / 10)));
            }
        }
        return Collections.unmodifiableMap(variables);
    }
}
