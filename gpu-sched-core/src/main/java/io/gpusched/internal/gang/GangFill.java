package io.gpusched.internal.gang;

import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.LayoutEffort;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.internal.search.SearchStrategy;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places the members of a group one after the other, each where the policy likes it best on the snapshot that the
 * members before it leave. The minimum of each role comes first, role by role, then everyone else in the group's order.
 * Not thread-safe.
 */
public final class GangFill {
    /*
     * Equal members that follow each other are not searched for one by one. Whole nodes are collected in one walk over
     * the tree. And a member stays on the node of the one before it as long as its score there is not lower: all other
     * nodes scored at most as high before, came later in node order where they scored equally, and have not changed.
     * This holds for policies that look at nothing but the node, so it is applied to those that are known to.
     */
    /** What it takes to score a node for a member. */
    static final long STEPS_PER_SCORE = 10;

    private final PlacementSearch search;
    private final Gang gang;
    private final SearchSteps steps;

    /** Whether who is placed may change where others may go. */
    private final boolean isRuled;

    /** Whether every member is searched for. */
    private final boolean isOneByOne;

    /** Whether no more members are placed than the group needs to start. */
    private boolean isMinimal;

    private final int[] byKind;
    private final boolean[] placed;
    private final List<Placement> placements = new ArrayList<>();

    /** The snapshot with all placements but the last few, which are in {@link #pending}. */
    private Cluster cluster;

    private final List<Placement> pending = new ArrayList<>();
    private NodeRange range = NodeRange.EVERYWHERE;

    /** By kind: no room is left in the present range. */
    private boolean[] full;

    /** By kind: how many members had a place when one of it was last compared with the nodes of the range; -1 if none was. */
    private final int[] comparedAt;

    private @Nullable MemberKind last;
    private @Nullable NodeState here;
    private long lastScore;
    private List<NodeState> emptyNodes = List.of();
    private int nextEmpty;

    public GangFill(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this(search, cluster, gang, false, steps);
    }

    GangFill(PlacementSearch search, Cluster cluster, Gang gang, boolean isMinimal, SearchSteps steps) {
        this.isMinimal = isMinimal;
        this.search = search;
        this.steps = steps;
        this.cluster = cluster;
        this.gang = gang;
        this.isRuled = gang.isRuled(search.rules(cluster));
        this.isOneByOne = isRuled || gang.hasPreferences(search.rules(cluster));
        this.byKind = new int[gang.kinds().size()];
        this.placed = new boolean[gang.members().size()];
        this.full = new boolean[byKind.length];
        this.comparedAt = new int[byKind.length];
    }

    public List<Placement> placements() {
        return placements;
    }

    /** The snapshot with everything placed so far. */
    public Cluster cluster() {
        flush();
        return cluster;
    }

    public boolean isPlaced(Member member) {
        return placed[member.index()];
    }

    /** The members without a place, in the group's order. */
    public List<PodId> waiting() {
        List<PodId> waiting = new ArrayList<>();
        for (Member member : gang.members()) {
            if (!placed[member.index()]) {
                waiting.add(member.demand().pod().id());
            }
        }
        return waiting;
    }

    public int[] byKind() {
        return byKind;
    }

    public boolean canStart() {
        return gang.canStart(byKind);
    }

    public boolean isComplete() {
        return placements.size() == gang.members().size();
    }

    /** Takes over a placement that was decided elsewhere. */
    public void take(Member member, Placement placement) {
        forget();
        record(member, placement);
    }

    /** Places as many of the members that are left as go into a range of the node order; whether the group can start. */
    public boolean fill(NodeRange within) {
        range = within;
        full = new boolean[byKind.length];
        Arrays.fill(comparedAt, -1);
        forget();
        int[] byRole = new int[gang.roles()];
        for (MemberKind kind : gang.kinds()) {
            byRole[kind.role()] += byKind[kind.index()];
        }
        for (Member member : gang.members()) {
            int role = member.kind().role();
            if (byRole[role] < gang.roleMinimum(role) && place(member)) {
                byRole[role]++;
            }
        }
        placeAll(gang.members());
        return canStart();
    }

    /** Where rules are in play, whoever found no legal place may find one beside those placed after it. */
    private void placeAll(List<Member> members) {
        int before;
        do {
            before = placements.size();
            full = isRuled ? new boolean[byKind.length] : full;
            for (Member member : members) {
                if (isMinimal && canStart()) {
                    return;
                }
                place(member);
            }
        } while (isRuled && placements.size() > before && !isComplete());
    }

    /** Takes placements of the first members that have none, in the group's order; whether the group can start. */
    boolean takeAll(List<Placement> placed, NodeRange within) {
        range = within;
        forget();
        int next = 0;
        for (Member member : gang.members()) {
            if (next < placed.size() && !isPlaced(member)) {
                record(member, placed.get(next++));
            }
        }
        return canStart();
    }

    /** Keeps the members that are placed later within a range. */
    void stayWithin(NodeRange within) {
        range = within;
    }

    /** Places the members that are left where the group stands, on the snapshot that others leave; returns what is left then. */
    Cluster complete(Cluster left) {
        flush();
        cluster = left;
        isMinimal = false;
        fill(range);
        return cluster();
    }

    /** As {@link #fill}, but in this order and without a thought for the roles. */
    public boolean fill(List<Member> members, NodeRange within) {
        range = within;
        placeAll(members);
        return canStart();
    }

    private boolean place(Member member) {
        MemberKind kind = member.kind();
        if (placed[member.index()] || full[kind.index()]) {
            return false;
        }
        if (last != kind) {
            forget();
            last = kind;
        }
        Placement placement = next(member);
        if (placement == null) {
            full[kind.index()] = true;
            return false;
        }
        record(member, placement);
        return true;
    }

    private void record(Member member, Placement placement) {
        placements.add(placement);
        pending.add(placement);
        placed[member.index()] = true;
        byKind[member.kind().index()]++;
    }

    private @Nullable Placement next(Member member) {
        PodDemand demand = member.demand();
        if (isOneByOne) {
            return find(member);
        }
        if (search.strategy() == SearchStrategy.TIGHTEST_ROOM && demand.wholeNode() && demand.single() != null) {
            return nextEmpty(member);
        }
        if (!search.strategy().staysOnNode() || demand.otherwise() != null) {
            return find(member);
        }
        LayoutSearch.Found found = here == null ? null : PolicyLayouts.best(demand, here, search.policy(), steps);
        if (found != null && found.score() >= lastScore) {
            Placement placement = found.placement();
            moveTo(here, placement, found.score());
            return placement;
        }
        return search(member);
    }

    private @Nullable Placement search(Member member) {
        Placement placement = find(member);
        if (placement != null) {
            NodeState node = cluster.node(placement.node()).orElseThrow();
            LayoutSearch.Found found = PolicyLayouts.best(member.demand(), node, search.policy(), steps);
            moveTo(node, placement, found == null ? Long.MAX_VALUE : found.score());
        }
        return placement;
    }

    /** Finds a place with an equal part of the steps for each member that is left; with all of them if that does not do. */
    private @Nullable Placement find(Member member) {
        flush();
        PlacementSearch by = search;
        if (LayoutEffort.isQuick(member.demand(), search.index(cluster).classes()) && !mayCompare(member.kind())) {
            by = search.byBinPack();
            steps.giveUp();
        }
        long allowed = steps.left() / (gang.members().size() - placements.size());
        SearchSteps part = steps.atMost(allowed);
        Placement found = by.find(cluster, member.demand(), range, part);
        steps.spend(allowed, part);
        if (!part.isReached()) {
            return found;
        }
        if (found == null && steps.left() > 0) {
            return by.find(cluster, member.demand(), range, steps);
        }
        steps.giveUp();
        return found;
    }

    /*
     * Members of one kind share the scores of nodes; then the nodes count that changed since the kind was last placed. What a
     * scheduler remembers from decisions before does not count: it must not change an answer.
     */
    private boolean mayCompare(MemberKind kind) {
        if (search.strategy().staysOnNode()) {
            return true;
        }
        PlacementPolicy.Scope scope = search.policy().scope();
        boolean isShared = isRuled ? scope == PlacementPolicy.Scope.OCCUPANCY : scope != PlacementPolicy.Scope.POD;
        int before = comparedAt[kind.index()];
        long nodes = ClusterIndex.of(cluster).size(range);
        long cost = before < 0 || !isShared ? nodes : Math.min(nodes, placements.size() - before);
        if (!steps.takeComparison(cost * STEPS_PER_SCORE)) {
            return false;
        }
        comparedAt[kind.index()] = placements.size();
        return true;
    }

    private void moveTo(@Nullable NodeState node, Placement placement, long score) {
        here = node == null ? null : node.with(placement);
        lastScore = score;
    }

    private @Nullable Placement nextEmpty(Member member) {
        if (nextEmpty == emptyNodes.size()) {
            if (nextEmpty > 0) {
                return null;
            }
            int missing = member.kind().size() - byKind[member.kind().index()];
            emptyNodes = search.emptyNodes(cluster(), member.demand(), range, missing);
        }
        return nextEmpty == emptyNodes.size() ? null : Layout.single(member.demand(), emptyNodes.get(nextEmpty++), 0);
    }

    private void forget() {
        here = null;
        last = null;
        emptyNodes = List.of();
        nextEmpty = 0;
    }

    private void flush() {
        if (pending.size() > 3) {
            cluster = cluster.withAll(pending);
        } else {
            for (Placement placement : pending) {
                cluster = cluster.with(placement);
            }
        }
        pending.clear();
    }
}
