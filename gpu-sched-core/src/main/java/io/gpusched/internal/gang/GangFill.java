package io.gpusched.internal.gang;

import io.gpusched.internal.fit.LayoutCount;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places the members of a group one after the other, each where the policy ranks it best on the snapshot that the
 * members before it leave. The minimum of each role comes first, role by role, then everyone else in the group's order.
 * Not thread-safe.
 */
public final class GangFill {
    private final PlacementSearch search;
    private final Gang gang;
    private final SearchSteps steps;

    /** Whether a placed member may change where others may go. */
    private final boolean isRuled;

    /** Whether no more members are placed than the group needs to start. */
    private boolean isMinimal;

    private final int[] byKind;
    private final boolean[] placed;
    private final List<Placement> placements = new ArrayList<>();

    /** By kind: no room is left in the present range. */
    private final boolean[] isFull;

    /** By kind: how many members had a place when one of it was last compared with the nodes of the range; -1 if none was. */
    private final int[] comparedAt;

    private SlotRange range = SlotRange.EVERYWHERE;

    /** The snapshot with all placements but the last few, which are pending. */
    private Cluster cluster;

    private final List<Placement> pending = new ArrayList<>();

    public GangFill(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this(search, cluster, gang, false, steps);
    }

    GangFill(PlacementSearch search, Cluster cluster, Gang gang, boolean isMinimal, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.isMinimal = isMinimal;
        this.steps = steps;
        this.isRuled = gang.isRuled(search.rules(cluster));
        this.byKind = new int[gang.kinds().size()];
        this.isFull = new boolean[byKind.length];
        this.comparedAt = new int[byKind.length];
        this.placed = new boolean[gang.members().size()];
    }

    public List<Placement> placements() {
        return placements;
    }

    /** Returns the snapshot with everything placed so far. */
    public Cluster cluster() {
        if (!pending.isEmpty()) {
            cluster = pending.size() == 1 ? cluster.with(pending.get(0)) : cluster.withAll(pending);
            pending.clear();
        }
        return cluster;
    }

    public boolean isPlaced(Member member) {
        return placed[member.index()];
    }

    /** Returns the members without a place, in the group's order. */
    public List<PodId> waiting() {
        return gang.members().stream()
                .filter(member -> !isPlaced(member))
                .map(member -> member.demand().pod().id())
                .toList();
    }

    /** Returns how many members of each kind have a place. */
    public int[] byKind() {
        return byKind;
    }

    boolean isComplete() {
        return placements.size() == gang.members().size();
    }

    /** Places as many of the members that are left as go into a range; whether the group can start. */
    public boolean fill(SlotRange within) {
        begin(within);
        int[] byRole = new int[gang.roles()];
        gang.kinds().forEach(kind -> byRole[kind.role()] += byKind[kind.index()]);
        for (Member member : gang.members()) {
            int role = member.kind().role();
            if (byRole[role] < gang.roleMinimum(role) && place(member)) {
                byRole[role]++;
            }
        }
        placeAll(gang.members());
        return gang.canStart(byKind);
    }

    /** As {@link #fill}, but by kind, whatever their roles. */
    boolean fillInOrder(Comparator<MemberKind> order, SlotRange within) {
        begin(within);
        List<Member> members = new ArrayList<>(gang.members());
        members.sort(Comparator.comparing(Member::kind, order));
        placeAll(members);
        return gang.canStart(byKind);
    }

    /** Takes places of the first members that have none, in the group's order; whether the group can start. */
    boolean takeAll(List<Placement> places, SlotRange within) {
        begin(within);
        int next = 0;
        for (Member member : gang.members()) {
            if (next < places.size() && !isPlaced(member)) {
                take(member, places.get(next++));
            }
        }
        return gang.canStart(byKind);
    }

    /**
     * Takes the place of a member. One that is in a group of its own, other than the one that is placed, has it on its placement: members of
     * that group which are placed after it are to be as close to it as to pods that run.
     */
    void take(Member member, Placement placement) {
        Optional<GroupMembership> own = member.demand().pod().group();
        Placement known = own.isEmpty() ? placement : placement.withGroup(own);
        placements.add(known);
        pending.add(known);
        placed[member.index()] = true;
        byKind[member.kind().index()]++;
    }

    /** Keeps the members that are placed later within a range. */
    void stayWithin(SlotRange within) {
        range = within;
    }

    /** Places the members that are left where the group stands, on the snapshot that others leave; returns what is left then. */
    Cluster complete(Cluster left) {
        pending.clear();
        cluster = left;
        isMinimal = false;
        fill(range);
        return cluster();
    }

    private void begin(SlotRange within) {
        range = within;
        Arrays.fill(isFull, false);
        Arrays.fill(comparedAt, -1);
    }

    /** With rules between pods, a member that found no legal place may find one beside the members placed after it. */
    private void placeAll(List<Member> members) {
        int before;
        do {
            before = placements.size();
            if (isRuled) {
                Arrays.fill(isFull, false);
            }
            for (Member member : members) {
                if (isMinimal && gang.canStart(byKind)) {
                    return;
                }
                place(member);
            }
        } while (isRuled && placements.size() > before && !isComplete());
    }

    private boolean place(Member member) {
        int kind = member.kind().index();
        if (isPlaced(member) || isFull[kind]) {
            return false;
        }
        Placement placement = find(member);
        if (placement == null) {
            isFull[kind] = true;
            return false;
        }
        take(member, placement);
        return true;
    }

    /** Finds a place with an equal part of the steps for each member that is left; with all of them if that does not do. */
    private @Nullable Placement find(Member member) {
        Cluster now = cluster();
        PlacementSearch by = search;
        if (LayoutCount.isQuick(member.demand(), search.index(now).classes()) && !mayCompare(member.kind())) {
            by = search.byBinPack();
            steps.giveUp();
        }
        long allowed = steps.left() / (gang.members().size() - placements.size());
        SearchSteps part = steps.atMost(allowed);
        Placement found = by.find(now, member.demand(), range, part);
        steps.spend(allowed, part);
        if (found == null && part.isReached() && steps.left() > 0) {
            return by.find(now, member.demand(), range, steps);
        }
        if (part.isReached()) {
            steps.giveUp();
        }
        return found;
    }

    /*
     * Members of one kind share the scores of nodes; then the nodes count that changed since the kind was last placed. What a
     * scheduler remembers from decisions before does not count: it must not change an answer.
     */
    private boolean mayCompare(MemberKind kind) {
        if (!search.strategy().comparesNodes()) {
            return true;
        }
        PlacementPolicy.Scope scope = search.policy().scope();
        boolean isShared = isRuled ? scope == PlacementPolicy.Scope.OCCUPANCY : scope != PlacementPolicy.Scope.POD;
        int before = comparedAt[kind.index()];
        long nodes = search.index(cluster).size(range);
        long compared = before < 0 || !isShared ? nodes : Math.min(nodes, placements.size() - before);
        if (!steps.takeComparison(compared * GangBounds.STEPS_PER_SCORE)) {
            return false;
        }
        comparedAt[kind.index()] = placements.size();
        return true;
    }
}
