package io.gpusched.decision;

import io.gpusched.check.Checks;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Objects;

/**
 * Why a pod goes where it does.
 *
 * @param candidates the place that is taken, and after it the runners-up: where the pod would go without the nodes before
 * @param decidedBy what put the first before the second
 */
public record Choice(List<Candidate> candidates, Rule decidedBy) {
    /** What puts one place before another, in the order in which it is asked. */
    public enum Rule {
        /** There is no other. */
        ONLY_PLACE,
        /** A more wanted alternative of the request fits there. */
        ALTERNATIVE,
        /** The pod, or pods that run, prefer it, or it has fewer taints that are to be avoided. */
        PREFERENCE,
        /** The policy scores it higher. */
        SCORE,
        /** Nothing but the order of nodes, or the draw of a policy that draws. */
        ORDER
    }

    /**
     * A place for the pod.
     *
     * @param score what the policy says of it; the highest wins
     */
    public record Candidate(Placement placement, long score) {
        /** Checks that nothing is missing. */
        public Candidate {
            Objects.requireNonNull(placement, "placement");
        }
    }

    /** Copies the list. */
    public Choice {
        Objects.requireNonNull(decidedBy, "decidedBy");
        candidates = Checks.list("candidates", candidates);
    }
}
