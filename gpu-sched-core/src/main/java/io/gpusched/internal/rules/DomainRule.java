package io.gpusched.internal.rules;

import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason.Code;
import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;

/**
 * A rule of one pod at one snapshot: a condition on one label of a node, and on what is counted in the domain that it names.
 *
 * @param code under which reason a node is counted that does not meet it
 * @param fact what is demanded
 * @param key the label
 * @param test what must hold
 * @param counts what is counted by domain
 * @param most the greatest count, for {@link Test#AT_MOST}
 */
record DomainRule(Code code, Fact fact, String key, Test test, DomainCounts counts, long most) {
    /** What must hold of the domain of a node. */
    enum Test {
        /** The node has the label. */
        PRESENT,
        /** The node has the label, and something is counted there. */
        SOME,
        /** Nothing is counted there, or the node does not have the label. */
        NONE,
        /** The node has the label, and no more than so many are counted there. */
        AT_MOST
    }

    boolean admits(Node node) {
        String domain = NodeRequirement.value(key, node);
        return switch (test) {
            case PRESENT -> domain != null;
            case SOME -> counts.get(domain) > 0;
            case NONE -> domain == null || counts.get(domain) == 0;
            case AT_MOST -> domain != null && counts.get(domain) <= most;
        };
    }
}
