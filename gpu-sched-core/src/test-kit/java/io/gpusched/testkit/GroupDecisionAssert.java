package io.gpusched.testkit;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import io.gpusched.workload.PodGroup;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a decision about a group of pods. */
public final class GroupDecisionAssert extends AbstractAssert<GroupDecisionAssert, GroupDecision> {
    GroupDecisionAssert(GroupDecision actual) {
        super(actual, GroupDecisionAssert.class);
    }

    /** Fails unless this number of members was placed. */
    public GroupDecisionAssert isPlacedWith(int members) {
        isNotNull();
        int placed = actual instanceof GroupPlaced group ? group.placements().size() : 0;
        if (placed != members) {
            failWithMessage("expected %s placed members, got %s in <%s>", members, placed, actual);
        }
        return this;
    }

    /** Fails unless the group was refused. */
    public GroupDecisionAssert isRefused() {
        return isPlacedWith(0);
    }

    /** Fails unless the decision keeps every law that the checker knows, for this group in the snapshot it was made for. */
    public GroupDecisionAssert keepsEveryLaw(Cluster before, PodGroup group) {
        isNotNull();
        List<Violation> broken = Verifier.ofTries(DecisionAssert.TRIES).check(before, group, actual);
        if (!broken.isEmpty()) {
            failWithMessage("expected a decision that keeps every law, got <%s>, which breaks %s", actual, broken);
        }
        return this;
    }
}
