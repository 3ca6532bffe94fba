package io.gpusched.simulator.paper;

import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.PodPlacer;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.trace.Workload;
import java.util.List;

/** The policies of the paper by name. */
public final class PaperPolicies {
    /** What the names of these policies end in. */
    public static final String SUFFIX = "-paper";

    /** The names, in the order of the paper's tables. */
    public static final List<String> NAMES = List.of(
            "random-paper",
            "dot-product-paper",
            "gpu-clustering-paper",
            "gpu-packing-paper",
            "best-fit-paper",
            "fgd-paper");

    private PaperPolicies() {}

    /**
     * Returns a placer for one run.
     *
     * @param name one of {@link #NAMES}
     * @throws IllegalArgumentException if the name is none of them
     */
    public static PodPlacer placer(String name, Workload workload, ArrivalSequence arrivals, TypicalMix mix) {
        PaperNodes nodes = new PaperNodes(workload, arrivals.nodeRanks());
        PaperPolicy policy = switch (name) {
            case "random-paper" -> new RandomPaper(arrivals.seed());
            case "dot-product-paper" -> new DotProductPaper();
            case "gpu-clustering-paper" -> new GpuClusteringPaper();
            case "gpu-packing-paper" -> new GpuPackingPaper();
            case "best-fit-paper" -> new BestFitPaper();
            case "fgd-paper" -> new FgdPaper(mix, nodes);
            default ->
                throw new IllegalArgumentException(
                        "policy must be one of " + String.join(", ", NAMES) + ", got \"" + name + "\"");
        };
        return new PaperPlacer(nodes, policy);
    }
}
