package io.gpusched.verify;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A way to start a group, by trying for each member in turn every place, and none. */
final class GroupPlaces {
    private final PodGroup group;
    private final Map<PodId, GroupMembership> memberships;
    private final List<Pod> members;
    private long tries;

    GroupPlaces(PodGroup group, long tries) {
        this.group = group;
        this.tries = tries;
        this.memberships = new HashMap<>(group.memberships());
        this.members = group.pods();
    }

    /** Returns places with which the group starts; empty if there are none, or too many were tried. */
    Optional<List<Placement>> start(World world) {
        if (GroupLaws.meetsMinimum(group, Set.of())) {
            return Optional.empty();
        }
        return start(world, 0, new ArrayList<>());
    }

    private Optional<List<Placement>> start(World world, int next, List<Placement> chosen) {
        Set<PodId> started = new HashSet<>();
        chosen.forEach(placement -> started.add(placement.pod()));
        if (GroupLaws.meetsMinimum(group, started)) {
            return Optional.of(List.copyOf(chosen));
        }
        if (next == members.size() || tries <= 0) {
            return Optional.empty();
        }
        Pod pod = members.get(next)
                .withGroup(Optional.ofNullable(memberships.get(members.get(next).id())));
        List<List<Placement>> found = new ArrayList<>();
        Places.first(world, pod, tries, place -> {
            tries--;
            if (!PlacementLaws.check(world, pod, place).isEmpty()) {
                return false;
            }
            List<Placement> more = new ArrayList<>(chosen);
            more.add(place);
            return start(world.with(place), next + 1, more).map(found::add).orElse(tries <= 0);
        });
        return found.isEmpty() ? start(world, next + 1, chosen) : Optional.of(found.get(0));
    }
}
