package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps T9k's taint on its nodes for whole GPUs, and off all others: a pod that does not ask for a whole GPU stays away from
 * them, whichever scheduler places it.
 */
public final class TaintKeeper {
    private static final String WHOLE_GPUS = "xgn";

    private final ApiWriter writer;

    /** Creates it. */
    public TaintKeeper(ApiWriter writer) {
        this.writer = writer;
    }

    private record Key(String node) {}

    /** Looks at a node, and writes in the background if its taints must change; another change of the node comes back here. */
    public void look(Node node) {
        Key key = new Key(node.getMetadata().getName());
        taints(node)
                .ifPresentOrElse(
                        taints -> writer.put(Lane.STATUSES, key, 0, () -> write(node, taints)),
                        () -> writer.forget(key));
    }

    /** Returns the taints that a node should have, or nothing if it has them. */
    static Optional<List<Taint>> taints(Node node) {
        Map<String, String> labels =
                Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
        boolean wanted = WHOLE_GPUS.equals(labels.get(T9kDialect.NODE_ALLOC_MODE));
        List<Taint> taints = new ArrayList<>(
                node.getSpec() == null ? List.of() : node.getSpec().getTaints());
        boolean there = taints.stream().anyMatch(TaintKeeper::isMark);
        if (wanted == there) {
            return Optional.empty();
        }
        if (wanted) {
            taints.add(new TaintBuilder()
                    .withKey(T9kDialect.XGN_TAINT.key())
                    .withValue(T9kDialect.XGN_TAINT.value())
                    .withEffect("NoSchedule")
                    .build());
        } else {
            taints.removeIf(TaintKeeper::isMark);
        }
        return Optional.of(taints);
    }

    private static boolean isMark(Taint taint) {
        return T9kDialect.XGN_TAINT.key().equals(taint.getKey());
    }

    private @Nullable Write write(Node node, List<Taint> taints) {
        Map<String, String> seen = Map.of("resourceVersion", node.getMetadata().getResourceVersion());
        writer.requests()
                .patch(
                        "/api/v1/nodes/" + node.getMetadata().getName(),
                        ApiWrites.MERGE,
                        Map.of("metadata", seen, "spec", Map.of("taints", taints)));
        return null;
    }
}
