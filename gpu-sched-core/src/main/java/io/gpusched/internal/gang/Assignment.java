package io.gpusched.internal.gang;

import io.gpusched.internal.fit.StateSet;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * Which members of a group have a place while {@link GangSearch} goes through the ways, and what that leaves of the nodes.
 * A <em>candidate</em> is the number of a node: first come the nodes in use, in the order in which they were taken into use, then
 * one unused node of each group of equal ones. Not thread-safe.
 */
final class Assignment {
    private final Gang gang;
    private final List<EqualNodes> groups;
    private final NodeHashes hashes;

    /** Kinds in the order in which they are assigned. */
    private final List<MemberKind> order;

    private final List<SumBound> sums;
    private final List<PackingBound> packings;
    private final int[] placed;

    /** By group: how many of its nodes are in use. */
    private final int[] used;

    private final List<UsedNode> nodes = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();

    private static final class UsedNode {
        private final int group;
        private NodeState state;
        private long hash;

        UsedNode(int group, NodeState state) {
            this.group = group;
            this.state = state;
        }
    }

    private record Move(Member member, Placement placement, int node, NodeState before, long hash, boolean isNew) {}

    Assignment(Gang gang, List<EqualNodes> groups) {
        this.gang = gang;
        this.groups = groups;
        this.hashes = new NodeHashes(groups, gang.requests());
        this.placed = new int[gang.kinds().size()];
        this.used = new int[groups.size()];
        this.order = new ArrayList<>(gang.kinds());
        order.sort(Gang.LARGEST_FIRST);
        this.packings = List.of(new PackingBound(gang, groups, true), new PackingBound(gang, groups, false));
        this.sums = SumBound.of(gang);
        groups.forEach(group -> group.nodes().forEach(node -> sums.forEach(sum -> sum.add(node))));
    }

    MemberKind kind(int at) {
        return order.get(at);
    }

    /** Returns how many members of a kind have no place. */
    int missing(MemberKind kind) {
        return kind.size() - placed[kind.index()];
    }

    /** Returns the next member of a kind; one of the kind must be missing. */
    Member member(MemberKind kind) {
        return kind.members().get(placed[kind.index()]);
    }

    boolean canStart() {
        return gang.canStart(placed);
    }

    /** Adds all members with their places. */
    void addTo(GangFill fill) {
        moves.stream()
                .sorted((one, other) -> Integer.compare(one.member.index(), other.member.index()))
                .forEach(move -> fill.take(move.member, move.placement));
    }

    private int size() {
        return nodes.size() + groups.size();
    }

    /** Returns the next candidate after this one that admits a kind, or -1. */
    int next(MemberKind kind, int after) {
        for (int at = after + 1; at < size(); at++) {
            int group = at < nodes.size() ? nodes.get(at).group : at - nodes.size();
            boolean isLeft =
                    at < nodes.size() || used[group] < groups.get(group).nodes().size();
            if (isLeft && groups.get(group).takes(kind) > 0) {
                return at;
            }
        }
        return -1;
    }

    NodeState node(int candidate) {
        if (candidate < nodes.size()) {
            return nodes.get(candidate).state;
        }
        int group = candidate - nodes.size();
        return groups.get(group).nodes().get(used[group]);
    }

    /** Calls with the state of each node and how many are in it. */
    void forEachNode(ObjIntConsumer<NodeState> action) {
        nodes.forEach(node -> action.accept(node.state, 1));
        for (int group = 0; group < used.length; group++) {
            List<NodeState> equal = groups.get(group).nodes();
            action.accept(equal.get(0), equal.size() - used[group]);
        }
    }

    void assign(Member member, int candidate, Placement placement) {
        boolean isNew = candidate >= nodes.size();
        int at = isNew ? nodes.size() : candidate;
        if (isNew) {
            int group = candidate - nodes.size();
            nodes.add(new UsedNode(group, groups.get(group).nodes().get(used[group]++)));
        }
        UsedNode node = nodes.get(at);
        moves.add(new Move(member, placement, at, node.state, node.hash, isNew));
        change(node, node.state.with(placement));
        node.hash = hashes.of(node.group, node.state);
        placed[member.kind().index()]++;
    }

    /** Takes the last member back from its place. */
    void undo() {
        Move last = moves.remove(moves.size() - 1);
        UsedNode node = nodes.get(last.node);
        placed[last.member.kind().index()]--;
        change(node, last.before);
        node.hash = last.hash;
        if (last.isNew) {
            used[node.group]--;
            nodes.remove(last.node);
        }
    }

    private void change(UsedNode node, NodeState state) {
        sums.forEach(sum -> sum.change(node.state, state));
        node.state = state;
    }

    /** Returns the node that the last member went to. */
    int lastNode() {
        return moves.get(moves.size() - 1).node;
    }

    /** Whether the group can start without another member of this kind. */
    boolean maySkip(int kindAt) {
        return gang.canStart(mostFrom(kindAt + 1));
    }

    /** How many members of each kind have a place if all of the kinds from this one on get one. */
    private int[] mostFrom(int kindAt) {
        int[] most = placed.clone();
        order.subList(kindAt, order.size()).forEach(kind -> most[kind.index()] = kind.size());
        return most;
    }

    /** Returns false only if the group cannot start with more members of kinds from this one on. */
    boolean mayStart(int kindAt) {
        int[] most = mostFrom(kindAt);
        if (!gang.canStart(most)) {
            return false;
        }
        for (SumBound sum : sums) {
            if (!sum.isEnough(placed, most)) {
                return false;
            }
        }
        int[] least = gang.least(most);
        int[] open = new int[least.length];
        for (MemberKind kind : order) {
            int at = kind.index();
            least[at] = Math.max(0, least[at] - placed[at]);
            open[at] = most[at] - placed[at];
            if (least[at] > 0 && !hasPlaces(kind, least[at])) {
                return false;
            }
        }
        long missing = (long) gang.group().minMember() - moves.size();
        return packings.stream().allMatch(packing -> packing.mayFit(this, least, open, missing));
    }

    private boolean hasPlaces(MemberKind kind, long least) {
        long places = 0;
        for (int group = 0; group < used.length && places < least; group++) {
            EqualNodes equal = groups.get(group);
            places += equal.takes(kind) * (equal.nodes().size() - used[group]);
        }
        for (int at = 0; at < nodes.size() && places < least; at++) {
            UsedNode node = nodes.get(at);
            places += groups.get(node.group).takes(kind) > 0 ? EqualNodes.most(kind, node.state) : 0;
        }
        return places >= least;
    }

    /** Returns how many steps it takes to look at the state once. */
    long stepsToLook() {
        return size()
                + 2L * order.size() * (size() + 10)
                + packings.stream().mapToInt(PackingBound::size).sum();
    }

    /** Returns a hash of the state; see {@link StateSet}. Nodes before the first allowed one stand apart. */
    long hash(int kindAt, int from, long seed) {
        long hash = StateSet.mix(seed, kindAt);
        for (int count : placed) {
            hash = StateSet.mix(hash, count);
        }
        for (int count : used) {
            hash = StateSet.mix(hash, count);
        }
        long sum = 0;
        for (int at = 0; at < nodes.size(); at++) {
            sum += StateSet.mix(StateSet.mix(seed, nodes.get(at).hash), at < from ? 1 : 0);
        }
        return hash + sum;
    }
}
