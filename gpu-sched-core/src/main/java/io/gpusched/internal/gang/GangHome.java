package io.gpusched.internal.gang;

import io.gpusched.internal.index.Domain;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Locality.Scope;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The node or domain in which most of the members of a group run that run already: where more of them belong. */
public final class GangHome {
    private static final SlotRange NOWHERE = new SlotRange(0, 0);

    private GangHome() {}

    /** Returns the part of a range in which a group must stay: all of it, unless members run and must be close. */
    public static SlotRange within(SlotRange range, PlacementSearch search, Cluster cluster, Gang gang) {
        SlotRange home = gang.group().locality().isBinding() ? of(search, cluster, gang) : null;
        return home == null ? range : range.and(home);
    }

    /**
     * Returns the home of a group, of equal ones the first in node order; null if no member runs, or the group may be anywhere. If
     * the members that run are in no domain of the level, it is an empty range where the domain is required, else null.
     */
    static @Nullable SlotRange of(PlacementSearch search, Cluster cluster, Gang gang) {
        Locality locality = gang.group().locality();
        if (locality.scope() == Scope.ANYWHERE) {
            return null;
        }
        SnapshotIndex index = search.index(cluster);
        NavigableMap<Integer, Integer> bySlot = new TreeMap<>();
        gang.running(search.rules(cluster), gang.membership())
                .forEach((node, members) -> bySlot.put(index.slot(node), members));
        if (bySlot.isEmpty()) {
            return null;
        }
        SlotRange home = locality.scope() == Scope.NODE ? fullestNode(bySlot) : fullestDomain(index, locality, bySlot);
        return home == null && locality.required() ? NOWHERE : home;
    }

    private static @Nullable SlotRange fullestNode(Map<Integer, Integer> bySlot) {
        SlotRange home = null;
        int most = 0;
        for (Map.Entry<Integer, Integer> entry : bySlot.entrySet()) {
            if (entry.getValue() > most) {
                most = entry.getValue();
                home = SlotRange.of(entry.getKey());
            }
        }
        return home;
    }

    private static @Nullable SlotRange fullestDomain(
            SnapshotIndex index, Locality locality, NavigableMap<Integer, Integer> bySlot) {
        SlotRange home = null;
        int most = 0;
        for (Domain domain : index.domains(locality.level())) {
            SlotRange range = domain.range();
            int members = bySlot.subMap(range.from(), range.to()).entrySet().stream()
                    .filter(entry -> range.contains(entry.getKey()))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
            if (members > most) {
                most = members;
                home = domain.range();
            }
        }
        return home;
    }
}
