package io.gpusched.model.partition;

import io.gpusched.model.amount.NamedAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * How a set of partitions of one device is written in a word, and which sets are legal.
 *
 * <p>The word has a bit for each unit of the grid that is taken, and for each profile the number of its instances. So the words
 * of two sets that go together add up to the word of both.
 */
final class PartitionWords {
    private static final int MOST_BITS = 62;

    private final List<PartitionProfile> profiles;
    private final long gridBits;

    /** By profile: where the number of its instances stands, and how wide it is. */
    private final int[] countShift;

    private final int[] countBits;

    /** By profile and counted name, and what a device has. */
    final long[][] counters;

    final long[] totals;

    /** By profile: the mode of its device and that of its node, counted from 1; 0 for any. */
    final int[] modes;

    final int[] nodeModes;

    /** By place: its profile, first unit and units on the grid. */
    final int[] profileOf;

    final int[] start;
    final long[] mask;

    /** By place: the word of one instance. */
    final long[] word;

    /** The names of profiles, ascending; by place which of them it has; and by name its places, lowest first. */
    final List<String> names;

    final int[] nameOf;
    private final int[] nameOfProfile;
    final int[][] placesOf;

    /** By profile: the units at which it may begin, as a mask. */
    private final long[] starts;

    PartitionWords(String name, int gridUnits, NamedAmounts totals, List<PartitionProfile> profiles) {
        this.profiles = profiles;
        int places = profiles.stream().mapToInt(one -> one.starts().size()).sum();
        profileOf = new int[places];
        start = new int[places];
        mask = new long[places];
        word = new long[places];
        countShift = new int[profiles.size()];
        countBits = new int[profiles.size()];
        modes = numbered(profiles, PartitionProfile::mode);
        nodeModes = numbered(profiles, PartitionProfile::nodeMode);
        gridBits = (1L << gridUnits) - 1;
        int bits = gridUnits;
        int place = 0;
        for (int p = 0; p < profiles.size(); p++) {
            PartitionProfile profile = profiles.get(p);
            countShift[p] = bits;
            countBits[p] = width(profile.max());
            bits += countBits[p];
            for (int first : profile.starts()) {
                profileOf[place] = p;
                start[place] = first;
                mask[place] = profile.size() == 0 ? 0 : ((1L << profile.size()) - 1) << first;
                word[place] = mask[place] | shifted(countShift[p]);
                place++;
            }
        }
        if (bits > MOST_BITS) {
            throw new IllegalArgumentException("partition geometry \"" + name
                    + "\": the states of a device must fit in " + MOST_BITS + " bits, got " + bits);
        }
        List<String> counted = totals.names();
        this.totals = counted.stream().mapToLong(totals::amount).toArray();
        counters = profiles.stream()
                .map(one -> counted.stream().mapToLong(one.counters()::amount).toArray())
                .toArray(long[][]::new);
        names = List.copyOf(
                new TreeSet<>(profiles.stream().map(PartitionProfile::name).toList()));
        nameOfProfile = profiles.stream()
                .mapToInt(profile -> names.indexOf(profile.name()))
                .toArray();
        starts = profiles.stream()
                .mapToLong(profile -> profile.starts().stream()
                        .mapToLong(first -> 1L << first)
                        .reduce(0, (one, other) -> one | other))
                .toArray();
        nameOf = IntStream.range(0, places)
                .map(at -> nameOfProfile[profileOf[at]])
                .toArray();
        placesOf = IntStream.range(0, names.size())
                .mapToObj(which -> IntStream.range(0, places)
                        .filter(at -> nameOf[at] == which)
                        .toArray())
                .toArray(int[][]::new);
    }

    PartitionProfile profile(int place) {
        return profiles.get(profileOf[place]);
    }

    /** About how many steps it takes to say of so many places of one state whether there is room. */
    long stepsToFit(int places) {
        return 1 + profiles.size() * (1L + totals.length) / 4 + places / 4;
    }

    /** Whether there is room for one more instance at a place. */
    boolean fits(long used, int place) {
        return goTogether(used, word[place]);
    }

    /** Whether one more of the profiles of a name fits. */
    boolean hasRoom(long used, int name) {
        PartitionRest rest = new PartitionRest(this, used);
        for (int p = 0; p < nameOfProfile.length; p++) {
            if (nameOfProfile[p] == name && rest.hasRoom(p)) {
                return true;
            }
        }
        return false;
    }

    /** The names of the profiles that fit once more, as a mask. */
    int capability(long used) {
        int capability = 0;
        PartitionRest rest = new PartitionRest(this, used);
        for (int p = 0; p < nameOfProfile.length; p++) {
            int name = 1 << nameOfProfile[p];
            capability |= (capability & name) == 0 && rest.hasRoom(p) ? name : 0;
        }
        return capability;
    }

    /** Whether the units of a profile are free at one of its starts. */
    boolean hasFreeStart(long used, int profile) {
        // a unit is a free start of n units if it is one of n - 1, and so is the unit behind it
        long free = ~used & gridBits;
        for (int size = profiles.get(profile).size(); size > 1 && free != 0; size--) {
            free &= free >>> 1;
        }
        return profiles.get(profile).size() == 0 || (free & starts[profile]) != 0;
    }

    private static int width(int greatest) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(greatest);
    }

    private static long shifted(int bits) {
        return bits < Long.SIZE ? 1L << bits : 0;
    }

    private static int[] numbered(List<PartitionProfile> profiles, Function<PartitionProfile, String> mode) {
        List<String> names =
                new ArrayList<>(new TreeSet<>(profiles.stream().map(mode).toList()));
        names.remove("");
        return profiles.stream()
                .mapToInt(one -> names.indexOf(mode.apply(one)) + 1)
                .toArray();
    }

    int places() {
        return word.length;
    }

    /** The number of instances of a profile. */
    int instances(long used, int profile) {
        return (int) (used >>> countShift[profile]) & (1 << countBits[profile]) - 1;
    }

    int max(int profile) {
        return profiles.get(profile).max();
    }

    /** The units of the grid that any instance has. */
    long units(long used) {
        return used & gridBits;
    }

    /** Whether two legal sets are legal together. */
    boolean goTogether(long one, long other) {
        if ((one & other & gridBits) != 0) {
            return false;
        }
        int mode = 0;
        int nodeMode = 0;
        for (int p = 0; p < profiles.size(); p++) {
            int count = instances(one, p) + instances(other, p);
            if (count > profiles.get(p).max()) {
                return false;
            }
            if (count > 0) {
                if (differ(mode, modes[p]) || differ(nodeMode, nodeModes[p])) {
                    return false;
                }
                mode = Math.max(mode, modes[p]);
                nodeMode = Math.max(nodeMode, nodeModes[p]);
            }
        }
        for (int c = 0; c < totals.length; c++) {
            long sum = 0;
            for (int p = 0; p < counters.length; p++) {
                sum += counters[p][c] > 0 ? counters[p][c] * (instances(one, p) + instances(other, p)) : 0;
            }
            if (sum > totals[c]) {
                return false;
            }
        }
        return true;
    }

    static boolean differ(int one, int other) {
        return one > 0 && other > 0 && one != other;
    }

    /** How many units of the grid are free; without a grid, of the hundredths of compute. */
    int freeUnits(long used) {
        if (gridBits != 0) {
            return Long.bitCount(gridBits & ~units(used));
        }
        int taken = 0;
        for (int p = 0; p < profiles.size(); p++) {
            taken += instances(used, p) * profiles.get(p).computeMillis();
        }
        return Math.max(0, 10 - taken / 100);
    }

    /** The number of instances of all profiles. */
    int instances(long used) {
        int sum = 0;
        for (int p = 0; p < profiles.size(); p++) {
            sum += instances(used, p);
        }
        return sum;
    }
}
