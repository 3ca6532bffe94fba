package io.gpusched.claim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Devices that draw on common counters, such as a GPU and its partitions, form a component; any other device is one of its
 * own. Components of one signature are built alike, so that a search may take them for each other as long as their states are
 * equal: same counters free, same devices acceptable.
 *
 * <p>The signature has, device by device, what it draws of which counter, and the values that constraints read. A value that
 * no other component has is numbered within the component: GPUs differ in their identity alone.
 */
final class Components {
    final int[] of;
    final int[][] members;
    /** Position of a device among the members of its component. */
    final int[] local;

    final int[][] columns;
    final int[] signature;

    Components(Units units, ClaimState state, Forms forms) {
        int count = units.all.size();
        int[] parent = new int[count];
        Arrays.setAll(parent, i -> i);
        Map<Integer, Integer> firstOfSet = new HashMap<>();
        for (Unit unit : units.all) {
            for (int set : unit.sets) {
                Integer first = firstOfSet.putIfAbsent(set, unit.index);
                if (first != null) {
                    parent[root(parent, unit.index)] = root(parent, first);
                }
            }
        }
        Map<Integer, List<Unit>> byRoot = new LinkedHashMap<>();
        units.all.forEach(unit -> byRoot.computeIfAbsent(root(parent, unit.index), key -> new ArrayList<>())
                .add(unit));
        of = new int[count];
        local = new int[count];
        members = new int[byRoot.size()][];
        columns = new int[byRoot.size()][];
        signature = new int[byRoot.size()];
        int c = 0;
        for (List<Unit> found : byRoot.values()) {
            members[c] = found.stream().mapToInt(unit -> unit.index).toArray();
            columns[c] = found.stream()
                    .flatMapToInt(unit -> Arrays.stream(unit.columns))
                    .distinct()
                    .toArray();
            for (int i = 0; i < members[c].length; i++) {
                of[members[c][i]] = c;
                local[members[c][i]] = i;
            }
            c++;
        }
        sign(units, new Values(state, forms, of));
    }

    private static int root(int[] parent, int unit) {
        int at = unit;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }

    private void sign(Units units, Values values) {
        Map<List<Object>, Integer> known = new HashMap<>();
        for (int c = 0; c < members.length; c++) {
            List<Object> form = new ArrayList<>();
            Map<Integer, Integer> columnNumbers = new HashMap<>();
            Map<Integer, Integer> setNumbers = new HashMap<>();
            Map<Object, Integer> valueNumbers = new HashMap<>();
            for (int d : members[c]) {
                Unit unit = units.all.get(d);
                form.add(unit.isShareable ? unit.index : -1);
                for (int i = 0; i < unit.columns.length; i++) {
                    form.add(columnNumbers.computeIfAbsent(unit.columns[i], key -> columnNumbers.size()));
                    form.add(units.kindOf[unit.columns[i]]);
                    form.add(unit.amounts[i]);
                }
                for (int i = 0; i < unit.sets.length; i++) {
                    form.add("set" + setNumbers.computeIfAbsent(unit.sets[i], key -> setNumbers.size()));
                    form.add(unit.groups[i]);
                }
                form.add(values.of(d, valueNumbers));
            }
            signature[c] = known.computeIfAbsent(form, key -> known.size());
        }
    }

    /** The values that constraints read, with the values that only one component has made equal. */
    private static final class Values {
        private record Value(int claim, int number, BitSet bits) {}

        private final Map<Integer, List<Object>> byUnit = new HashMap<>();
        /** Components by claim, constraint and single value. */
        private final Map<List<Integer>, Set<Integer>> places = new HashMap<>();

        Values(ClaimState state, Forms forms, int[] of) {
            Set<List<Integer>> seen = new HashSet<>();
            forms.byClaim()
                    .forEach(claim -> claim.forEach(request -> request.forEach(form -> {
                        for (int number : form.constraints) {
                            boolean derives = form.spec
                                    .derivedAttributes()
                                    .containsKey(
                                            form.owner.constraints().get(number).attribute());
                            if (derives) {
                                state.units.all.forEach(unit -> add(unit, unit.index));
                            } else if (seen.add(List.of(form.claim, number))) {
                                state.units.all.forEach(unit -> read(state, form, number, unit, of));
                            }
                        }
                    })));
        }

        private void read(ClaimState state, Form form, int number, Unit unit, int[] of) {
            Object value;
            try {
                BitSet bits = state.value(form, number, unit);
                value = bits == null ? "none" : new Value(form.claim, number, bits);
            } catch (ClaimError.Raised e) {
                value = unit.index;
            }
            add(unit, value);
            if (value instanceof Value read) {
                read.bits().stream()
                        .forEach(bit -> places.computeIfAbsent(key(read, bit), key -> new HashSet<>())
                                .add(of[unit.index]));
            }
        }

        private static List<Integer> key(Value value, int bit) {
            return List.of(value.claim(), value.number(), bit);
        }

        private void add(Unit unit, Object value) {
            byUnit.computeIfAbsent(unit.index, key -> new ArrayList<>()).add(value);
        }

        List<Object> of(int unit, Map<Object, Integer> numbers) {
            List<Object> values = new ArrayList<>();
            for (Object value : byUnit.getOrDefault(unit, List.of())) {
                boolean isPrivate = value instanceof Value read
                        && read.bits().cardinality() == 1
                        && places.getOrDefault(key(read, read.bits().nextSetBit(0)), Set.of())
                                        .size()
                                == 1;
                values.add(isPrivate ? "own" + numbers.computeIfAbsent(value, key -> numbers.size()) : value);
            }
            return values;
        }
    }
}
