package io.gpusched.cli.place;

import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A group that is to be placed, all at once.
 *
 * @param group the group
 * @param closer a domain that it goes to if there is room, narrower than the one that it must stay within
 * @param after the pods that have ended before it starts
 */
record AskedGroup(PodGroup group, Optional<Locality> closer, Set<PodId> after) {
    /** Returns a group that is tried in one way. */
    static AskedGroup of(PodGroup group) {
        return new AskedGroup(group, Optional.empty(), Set.of());
    }

    /** Returns the group in the ways to be tried one after the other, the closest first. */
    List<PodGroup> ways() {
        List<PodGroup> ways = new ArrayList<>();
        closer.map(group::withLocality).ifPresent(ways::add);
        ways.add(group);
        return ways;
    }
}
