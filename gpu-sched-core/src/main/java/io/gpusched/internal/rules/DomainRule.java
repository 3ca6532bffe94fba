package io.gpusched.internal.rules;

import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason.Code;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A rule of one pod at one snapshot: a condition on one label of a node, and on what is counted in the domain that it names.
 *
 * @param code under which reason a node is counted that does not meet it
 * @param fact says what is demanded, and which pods keep the pod away
 * @param key the label
 * @param test what must hold
 * @param counts what is counted by domain
 * @param most the greatest count, for {@link Test#AT_MOST}
 * @param counted which pods are counted; null if they are not told
 */
record DomainRule(
        Code code,
        Function<List<PodId>, Fact> fact,
        String key,
        Test test,
        DomainCounts counts,
        long most,
        @Nullable TallyKey counted) {
    /** The label that each node has with a value of its own. */
    private static final String HOSTNAME = "kubernetes.io/hostname";

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
        String domain = Places.domain(key, node);
        return switch (test) {
            case PRESENT -> domain != null;
            case SOME -> counts.get(domain) > 0;
            case NONE -> domain == null || counts.get(domain) == 0;
            case AT_MOST -> domain != null && counts.get(domain) <= most;
        };
    }

    /**
     * Returns what a node that joins must meet to be admitted for certain; empty if any will do, null if that cannot be told. A domain of
     * one node is taken for one that no other node can join.
     *
     * @param nodes how many nodes are in each domain
     */
    @Nullable
    List<NodeRequirement> ofNewNode(DomainCounts nodes) {
        if (key.equals(NodeRequirement.NAME) || key.equals(HOSTNAME)) {
            return test == Test.SOME ? null : List.of();
        }
        if (Places.isOfLevelFirst(key)) {
            return null;
        }
        List<String> values = new ArrayList<>();
        counts.forEach((domain, count) -> {
            if (!Places.isOfLevel(domain)
                    && count > (test == Test.AT_MOST ? most : 0)
                    && (test != Test.SOME || nodes.get(domain) > 1)) {
                values.add(domain);
            }
        });
        Collections.sort(values);
        if (test == Test.SOME) {
            return values.isEmpty() ? null : List.of(new NodeRequirement(key, Operator.IN, values));
        }
        List<NodeRequirement> requirements = new ArrayList<>();
        if (test != Test.NONE) {
            requirements.add(NodeRequirement.exists(key));
        }
        if (test != Test.PRESENT && !values.isEmpty()) {
            requirements.add(new NodeRequirement(key, Operator.NOT_IN, values));
        }
        return requirements;
    }
}
