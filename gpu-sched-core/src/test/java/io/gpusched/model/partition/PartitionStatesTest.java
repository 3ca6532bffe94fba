package io.gpusched.model.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The states of every model of NVIDIA, against trying each profile at each place. */
class PartitionStatesTest {
    /** Worked out anew: what a model's own table says was worked out once for all tests. */
    private static PartitionTable table(MigGeometry model) {
        PartitionGeometry known = model.geometry();
        return PartitionGeometry.of(known.name(), known.gridUnits(), known.totals(), known.profiles())
                .table();
    }

    private static Set<String> fitting(PartitionTable table, long state) {
        Set<String> names = new HashSet<>();
        for (int place = 0; place < table.places(); place++) {
            if (table.fits(state, place)) {
                names.add(table.profile(place).name());
            }
        }
        return names;
    }

    private static int sizes(PartitionTable table, Set<String> names) {
        return names.stream()
                .mapToInt(name ->
                        table.profile(table.placesOf(table.name(name))[0]).size())
                .sum();
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void statesAreOfOneLevel_ifTheyLeaveRoomForTheSame_andOfAHigherOneTheLargerThatIs(MigGeometry model) {
        PartitionTable table = table(model);
        List<Long> states = new ArrayList<>();
        for (int at = 0; at < table.states().size(); at++) {
            states.add(table.states().word(at));
        }
        states.sort(Comparator.comparingInt(table::level));
        long before = states.get(0);
        for (long state : states) {
            boolean same = table.level(state) == table.level(before);
            assertThat(fitting(table, state).equals(fitting(table, before)))
                    .as("states %s and %s", before, state)
                    .isEqualTo(same);
            assertThat(sizes(table, fitting(table, state)))
                    .as("states %s and %s", before, state)
                    .isGreaterThanOrEqualTo(sizes(table, fitting(table, before)));
            before = state;
        }
        assertThat(table.level(states.get(states.size() - 1))).isLessThan(PartitionTable.LEVELS);
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void theLevelsOfAProfile_areThoseOfTheStatesInWhichOneMoreFits(MigGeometry model) {
        PartitionTable table = table(model);
        long[] expected = new long[table.names().size()];
        for (int at = 0; at < table.states().size(); at++) {
            long state = table.states().word(at);
            for (String name : fitting(table, state)) {
                expected[table.name(name)] |= 1L << table.level(state);
            }
        }
        for (String name : table.names()) {
            assertThat(table.levels(table.name(name))).as(name).isEqualTo(expected[table.name(name)]);
        }
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void everyPlaceThatFits_leadsToAKnownState(MigGeometry model) {
        PartitionTable table = table(model);
        PartitionStates states = table.states();
        assertThat(states.isComplete()).isTrue();
        for (int at = 0; at < states.size(); at++) {
            assertThat(states.position(states.word(at))).isEqualTo(at);
            for (int place = 0; place < table.places(); place++) {
                if (table.fits(states.word(at), place)) {
                    assertThat(states.next(at, place)).isNotNegative().isNotEqualTo(at);
                }
            }
        }
    }
}
