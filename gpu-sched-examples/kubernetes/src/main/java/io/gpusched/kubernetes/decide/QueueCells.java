package io.gpusched.kubernetes.decide;

import io.gpusched.decision.ReducedGuarantee;
import java.util.List;

/**
 * What a queue has of its shapes.
 *
 * @param queue its name
 * @param unhonoured the fields that name a level or model which the cluster does not have, each with why
 * @param missing the cells that it owns and does not have
 */
public record QueueCells(String queue, List<String> unhonoured, List<ReducedGuarantee> missing) {
    /** Copies the lists. */
    public QueueCells {
        unhonoured = List.copyOf(unhonoured);
        missing = List.copyOf(missing);
    }
}
