package io.gpusched.internal.diagnosis;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts what a pod asks, and amounts, into words. */
public final class Asked {
    private final PodDemand demand;

    public Asked(PodDemand demand) {
        this.demand = demand;
    }

    /** The GPU requests, such as {@code 2 whole gpus} or {@code 0.3 of a GPU}. */
    public String gpus() {
        List<String> parts = new ArrayList<>();
        for (Container container : demand.gpuContainers()) {
            parts.add(gpus(container.gpu()));
        }
        return parts.isEmpty() ? "no GPU" : String.join(" and ", parts);
    }

    private static String gpus(GpuRequest request) {
        if (!(request instanceof GpuRequest.Share share)) {
            return request.toString();
        }
        List<String> parts = new ArrayList<>();
        if (share.computeMillis() > 0) {
            parts.add(gpus(share.computeMillis()));
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

    /** Whether memory is asked for, and not just as the same percentage as the compute. */
    private static boolean asksMemory(GpuRequest.Share share) {
        return share.memory() instanceof GpuMemory.Percent percent
                ? 10 * percent.percent() != share.computeMillis()
                : share.memory().on(0) > 0;
    }

    /** What is free of shared GPUs next to what is asked: compute if compute is asked, and memory if memory is. */
    public String freeShares(long millis, long mostMillis, long mib, long mostMib) {
        boolean compute = false;
        boolean memory = false;
        for (Container container : demand.gpuContainers()) {
            if (container.gpu() instanceof GpuRequest.Share share) {
                compute |= share.computeMillis() > 0;
                memory |= asksMemory(share);
            }
        }
        List<String> parts = new ArrayList<>();
        if (compute || !memory) {
            parts.add(gpus(millis) + " free in total, at most " + decimals(mostMillis) + " on one GPU");
        }
        if (memory) {
            parts.add(mib + " MiB of GPU memory free in total, at most " + mostMib + " MiB on one GPU");
        }
        return String.join("; ", parts) + "; asked " + gpus();
    }

    /** The label requirements in the words of Kubernetes, alternatives joined by "or". */
    public String labels() {
        List<String> terms = new ArrayList<>();
        for (NodeSelector.Term term : demand.pod().nodeSelector().terms()) {
            terms.add(String.join(
                    " and ", term.requirements().stream().map(Asked::words).toList()));
        }
        return String.join(" or ", terms);
    }

    private static String words(NodeRequirement requirement) {
        String values = requirement.values().isEmpty() ? "" : " " + String.join("|", requirement.values());
        return requirement.key() + " "
                + requirement.operator().name().toLowerCase(Locale.ROOT).replace('_', ' ') + values;
    }

    /** An amount of compute as a number of GPUs: 1400 is {@code 1.4 GPUs}. */
    public static String gpus(long millis) {
        return decimals(millis) + (millis == 1_000 ? " GPU" : " GPUs");
    }

    /** Thousandths as a decimal number without trailing zeros: 250 is {@code 0.25}. */
    public static String decimals(long millis) {
        String digits = String.format(Locale.ROOT, "%03d", millis % 1_000).replaceAll("0+$", "");
        return millis / 1_000 + (digits.isEmpty() ? "" : "." + digits);
    }

    /** A number of things: {@code 1 GPU}, {@code 2 GPUs}. */
    public static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
