package io.gpusched.model.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.amount.NamedAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What states of one kind leave room for, against every row of profiles that can be taken one after the other. */
class PartitionKindsProperties {
    private static final int GRID = 5;

    @Property(tries = 150)
    void statesOfOneKind_leaveRoomForTheSameRowsOfProfiles(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NamedAmounts totals = NamedAmounts.of(Map.of("engines", (long) random.nextInt(1, 5)));
        List<PartitionProfile> profiles = IntStream.range(0, random.nextInt(1, 4))
                .mapToObj(i -> profile("p" + i / 2, i, random))
                .toList();
        PartitionTable table = new PartitionTable("g", GRID, totals, profiles);
        Map<Long, Set<String>> known = new HashMap<>();
        Map<Long, Set<String>> byKind = new HashMap<>();
        for (int at = 0; at < table.states().size(); at++) {
            long state = table.states().word(at);
            Set<String> rows = rows(table, state, known);
            assertThat(byKind.computeIfAbsent(table.kind(state), any -> rows))
                    .as("state %s of %s", state, profiles)
                    .isEqualTo(rows);
        }
    }

    /** Every row of profiles that can be taken in turn, each with the mode of the node that it asks for. */
    private static Set<String> rows(PartitionTable table, long state, Map<Long, Set<String>> known) {
        Set<String> rows = known.get(state);
        if (rows == null) {
            rows = new TreeSet<>(Set.of(""));
            for (int place = 0; place < table.places(); place++) {
                if (table.fits(state, place)) {
                    String first = table.nameOf(place) + table.profile(place).nodeMode() + " ";
                    for (String rest : rows(table, state + table.word(place), known)) {
                        rows.add(first + rest);
                    }
                }
            }
            known.put(state, rows);
        }
        return rows;
    }

    private static PartitionProfile profile(String name, int index, SplittableRandom random) {
        int size = random.nextInt(1, 4);
        List<Integer> starts = new ArrayList<>(IntStream.rangeClosed(0, GRID - size)
                .filter(start -> random.nextInt(3) > 0)
                .boxed()
                .toList());
        if (starts.isEmpty()) {
            starts.add(0);
        }
        PartitionProfile profile = PartitionProfile.of(name, size, starts)
                .withMode("m" + index)
                .withCounters(NamedAmounts.of(Map.of("engines", (long) random.nextInt(3))));
        return random.nextInt(4) == 0 ? profile.withNodeMode(random.nextBoolean() ? "x" : "y") : profile;
    }

    @Example
    void statesOfAnA100_areOfFewKinds() {
        Gpu gpu = Gpu.of(0, "gpu", GpuModel.of("nvidia", "A100", 40_960))
                .withPartitions(MigGeometry.A100_40GB.geometry());
        PartitionTable table = gpu.partitions().table();
        Set<Long> kinds = new TreeSet<>();
        for (int at = 0; at < table.states().size(); at++) {
            kinds.add(table.kind(table.states().word(at)));
        }
        assertThat(table.states().size()).isEqualTo(1_109);
        assertThat(kinds).hasSize(52);
    }
}
