package io.gpusched.internal.search;

import io.gpusched.internal.index.NodeListener;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import org.jspecify.annotations.Nullable;

/** Lets counts of rules between pods follow an index. */
record RuleFollower(RuleCounts counts) implements NodeListener {
    @Override
    public void follows(Cluster next) {
        counts.go(next);
    }

    @Override
    public void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        counts.changed(before, after);
    }

    @Override
    public void rebuilt() {
        counts.restart();
    }
}
