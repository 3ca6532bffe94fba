package io.gpusched.internal.gang;

import io.gpusched.internal.fit.StateSet;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Which members of a group have a place while {@link GangSearch} goes through the ways, and what that leaves of the nodes.
 * A <em>spot</em> is a node: first those that were taken from, in the order in which they were, then one of each group of
 * untouched ones. Not thread-safe.
 */
final class GangBoard {
    private final Gang gang;
    private final List<NodeGroups.Group> groups;
    private final NodeHashes hashes;

    /** Kinds in the order in which they are tried. */
    private final List<MemberKind> order;

    private final GangPacking packing;
    private final int[] byKind;

    /** By group: how many of its nodes were taken from. */
    private final int[] used;

    private final List<Touched> touched = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();
    private long freeCpuMillis;
    private long freeMemoryMib;
    private long idleGpus;

    /** How many pods the nodes may take yet. */
    private long freePods;

    /** A node that was taken from. */
    private static final class Touched {
        private final int group;
        private NodeState now;
        private long hash;

        Touched(int group, NodeState now) {
            this.group = group;
            this.now = now;
        }
    }

    private record Move(Member member, Placement placement, int spot, NodeState before, long hash, boolean isNew) {}

    GangBoard(Gang gang, List<NodeGroups.Group> groups, List<GpuRequest> requests) {
        this.gang = gang;
        this.groups = groups;
        this.hashes = new NodeHashes(groups, requests);
        this.byKind = new int[gang.kinds().size()];
        this.used = new int[groups.size()];
        this.order = new ArrayList<>(gang.kinds());
        order.sort(Gang.LARGEST_FIRST);
        this.packing = new GangPacking(groups);
        for (NodeGroups.Group group : groups) {
            for (NodeState node : group.nodes()) {
                freeCpuMillis += node.freeCpuMillis();
                freeMemoryMib += node.freeMemoryMib();
                idleGpus += node.idleGpus();
                freePods += node.nodeClass().maxPods() - node.podCount();
            }
        }
    }

    MemberKind kind(int at) {
        return order.get(at);
    }

    /** How many members of a kind have no place. */
    int missing(MemberKind kind) {
        return kind.size() - byKind[kind.index()];
    }

    /** The next member of a kind, of which one must be missing. */
    Member member(MemberKind kind) {
        return kind.members().get(byKind[kind.index()]);
    }

    int size() {
        return touched.size() + groups.size();
    }

    boolean canStart() {
        return gang.canStart(byKind);
    }

    List<Seat> seats() {
        return moves.stream()
                .map(move -> new Seat(move.member, move.placement))
                .sorted(Comparator.comparingInt(seat -> seat.member().index()))
                .toList();
    }

    /** Returns the next spot after this one that admits a kind, or -1. */
    int nextSpot(MemberKind kind, int after) {
        for (int spot = after + 1; spot < size(); spot++) {
            boolean isTouched = spot < touched.size();
            int group = isTouched ? touched.get(spot).group : spot - touched.size();
            boolean isLeft =
                    isTouched || used[group] < groups.get(group).nodes().size();
            if (isLeft && groups.get(group).admits(kind)) {
                return spot;
            }
        }
        return -1;
    }

    NodeState nodeAt(int spot) {
        if (spot < touched.size()) {
            return touched.get(spot).now;
        }
        int group = spot - touched.size();
        return groups.get(group).nodes().get(used[group]);
    }

    void seat(Member member, int spot, Placement placement) {
        boolean isNew = spot >= touched.size();
        int at = isNew ? touched.size() : spot;
        if (isNew) {
            int group = spot - touched.size();
            touched.add(new Touched(group, groups.get(group).nodes().get(used[group]++)));
        }
        Touched node = touched.get(at);
        moves.add(new Move(member, placement, at, node.now, node.hash, isNew));
        set(node, node.now.with(placement));
        node.hash = hashes.of(node.group, node.now);
        byKind[member.kind().index()]++;
    }

    /** Takes the last member back from its place. */
    void leave() {
        Move last = moves.remove(moves.size() - 1);
        Touched node = touched.get(last.spot);
        byKind[last.member.kind().index()]--;
        set(node, last.before);
        node.hash = last.hash;
        if (last.isNew) {
            used[node.group]--;
            touched.remove(last.spot);
        }
    }

    private void set(Touched node, NodeState state) {
        freeCpuMillis += state.freeCpuMillis() - node.now.freeCpuMillis();
        freeMemoryMib += state.freeMemoryMib() - node.now.freeMemoryMib();
        idleGpus += state.idleGpus() - node.now.idleGpus();
        freePods -= state.podCount() - node.now.podCount();
        node.now = state;
    }

    /** Where the last member went. */
    int lastSpot() {
        return moves.get(moves.size() - 1).spot;
    }

    /** Whether the group can start without another member of this kind. */
    boolean maySkip(int kindAt) {
        return gang.canStart(upTo(kindAt + 1));
    }

    /** The numbers by kind if all members of the kinds from this place on had one. */
    private int[] upTo(int kindAt) {
        int[] most = byKind.clone();
        for (int at = kindAt; at < order.size(); at++) {
            most[order.get(at).index()] = order.get(at).size();
        }
        return most;
    }

    /** Whether it is open that the group can start with more members of kinds from this place on. */
    boolean mayStart(int kindAt) {
        int[] most = upTo(kindAt);
        if (!gang.canStart(most)) {
            return false;
        }
        int[] leasts = least(most);
        long cpuMillis = 0;
        long memoryMib = 0;
        long gpus = 0;
        long required = 0;
        for (int at = kindAt; at < order.size(); at++) {
            MemberKind kind = order.get(at);
            int least = leasts[kind.index()];
            if (least > 0) {
                cpuMillis += least * kind.demand().resources().cpuMillis();
                memoryMib += least * kind.demand().resources().memoryMib();
                gpus += (long) least * kind.idleGpus();
                required += least;
                if (!hasPlaces(kind, least)) {
                    return false;
                }
            }
        }
        return isEnoughForAny(kindAt)
                && cpuMillis <= freeCpuMillis
                && memoryMib <= freeMemoryMib
                && gpus <= idleGpus
                && Math.max(required, missingInAll()) <= freePods
                && packing.mayFit(this, kindAt, leasts);
    }

    /** Whether what is free is enough for the smallest members that together reach the minimum of the group. */
    private boolean isEnoughForAny(int kindAt) {
        long missing = missingInAll();
        return leastSum(kindAt, missing, kind -> kind.demand().resources().cpuMillis()) <= freeCpuMillis
                && leastSum(kindAt, missing, kind -> kind.demand().resources().memoryMib()) <= freeMemoryMib
                && leastSum(kindAt, missing, MemberKind::idleGpus) <= idleGpus;
    }

    /** How many members have to find a place yet, of whatever kind. */
    long missingInAll() {
        return (long) gang.group().minMember() - moves.size();
    }

    private long leastSum(int kindAt, long number, ToLongFunction<MemberKind> amount) {
        List<MemberKind> kinds = new ArrayList<>(order.subList(kindAt, order.size()));
        kinds.sort(Comparator.comparingLong(amount));
        long left = number;
        long sum = 0;
        for (MemberKind kind : kinds) {
            long taken = Math.min(Math.max(0, left), missing(kind));
            sum += taken * amount.applyAsLong(kind);
            left -= taken;
        }
        return sum;
    }

    /** How many members of each kind have to find a place yet, if of each kind no more than these do. */
    private int[] least(int[] most) {
        int[] least = gang.least(most);
        for (int kind = 0; kind < least.length; kind++) {
            least[kind] -= byKind[kind];
        }
        return least;
    }

    int kinds() {
        return order.size();
    }

    int touchedNodes() {
        return touched.size();
    }

    NodeState touchedNode(int spot) {
        return touched.get(spot).now;
    }

    int usedOf(int group) {
        return used[group];
    }

    /** How much it takes to look at the state once. */
    long stepsToLook() {
        return size() + 2L * order.size() * (size() + 10) + packing.size();
    }

    private boolean hasPlaces(MemberKind kind, long least) {
        long places = 0;
        for (int group = 0; group < groups.size() && places < least; group++) {
            places += groups.get(group).takes(kind) * (groups.get(group).nodes().size() - used[group]);
        }
        for (int spot = 0; spot < touched.size() && places < least; spot++) {
            Touched node = touched.get(spot);
            places += groups.get(node.group).admits(kind) ? NodeGroups.most(kind, node.now) : 0;
        }
        return places >= least;
    }

    /** A hash of the state; see {@link io.gpusched.internal.fit.StateSet}. Spots before the first allowed one stand apart. */
    long hash(int kindAt, int from, long seed) {
        long hash = StateSet.mix(seed, kindAt);
        for (int placed : byKind) {
            hash = StateSet.mix(hash, placed);
        }
        for (int taken : used) {
            hash = StateSet.mix(hash, taken);
        }
        long sum = 0;
        for (int spot = 0; spot < touched.size(); spot++) {
            sum += StateSet.mix(StateSet.mix(seed, touched.get(spot).hash), spot < from ? 1 : 0);
        }
        return hash + sum;
    }
}
