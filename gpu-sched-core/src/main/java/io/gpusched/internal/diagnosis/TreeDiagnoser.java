package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.GangMemberships;
import io.gpusched.internal.gang.GangParts;
import io.gpusched.internal.gang.GangScheduler;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.workload.PodGroup;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Works out why a group of groups cannot start: a level that is not there, else all its pods as one group where these lack
 * room, else the first of its groups that has none beside those before it.
 */
public final class TreeDiagnoser {
    private final PlacementSearch search;
    private final SharedValues shared = new SharedValues();
    private final SearchSteps steps;

    /** Of each group what its own members are members of. */
    private IdentityHashMap<PodGroup, GroupMembership> memberships = new IdentityHashMap<>();

    private final Cluster cluster;

    /** The snapshot with the groups that were looked at and found room. */
    private Cluster filled;

    /** Whether all of it could start if nothing ran and everything were healthy and open. */
    private boolean later;

    public TreeDiagnoser(PlacementSearch search, Cluster cluster, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.filled = cluster;
        this.steps = steps;
    }

    public Diagnosis diagnose(PodGroup group, String subject, Certainty certainty) {
        memberships = GangMemberships.byGroup(group);
        Gang flat = new Gang(GangParts.flat(group), shared);
        later = new EmptyCounts(flat, steps).mayStart(cluster) && mayStart(group);
        String missing = missingLevel(group, !later);
        if (missing != null) {
            return MissingLevel.diagnosis(cluster, subject, missing);
        }
        Diagnosis ofChild = place(flat) == null ? null : firstWithoutRoom(group, subject, certainty);
        return ofChild != null
                ? ofChild
                : new GangDiagnoser(search, cluster, flat, steps).diagnose(subject, certainty, later);
    }

    /** Whether each group that must start may, by counts, if nothing ran and everything were healthy and open. */
    private boolean mayStart(PodGroup group) {
        if (group.groups().isEmpty()) {
            return new EmptyCounts(new Gang(group, shared), steps).mayStart(cluster);
        }
        return group.groups().stream().filter(this::mayStart).count() >= group.minGroups();
    }

    /**
     * Returns a level that no node has and a group must stay within.
     *
     * @param all whether to look also at groups that may leave out some
     */
    private @Nullable String missingLevel(PodGroup group, boolean all) {
        Locality locality = group.locality();
        if (MissingLevel.isOf(locality, cluster)) {
            return locality.level();
        }
        boolean needed = all || group.minGroups() == group.groups().size();
        for (PodGroup child : needed ? group.groups() : List.<PodGroup>of()) {
            String missing = missingLevel(child, all);
            if (missing != null) {
                return missing;
            }
        }
        return null;
    }

    private @Nullable GangFill place(Gang gang) {
        return new GangScheduler(search, filled, gang, steps)
                .schedule(SlotRange.EVERYWHERE)
                .fill();
    }

    private @Nullable Diagnosis firstWithoutRoom(PodGroup group, String subject, Certainty certainty) {
        for (PodGroup child : group.groups()) {
            String named = subject + ", group \"" + child.name() + "\"";
            if (!child.groups().isEmpty()) {
                Diagnosis inside = firstWithoutRoom(child, named, certainty);
                if (inside != null) {
                    return inside;
                }
                continue;
            }
            GroupMembership alone = GroupMembership.of(child.name(), child.locality());
            Gang gang = new Gang(child, memberships.getOrDefault(child, alone), shared);
            GangFill fill = place(gang);
            if (fill == null) {
                return new GangDiagnoser(search, filled, gang, steps).diagnose(named, certainty, later);
            }
            filled = fill.cluster();
        }
        return null;
    }
}
