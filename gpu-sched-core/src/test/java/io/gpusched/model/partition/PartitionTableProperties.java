package io.gpusched.model.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.amount.NamedAmounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What a word says of a device, against a list of what it holds; on geometries with modes, tenants, templates and engines. */
class PartitionTableProperties {
    private static final int GRID = 6;

    @Property(tries = 400)
    void wordsSayWhatIsHeldAndWhatFits(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NamedAmounts totals = NamedAmounts.of(Map.of("engines", (long) random.nextInt(2, 6)));
        PartitionTable table = table(totals, random);
        Held held = new Held(table, totals);
        long word = 0;
        for (int step = 0; step < 40; step++) {
            int place = random.nextInt(table.places());
            if (held.count[place] > 0 && random.nextInt(3) == 0) {
                held.count[place]--;
                word -= table.word(place);
            } else if (held.admits(place)) {
                held.count[place]++;
                word += table.word(place);
            }
            check(table, held, word);
        }
        for (int place = 0; place < table.places(); place++) {
            word -= held.count[place] * table.word(place);
        }
        assertThat(word).as("all given back").isZero();
    }

    private static void check(PartitionTable table, Held held, long word) {
        assertThat(table.units(word)).isEqualTo(held.units());
        assertThat(table.computeMillis(word)).isEqualTo(held.computeMillis());
        assertThat(table.memoryMib(word)).isEqualTo(held.memoryMib());
        for (int place = 0; place < table.places(); place++) {
            assertThat(table.fits(word, place))
                    .as("place %d of %s", place, held)
                    .isEqualTo(held.admits(place));
            assertThat(table.fit(word, new int[] {place})[0]).isEqualTo(held.admits(place));
        }
        for (int name = 0; name < table.names().size(); name++) {
            int most = held.mostOf(name, 0);
            assertThat(table.hasRoom(word, name)).isEqualTo(most > 0);
            assertThat(table.mostOf(word, name))
                    .as("most of %d beside %s", name, held)
                    .isEqualTo(most);
            assertThat(table.levels(name) >>> table.level(word) & 1)
                    .as("a level is searched where its devices have room")
                    .isGreaterThanOrEqualTo(most > 0 ? 1 : 0);
        }
    }

    @Property(tries = 200)
    void setsGoTogetherIfAllOfBothIsLegal(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NamedAmounts totals = NamedAmounts.of(Map.of("engines", (long) random.nextInt(2, 6)));
        PartitionTable table = table(totals, random);
        Held one = filled(table, totals, random);
        Held other = filled(table, totals, random);
        Held both = new Held(table, totals);
        for (int place = 0; place < table.places(); place++) {
            both.count[place] = one.count[place] + other.count[place];
        }
        assertThat(table.goTogether(one.word(), other.word()))
                .as("%s and %s", one, other)
                .isEqualTo(both.isLegal());
        assertThat(table.goTogether(other.word(), one.word())).isEqualTo(both.isLegal());
    }

    private static Held filled(PartitionTable table, NamedAmounts totals, SplittableRandom random) {
        Held held = new Held(table, totals);
        for (int i = random.nextInt(4); i > 0; i--) {
            int place = random.nextInt(table.places());
            held.count[place] += held.admits(place) ? 1 : 0;
        }
        return held;
    }

    /** A table of some profiles; those of which the states would be too wide for a word are drawn again. */
    private static PartitionTable table(NamedAmounts totals, SplittableRandom random) {
        while (true) {
            try {
                return new PartitionTable("g", GRID, totals, profiles(random));
            } catch (IllegalArgumentException tooWide) {
                assertThat(tooWide).hasMessageContaining("must fit in 62 bits");
            }
        }
    }

    private static List<PartitionProfile> profiles(SplittableRandom random) {
        List<PartitionProfile> profiles = new ArrayList<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            PartitionProfile profile = profile("p" + i, random)
                    .withComputeMillis(100 * i)
                    .withMemoryMib(1_000L * i)
                    .withCounters(NamedAmounts.of(Map.of("engines", (long) random.nextInt(3))));
            if (random.nextInt(3) == 0) {
                profiles.add(withNodeMode(profile.withMode("a"), random));
                profiles.add(withNodeMode(profile.withMode("b"), random));
            } else {
                profiles.add(withNodeMode(profile, random));
            }
        }
        return profiles;
    }

    private static PartitionProfile withNodeMode(PartitionProfile profile, SplittableRandom random) {
        return random.nextInt(3) == 0 ? profile.withNodeMode(random.nextBoolean() ? "x" : "y") : profile;
    }

    private static PartitionProfile profile(String name, SplittableRandom random) {
        int size = random.nextInt(4);
        if (size == 0) {
            return PartitionProfile.template(name, random.nextInt(1, 4));
        }
        Set<Integer> starts = new TreeSet<>(Set.of(random.nextInt(GRID - size + 1)));
        for (int start = 0; start + size <= GRID; start++) {
            if (random.nextBoolean()) {
                starts.add(start);
            }
        }
        return PartitionProfile.of(name, size, List.copyOf(starts)).withMax(random.nextInt(1, 4));
    }

    /** What a device holds, place by place. */
    private static final class Held {
        private final PartitionTable table;
        private final NamedAmounts totals;

        /** By place: the instances. */
        private final int[] count;

        Held(PartitionTable table, NamedAmounts totals) {
            this.table = table;
            this.totals = totals;
            this.count = new int[table.places()];
        }

        private boolean admits(int place) {
            count[place]++;
            boolean legal = isLegal();
            count[place]--;
            return legal;
        }

        private long mask(int place) {
            return ((1L << table.profile(place).size()) - 1) << table.start(place);
        }

        private boolean isLegal() {
            Set<String> modes = new HashSet<>();
            Set<String> nodeModes = new HashSet<>();
            long units = 0;
            long engines = 0;
            for (int place = 0; place < count.length; place++) {
                PartitionProfile profile = table.profile(place);
                if (count[place] == 0) {
                    continue;
                }
                boolean placed = profile.size() > 0;
                if (placed && (count[place] > 1 || (units & mask(place)) != 0)) {
                    return false;
                }
                units |= placed ? mask(place) : 0;
                engines += count[place] * profile.counters().amount("engines");
                modes.add(profile.mode());
                nodeModes.add(profile.nodeMode());
                if (instancesOf(profile) > profile.max()) {
                    return false;
                }
            }
            modes.remove("");
            nodeModes.remove("");
            return nodeModes.size() <= 1 && modes.size() <= 1 && engines <= totals.amount("engines");
        }

        private int instancesOf(PartitionProfile profile) {
            int sum = 0;
            for (int place = 0; place < count.length; place++) {
                sum += table.profile(place).equals(profile) ? count[place] : 0;
            }
            return sum;
        }

        /** Tries every way to add tenants of a name, places in ascending order. */
        private int mostOf(int name, int from) {
            int most = 0;
            for (int place = from; place < count.length; place++) {
                if (table.nameOf(place) == name && admits(place)) {
                    count[place]++;
                    most = Math.max(most, 1 + mostOf(name, place));
                    count[place]--;
                }
            }
            return most;
        }

        private long units() {
            long units = 0;
            for (int place = 0; place < count.length; place++) {
                units |= count[place] > 0 ? mask(place) : 0;
            }
            return units;
        }

        private int computeMillis() {
            int sum = 0;
            for (int place = 0; place < count.length; place++) {
                sum += count[place] * table.profile(place).computeMillis();
            }
            return sum;
        }

        private long memoryMib() {
            long sum = 0;
            for (int place = 0; place < count.length; place++) {
                sum += count[place] * table.profile(place).memoryMib();
            }
            return sum;
        }

        private long word() {
            long word = 0;
            for (int place = 0; place < count.length; place++) {
                word += count[place] * table.word(place);
            }
            return word;
        }

        @Override
        public String toString() {
            return table + " holding " + Arrays.toString(count);
        }
    }
}
