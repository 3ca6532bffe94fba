package io.gpusched.simulator.mig;

import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All sets of partitions that a device can hold, with what leads from one to the next: for rules that are quick to play. */
final class SliceModel {
    final List<PartitionProfile> profiles;
    final int gridUnits;

    /** By place: its profile and units. */
    final int[] profileOf;

    /** By place: its first unit. */
    final int[] startOf;

    private final long[] mask;

    /** By state: the places taken, as a mask; the state with a place more, or -1; and the free units. */
    final List<Long> states = new ArrayList<>();

    final List<int[]> next = new ArrayList<>();
    private final Map<Long, Integer> positions = new HashMap<>();

    /**
     * @param profiles those of the geometry that pods ask for
     */
    SliceModel(PartitionGeometry geometry, List<PartitionProfile> profiles) {
        this.profiles = List.copyOf(profiles);
        this.gridUnits = geometry.gridUnits();
        List<int[]> places = new ArrayList<>();
        for (int p = 0; p < profiles.size(); p++) {
            for (int start : profiles.get(p).starts()) {
                places.add(new int[] {p, start});
            }
        }
        profileOf = places.stream().mapToInt(place -> place[0]).toArray();
        startOf = places.stream().mapToInt(place -> place[1]).toArray();
        mask = places.stream()
                .mapToLong(place -> ((1L << profiles.get(place[0]).size()) - 1) << place[1])
                .toArray();
        add(0);
        for (int state = 0; state < states.size(); state++) {
            for (int place = 0; place < mask.length; place++) {
                if (isLegal(geometry, states.get(state), place)) {
                    int to = add(states.get(state) | 1L << place);
                    next.get(state)[place] = to;
                }
            }
        }
    }

    private int add(long set) {
        Integer known = positions.get(set);
        if (known != null) {
            return known;
        }
        positions.put(set, states.size());
        states.add(set);
        int[] none = new int[mask.length];
        java.util.Arrays.fill(none, -1);
        next.add(none);
        return states.size() - 1;
    }

    private boolean isLegal(PartitionGeometry geometry, long set, int place) {
        long units = 0;
        int count = 0;
        Map<String, Long> sums =
                new HashMap<>(profiles.get(profileOf[place]).counters().asMap());
        for (int other = 0; other < mask.length; other++) {
            if ((set >>> other & 1) != 0) {
                units |= mask[other];
                count += profileOf[other] == profileOf[place] ? 1 : 0;
                profiles.get(profileOf[other])
                        .counters()
                        .asMap()
                        .forEach((name, amount) -> sums.merge(name, amount, Long::sum));
            }
        }
        return (units & mask[place]) == 0
                && count < profiles.get(profileOf[place]).max()
                && sums.entrySet().stream()
                        .allMatch(sum -> sum.getValue() <= geometry.totals().amount(sum.getKey()));
    }

    /** The places that are taken in a state. */
    int[] taken(int state) {
        long set = states.get(state);
        return java.util.stream.IntStream.range(0, mask.length)
                .filter(place -> (set >>> place & 1) != 0)
                .toArray();
    }

    int without(int state, int place) {
        return positions.getOrDefault(states.get(state) & ~(1L << place), 0);
    }

    int freeUnits(int state) {
        long units = 0;
        for (int place = 0; place < mask.length; place++) {
            units |= (states.get(state) >>> place & 1) != 0 ? mask[place] : 0;
        }
        return gridUnits - Long.bitCount(units);
    }

    boolean fits(int state, int profile) {
        for (int place = 0; place < profileOf.length; place++) {
            if (profileOf[place] == profile && next.get(state)[place] >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The places of a profile that overlap what a state has taken. */
    int blockedPlaces(int state, int profile) {
        long units = 0;
        for (int place = 0; place < mask.length; place++) {
            units |= (states.get(state) >>> place & 1) != 0 ? mask[place] : 0;
        }
        int blocked = 0;
        for (int place = 0; place < mask.length; place++) {
            blocked += profileOf[place] == profile && (mask[place] & units) != 0 ? 1 : 0;
        }
        return blocked;
    }

    /** Of each state to which nothing can be added, how many partitions of each profile it has; each set once. */
    List<int[]> fullSets() {
        Map<String, int[]> sets = new HashMap<>();
        for (int state = 0; state < states.size(); state++) {
            if (java.util.Arrays.stream(next.get(state)).allMatch(to -> to < 0)) {
                int[] counts = new int[profiles.size()];
                for (int place = 0; place < mask.length; place++) {
                    counts[profileOf[place]] += (int) (states.get(state) >>> place & 1);
                }
                sets.put(java.util.Arrays.toString(counts), counts);
            }
        }
        return List.copyOf(new java.util.TreeMap<>(sets).values());
    }
}
