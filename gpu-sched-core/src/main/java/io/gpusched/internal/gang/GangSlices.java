package io.gpusched.internal.gang;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.Domain;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Equal groups in a group, each all or nothing within one domain of one level, decided by counting. */
final class GangSlices {
    /*
     * Domains of a level have no node in common, and which pods of a domain belong to which slice makes no difference. So a
     * domain that takes c pods takes c / size slices, and the group starts exactly if these add up to enough. The tightest
     * domains that take any are filled first.
     */
    private final PlacementSearch search;
    private final Cluster cluster;
    private final PodGroup group;
    private final Gang all;
    private final String level;
    private final int size;
    private final GangCount count;

    private GangSlices(PlacementSearch search, Cluster cluster, PodGroup group, Gang all, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.group = group;
        this.all = all;
        this.level = group.groups().get(0).locality().level();
        this.size = all.members().size() / group.groups().size();
        PodDemand demand = all.members().get(0).demand();
        this.count = new GangCount(search, cluster, demand, steps);
    }

    /**
     * Returns what places slices of a group, or null if its groups are not of that kind.
     *
     * @param group one that has groups
     * @param all all pods of the group
     */
    static @Nullable GangSlices of(
            PlacementSearch search, Cluster cluster, PodGroup group, Gang all, SearchSteps steps) {
        if (!group.roles().isEmpty()) {
            return null;
        }
        PodGroup first = group.groups().get(0);
        for (PodGroup slice : group.groups()) {
            if (slice.locality().scope() != Locality.Scope.DOMAIN
                    || !slice.locality().required()
                    || !slice.locality().equals(first.locality())
                    || !slice.groups().isEmpty()
                    || slice.minMember() != slice.pods().size()
                    || slice.minMember() != first.minMember()) {
                return null;
            }
        }
        GroupMembership around = all.membership();
        boolean isGrowth = group.groups().stream()
                .anyMatch(slice -> !all.running(search.rules(cluster), around.in(slice.name(), slice.locality()))
                        .isEmpty());
        if (isGrowth) {
            return null;
        }
        PodDemand demand = all.members().get(0).demand();
        boolean equal = GangCount.serves(search, cluster, demand)
                && all.members().stream()
                        .allMatch(member -> MemberKind.areAlike(member.demand().pod(), demand.pod()));
        return equal ? new GangSlices(search, cluster, group, all, steps) : null;
    }

    /** A domain with the nodes in it that take pods. */
    private record Place(List<GangCount.Takes> nodes, long pods) {}

    /**
     * Returns places for the pods of as many slices as fit into a range, slice by slice, or null if these are too few.
     */
    @Nullable
    List<Placement> place(SlotRange range) {
        List<Place> places = new ArrayList<>();
        long slices = 0;
        for (Domain domain : search.index(cluster).domains(level)) {
            SlotRange inside = domain.range().and(range);
            if (!inside.isEmpty()) {
                List<GangCount.Takes> nodes = count.nodes(inside, Long.MAX_VALUE);
                long pods = nodes.stream().mapToLong(GangCount.Takes::pods).sum();
                if (pods >= size) {
                    places.add(new Place(nodes, pods));
                    slices += pods / size;
                }
            }
        }
        if (slices < group.minGroups() || slices * size < group.minMember()) {
            return null;
        }
        places.sort(Comparator.comparingLong(Place::pods));
        return fill(places, group.groups().size());
    }

    private List<Placement> fill(List<Place> places, int slices) {
        List<Placement> placements = new ArrayList<>();
        int left = slices;
        for (Place place : places) {
            int here = (int) Math.min(left, place.pods() / size);
            int from = placements.size();
            placements.addAll(count.places(all.members().subList(from, from + here * size), place.nodes()));
            left -= here;
        }
        return placements;
    }
}
