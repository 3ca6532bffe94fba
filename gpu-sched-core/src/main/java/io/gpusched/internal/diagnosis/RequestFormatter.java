package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount.Quantity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Gpu;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says in words what a pod asks. */
final class RequestFormatter {
    private final PodDemand demand;

    RequestFormatter(PodDemand demand) {
        this.demand = demand;
    }

    /** The GPU requests, such as {@code 2 whole gpus} or {@code 0.3 of a GPU}. */
    String gpus() {
        List<String> parts = new ArrayList<>();
        for (Container container : demand.gpuContainers()) {
            parts.add(gpus(container.gpu()));
        }
        return parts.isEmpty() ? "no GPU" : String.join(" and ", parts);
    }

    private static String gpus(GpuRequest request) {
        return request.takesPart() ? share(request) : request.toString();
    }

    private static String share(GpuRequest share) {
        List<String> parts = new ArrayList<>();
        if (share.computeMillis() > 0) {
            parts.add(compute(share.computeMillis()));
        }
        if (asksMemory(share) || share.computeMillis() == 0) {
            parts.add(share.memory().toString());
        }
        if (share.slots() > 1) {
            parts.add(share.slots() + " slots");
        }
        String selector = share.selector().toString();
        return String.join(", ", parts)
                + (share.count() > 1 ? " on each of " + share.count() + " GPUs" : "")
                + (selector.equals("any gpu") ? "" : " " + selector);
    }

    /** More than a whole is asked of one GPU whose compute is given away more than once; it is not several GPUs. */
    private static String compute(int millis) {
        return millis > Gpu.WHOLE_COMPUTE_MILLIS
                ? millis + "m compute of one GPU"
                : Quantity.GPU_COMPUTE_MILLIS.inWords(millis);
    }

    /** Whether memory is asked for, and not just as the same percentage as the compute. */
    private static boolean asksMemory(GpuRequest share) {
        return share.memory() instanceof GpuMemory.Percent percent
                ? 10 * percent.percent() != share.computeMillis()
                : share.memory().on(0) > 0;
    }

    /** Whether any share asks for compute. */
    boolean asksCompute() {
        return demand.gpuContainers().stream()
                .anyMatch(container -> container.gpu().computeMillis() > 0);
    }

    /** Whether any share asks for memory, and not just as the same percentage as its compute. */
    boolean asksMemory() {
        return demand.gpuContainers().stream().anyMatch(container -> asksMemory(container.gpu()));
    }

    /** The most compute that any share asks for of one GPU. */
    long computeMillis() {
        long most = 0;
        for (Container container : demand.gpuContainers()) {
            most = Math.max(most, container.gpu().computeMillis());
        }
        return most;
    }

    /** The most memory that any share asks for of one GPU; 0 where that depends on the GPU. */
    long memoryMib() {
        long most = 0;
        for (Container container : demand.gpuContainers()) {
            most = Math.max(most, container.gpu().memory().on(0));
        }
        return most;
    }

    /** The label requirements in the words of Kubernetes, alternatives joined by "or". */
    String labels() {
        List<String> terms = new ArrayList<>();
        for (NodeSelector.Term term : demand.pod().nodeSelector().terms()) {
            terms.add(String.join(
                    " and ",
                    term.requirements().stream().map(RequestFormatter::words).toList()));
        }
        return String.join(" or ", terms);
    }

    private static String words(NodeRequirement requirement) {
        String values = requirement.values().isEmpty() ? "" : " " + String.join("|", requirement.values());
        return requirement.key() + " "
                + requirement.operator().name().toLowerCase(Locale.ROOT).replace('_', ' ') + values;
    }
}
