package io.gpusched.conformance.emulation;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What kube-scheduler 1.37 does with several extenders in a row: each is asked about the nodes that the one before left. */
public final class ExtenderChain {
    private ExtenderChain() {}

    /**
     * An extender.
     *
     * @param filter returns which of some nodes are left; nothing if it answers with an error
     * @param ignorable whether its errors are passed over
     */
    public record Link(Function<List<String>, Optional<List<String>>> filter, boolean ignorable) {}

    /** Returns the nodes that all leave; nothing if one that is not ignorable answers with an error. */
    public static Optional<List<String>> left(List<String> nodes, List<Link> extenders) {
        List<String> left = nodes;
        for (Link extender : extenders) {
            if (left.isEmpty()) {
                break;
            }
            Optional<List<String>> answer = extender.filter().apply(left);
            if (answer.isEmpty() && !extender.ignorable()) {
                return Optional.empty();
            }
            left = answer.orElse(left);
        }
        return Optional.of(left);
    }
}
