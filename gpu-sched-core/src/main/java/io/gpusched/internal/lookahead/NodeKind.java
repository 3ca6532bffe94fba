package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeMode;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What decides which demands may use the GPUs of a node: its mode and the models of its GPUs. A value; it keeps its hash, for
 * it is looked up all the time.
 *
 * <p>On a node with GPUs of several models a demand counts as accepted if it accepts any of them.
 */
public final class NodeKind {
    /** Any order that is the same for equal sets of kinds. */
    static final Comparator<NodeKind> ORDER =
            Comparator.comparing((NodeKind kind) -> kind.mode).thenComparing(kind -> String.join("|", kind.models));

    private final NodeMode mode;
    private final TreeSet<String> models;
    private final int hash;

    NodeKind(NodeMode mode, Set<String> models) {
        this.mode = mode;
        this.models = new TreeSet<>(models);
        this.hash = mode.name().hashCode() * 31 + models.hashCode();
    }

    /** Returns the kind of a node of whose GPUs the first stands for all. */
    public static NodeKind ofFirstGpu(NodeClass nodeClass) {
        List<Gpu> gpus = nodeClass.gpus();
        return new NodeKind(
                nodeClass.mode(),
                gpus.isEmpty() ? Set.of() : Set.of(gpus.get(0).model().name()));
    }

    static NodeKind of(NodeClass nodeClass) {
        Set<String> models = new TreeSet<>();
        for (Gpu gpu : nodeClass.gpus()) {
            models.add(gpu.model().name());
        }
        return new NodeKind(nodeClass.mode(), models);
    }

    boolean hasGpus() {
        return !models.isEmpty();
    }

    /** Whether pods of this demand may run here, sizes aside; pods without GPUs run anywhere. */
    public boolean accepts(Demand demand) {
        if (demand.gpuCount() == 0) {
            return true;
        }
        return demand.isWhole() ? acceptsWhole(demand.models()) : mode.admitsShares() && has(demand.models());
    }

    /** Whether pods that ask for whole GPUs of these models may run here; of any model if none is named. */
    boolean acceptsWhole(Set<String> accepted) {
        return mode.admitsWhole() && has(accepted);
    }

    private boolean has(Set<String> accepted) {
        return hasGpus() && (accepted.isEmpty() || accepted.stream().anyMatch(models::contains));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof NodeKind kind
                        && hash == kind.hash
                        && mode == kind.mode
                        && models.equals(kind.models);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return mode + " " + models;
    }
}
