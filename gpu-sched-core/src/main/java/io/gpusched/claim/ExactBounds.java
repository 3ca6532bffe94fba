package io.gpusched.claim;

import io.gpusched.claim.ExactSearch.Group;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Bounds of what open requests can have: if one is broken, they cannot all be served. */
final class ExactBounds {
    private final ClaimState state;
    private final Components components;
    private final long[] leastOfColumn;
    private final int[] users;

    ExactBounds(ClaimState state, Components components) {
        this.state = state;
        this.components = components;
        leastOfColumn = new long[state.free.length];
        users = new int[state.free.length];
    }

    /** Returns whether no bound says that the requests cannot all be served. */
    boolean hold(List<Group> groups) {
        for (Group group : groups) {
            if (most(group) < group.need || !hasValues(groups, group)) {
                return false;
            }
        }
        return groups.size() == 1 || holdSums(groups) && holdFlow(groups);
    }

    /** Returns a bound of the devices that a request can have: the sum over components of what their counters leave for it. */
    long most(Group group) {
        long sum = 0;
        BitSet seen = new BitSet();
        for (int d = group.candidates.nextSetBit(0); d >= 0; d = group.candidates.nextSetBit(d + 1)) {
            int c = components.of[d];
            if (!seen.get(c)) {
                seen.set(c);
                sum += most(c, group.candidates);
            }
        }
        return sum;
    }

    /** Returns a bound of how many of some devices can be had together from one component. */
    private long most(int c, BitSet candidates) {
        int[] members = components.members[c];
        if (members.length == 1) {
            return candidates.get(members[0]) ? 1 : 0;
        }
        for (int column : components.columns[c]) {
            leastOfColumn[column] = Long.MAX_VALUE;
            users[column] = 0;
        }
        long count = 0;
        for (int d : members) {
            if (candidates.get(d)) {
                count++;
                Unit unit = state.units.all.get(d);
                if (!unit.isShareable) {
                    for (int i = 0; i < unit.columns.length; i++) {
                        users[unit.columns[i]]++;
                        leastOfColumn[unit.columns[i]] = Math.min(leastOfColumn[unit.columns[i]], unit.amounts[i]);
                    }
                }
            }
        }
        long most = count;
        for (int column : components.columns[c]) {
            if (users[column] == count && leastOfColumn[column] > 0) {
                most = Math.min(most, state.free[column] / leastOfColumn[column]);
            }
        }
        return most;
    }

    /** Values that must be distinct are at least as many as the devices of the requests that they are demanded of. */
    private boolean hasValues(List<Group> groups, Group one) {
        for (int number : one.constraints) {
            if (one.form.owner.constraints().get(number).kind() != Claim.Constraint.Kind.DISTINCT) {
                continue;
            }
            long need = 0;
            Set<BitSet> values = new HashSet<>();
            for (Group group : groups) {
                if (group.form.claim == one.form.claim
                        && Arrays.stream(group.constraints).anyMatch(own -> own == number)) {
                    need += group.need;
                    group.candidates.stream()
                            .forEach(d -> values.add(state.value(group.form, number, state.units.all.get(d))));
                }
            }
            if (values.size() < need) {
                return false;
            }
        }
        return true;
    }

    /** Over all components, no more of a counter is needed than is free. */
    private boolean holdSums(List<Group> groups) {
        int kinds = 0;
        for (int kind : state.units.kindOf) {
            kinds = Math.max(kinds, kind + 1);
        }
        if (kinds == 0) {
            return true;
        }
        long[] needed = new long[kinds];
        BitSet touched = new BitSet();
        long[] least = new long[kinds];
        long[] drawn = new long[kinds];
        for (Group group : groups) {
            Arrays.fill(least, Long.MAX_VALUE);
            for (int d = group.candidates.nextSetBit(0); d >= 0; d = group.candidates.nextSetBit(d + 1)) {
                touched.set(components.of[d]);
                Unit unit = state.units.all.get(d);
                Arrays.fill(drawn, 0);
                if (!unit.isShareable) {
                    for (int i = 0; i < unit.columns.length; i++) {
                        drawn[state.units.kindOf[unit.columns[i]]] += unit.amounts[i];
                    }
                }
                for (int kind = 0; kind < kinds; kind++) {
                    least[kind] = Math.min(least[kind], drawn[kind]);
                }
            }
            for (int kind = 0; kind < kinds; kind++) {
                needed[kind] = plus(needed[kind], times(least[kind], group.need));
            }
        }
        long[] free = new long[kinds];
        for (int c = touched.nextSetBit(0); c >= 0; c = touched.nextSetBit(c + 1)) {
            for (int column : components.columns[c]) {
                int kind = state.units.kindOf[column];
                free[kind] = plus(free[kind], Math.max(0, state.free[column]));
            }
        }
        for (int kind = 0; kind < kinds; kind++) {
            if (needed[kind] > free[kind]) {
                return false;
            }
        }
        return true;
    }

    private static long plus(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private static long times(long amount, long count) {
        return amount != 0 && count > Long.MAX_VALUE / amount ? Long.MAX_VALUE : amount * count;
    }

    /** All requests together are a flow through components, each with a capacity in devices. */
    private boolean holdFlow(List<Group> groups) {
        BitSet union = new BitSet();
        groups.forEach(group -> union.or(group.candidates));
        int[] touched = union.stream().map(d -> components.of[d]).distinct().toArray();
        long[][] pass = new long[groups.size()][touched.length];
        long[] left = new long[touched.length];
        for (int c = 0; c < touched.length; c++) {
            long sum = 0;
            boolean isShared = false;
            for (int g = 0; g < groups.size(); g++) {
                pass[g][c] = most(touched[c], groups.get(g).candidates);
                sum += pass[g][c];
                isShared |= groups.get(g).isAdmin && pass[g][c] > 0;
            }
            for (int d : components.members[touched[c]]) {
                isShared |= state.units.all.get(d).isShareable;
            }
            left[c] = isShared ? sum : most(touched[c], union);
        }
        return new Flow(groups, pass, left).isEnough();
    }

    /** A flow of requests to components, augmented device by device. */
    private static final class Flow {
        private final List<Group> groups;
        private final long[][] pass;
        private final long[] left;

        Flow(List<Group> groups, long[][] pass, long[] left) {
            this.groups = groups;
            this.pass = pass;
            this.left = left;
            used = new long[groups.size()][left.length];
        }

        private final long[][] used;

        boolean isEnough() {
            for (int g = 0; g < groups.size(); g++) {
                long need = groups.get(g).need;
                for (int c = 0; c < left.length && need > 0; c++) {
                    long take = Math.min(need, Math.min(left[c], pass[g][c]));
                    used[g][c] += take;
                    left[c] -= take;
                    need -= take;
                }
                for (; need > 0; need--) {
                    if (!augment(g)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** Gives a request one more device, by moving those of others; breadth first. */
        private boolean augment(int from) {
            int[] cameToComponent = new int[left.length];
            int[] cameToGroup = new int[groups.size()];
            Arrays.fill(cameToComponent, -1);
            Arrays.fill(cameToGroup, -1);
            Deque<Integer> queue = new ArrayDeque<>(List.of(from));
            cameToGroup[from] = left.length;
            while (!queue.isEmpty()) {
                int g = queue.poll();
                for (int c = 0; c < left.length; c++) {
                    if (cameToComponent[c] >= 0 || used[g][c] >= pass[g][c]) {
                        continue;
                    }
                    cameToComponent[c] = g;
                    if (left[c] > 0) {
                        left[c]--;
                        settle(c, from, cameToComponent, cameToGroup);
                        return true;
                    }
                    for (int other = 0; other < groups.size(); other++) {
                        if (cameToGroup[other] < 0 && used[other][c] > 0) {
                            cameToGroup[other] = c;
                            queue.add(other);
                        }
                    }
                }
            }
            return false;
        }

        private void settle(int last, int from, int[] cameToComponent, int[] cameToGroup) {
            int c = last;
            while (true) {
                int g = cameToComponent[c];
                used[g][c]++;
                if (g == from) {
                    return;
                }
                c = cameToGroup[g];
                used[g][c]--;
            }
        }
    }
}
