package io.gpusched.examples.kubernetes.decide;

import io.gpusched.model.Placement;
import java.util.List;
import java.util.Map;

/**
 * A decision to write: a pod goes to a node.
 *
 * @param pod the pod as it was decided on
 * @param placement where it goes
 * @param annotations what is written on it in the same write
 * @param labels what is written on it in the same write
 * @param claims volume claims that must be told the node, and become bound, before the pod is
 */
public record Binding(
        PendingPod pod,
        Placement placement,
        Map<String, String> annotations,
        Map<String, String> labels,
        List<String> claims) {}
