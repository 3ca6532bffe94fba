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
 * <p>The word has a bit for each unit of the grid that is taken, and for each profile the number of its instances; of an
 * instance that several tenants may share it has the number of tenants instead. So the words of two sets that go together add
 * up to the word of both.
 */
final class PartitionWords {
    private static final int MOST_BITS = 62;

    private final List<PartitionProfile> profiles;
    private final long gridBits;

    /** By profile: where the number of its instances stands, and how wide it is; 0 bits if its instances are shared. */
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

    /** By place: where the number of tenants stands, or -1 if it has one at most. */
    private final int[] tenantShift;

    /** The word of one tenant. */
    final long[] word;

    private final boolean anyShared;

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
        tenantShift = new int[places];
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
            boolean shared = profile.tenants() > 1;
            countShift[p] = bits;
            countBits[p] = shared ? 0 : width(profile.max());
            bits += countBits[p];
            for (int first : profile.starts()) {
                profileOf[place] = p;
                start[place] = first;
                mask[place] = profile.size() == 0 ? 0 : ((1L << profile.size()) - 1) << first;
                tenantShift[place] = shared ? bits : -1;
                word[place] = shared ? shifted(bits) : mask[place] | shifted(countShift[p]);
                bits += shared ? width(profile.tenants()) : 0;
                place++;
            }
        }
        if (bits > MOST_BITS) {
            throw new IllegalArgumentException(
                    "partition geometry \"" + name + "\": the states of a device must fit in " + MOST_BITS
                            + " bits, got " + bits + "\nMaybe several tenants may share only what a layout cuts.");
        }
        anyShared = profiles.stream().anyMatch(one -> one.tenants() > 1);
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
        long state = 1 + profiles.size() * (1L + totals.length) / 4;
        return anyShared ? places * state : state + places / 4;
    }

    /** Whether there is room for one more tenant at a place. */
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

    /** The names of profiles of which one more fits, as a mask. */
    int capability(long used) {
        int capability = 0;
        PartitionRest rest = new PartitionRest(this, used);
        for (int p = 0; p < nameOfProfile.length; p++) {
            int name = 1 << nameOfProfile[p];
            capability |= (capability & name) == 0 && rest.hasRoom(p) ? name : 0;
        }
        return capability;
    }

    /** Whether the units of a profile are free at one of its starts, where no tenants share places. */
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

    /** Whether there is any place that tenants may share. */
    boolean hasShared() {
        return anyShared;
    }

    /** The number of tenants at a place that several may share. */
    private int tenants(long used, int place) {
        int width = width(profiles.get(profileOf[place]).tenants());
        return (int) (used >>> tenantShift[place]) & (1 << width) - 1;
    }

    /** How many tenants more may share a place, by its own number of them alone. */
    int freeTenants(long used, int place) {
        return profile(place).tenants() - tenants(used, place);
    }

    boolean isShared(int place) {
        return tenantShift[place] >= 0;
    }

    /** The number of instances of a profile. */
    int instances(long used, int profile) {
        if (countBits[profile] > 0) {
            return (int) (used >>> countShift[profile]) & (1 << countBits[profile]) - 1;
        }
        int count = 0;
        for (int place = 0; place < word.length; place++) {
            count += profileOf[place] == profile && tenants(used, place) > 0 ? 1 : 0;
        }
        return count;
    }

    /** Whether there are as many instances of a profile as there may be. */
    boolean isFull(long used, int profile) {
        return instances(used, profile) >= profiles.get(profile).max();
    }

    /** The units of the grid that any instance has. */
    long units(long used) {
        return used & gridBits | sharedUnits(used);
    }

    private long sharedUnits(long used) {
        long units = 0;
        for (int place = 0; anyShared && place < word.length; place++) {
            units |= isShared(place) && tenants(used, place) > 0 ? mask[place] : 0;
        }
        return units;
    }

    /** Whether two legal sets are legal together. */
    boolean goTogether(long one, long other) {
        return areApart(one, other) && areCounted(one, other);
    }

    private boolean areApart(long one, long other) {
        if ((one & other & gridBits) != 0) {
            return false;
        }
        return !anyShared
                || (one & gridBits & sharedUnits(other)) == 0
                        && (other & gridBits & sharedUnits(one)) == 0
                        && sharedAreApart(one, other);
    }

    private boolean sharedAreApart(long one, long other) {
        for (int a = 0; a < word.length; a++) {
            if (!isShared(a) || tenants(one, a) == 0) {
                continue;
            }
            if (tenants(one, a) + tenants(other, a) > profiles.get(profileOf[a]).tenants()) {
                return false;
            }
            for (int b = 0; b < word.length; b++) {
                if (b != a && isShared(b) && tenants(other, b) > 0 && (mask[a] & mask[b]) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean areCounted(long one, long other) {
        int mode = 0;
        int nodeMode = 0;
        for (int p = 0; p < profiles.size(); p++) {
            int count = together(one, other, p);
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
                sum += counters[p][c] > 0 ? counters[p][c] * together(one, other, p) : 0;
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

    /** How many instances of a profile two sets have together; those that both share with tenants count once. */
    private int together(long one, long other, int profile) {
        int count = instances(one, profile) + instances(other, profile);
        for (int place = 0; countBits[profile] == 0 && place < word.length; place++) {
            count -= profileOf[place] == profile && tenants(one, place) > 0 && tenants(other, place) > 0 ? 1 : 0;
        }
        return count;
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

    /** How many tenants there are, at least one for each instance. */
    int tenants(long used) {
        int sum = 0;
        for (int p = 0; p < profiles.size(); p++) {
            sum += countBits[p] > 0 ? instances(used, p) : 0;
        }
        for (int place = 0; anyShared && place < word.length; place++) {
            sum += isShared(place) ? tenants(used, place) : 0;
        }
        return sum;
    }

    /** The set with one representative number of tenants for each that leaves room for one more, and is not 0. */
    long canonical(long used) {
        long result = used;
        for (int place = 0; anyShared && place < word.length; place++) {
            int count = isShared(place) ? tenants(used, place) : 0;
            if (count > 1 && count < profiles.get(profileOf[place]).tenants()) {
                result -= (count - 1) * word[place];
            }
        }
        return result;
    }

    /** The canonical set once a place for which there is room has a tenant more; where it is shared, as many as there may be from the second on. */
    long next(long canonical, int place) {
        boolean second = isShared(place) && tenants(canonical, place) == 1;
        return canonical + (second ? (profiles.get(profileOf[place]).tenants() - 1) * word[place] : word[place]);
    }
}
