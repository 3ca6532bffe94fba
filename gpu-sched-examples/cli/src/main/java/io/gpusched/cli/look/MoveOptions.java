package io.gpusched.cli.look;

import io.gpusched.analysis.MoveLimits;
import io.gpusched.manifests.cluster.Evictions;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.PodId;
import java.util.LinkedHashSet;
import java.util.Set;
import picocli.CommandLine.Option;

/** Options that say which pods may move. */
final class MoveOptions {
    @Option(
            names = "--keep",
            paramLabel = "NS[/POD]",
            split = ",",
            description =
                    "Pods that stay where they are: all of a namespace, or one. Pods of DaemonSets always stay, and so"
                            + " do pods that disruption budgets, marks, local volumes or resource claims keep.")
    private Set<String> keep = new LinkedHashSet<>();

    @Option(
            names = "--whole-groups",
            description =
                    "Moves all pods of a group where one has to go (default: only pods that have to, as close to the"
                            + " others as the group demands).")
    private boolean wholeGroups;

    MoveLimits limits(SeenCluster seen, int most) {
        if (most < 0) {
            throw new IllegalArgumentException("--moves must be in 0.." + Integer.MAX_VALUE + ", got " + most);
        }
        Evictions evictions = seen.evictions();
        MoveLimits limits = MoveLimits.of(most)
                .keeping(held -> isKept(held.pod()) || evictions.stays(held.pod()))
                .within(seen.budgets());
        return wholeGroups ? limits.wholeGroups() : limits;
    }

    private boolean isKept(PodId pod) {
        return keep.contains(pod.namespace()) || keep.contains(Moves.name(pod));
    }
}
