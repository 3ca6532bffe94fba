package io.gpusched.model.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.amount.NamedAmounts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What devices are worth, on worked numbers and by what must hold for every model. */
class PartitionWorthTest {
    private static final PartitionTable HALVES = PartitionGeometry.of(
                    "halves",
                    2,
                    NamedAmounts.NONE,
                    List.of(PartitionProfile.of("full", 2, List.of(0)), PartitionProfile.of("half", 1, List.of(0, 1))))
            .table();

    @Test
    void cost_isFreeUnitsThatAProfileCannotUse_byItsWeightAndWaiting() {
        long half = HALVES.word(HALVES.find("half", 0, ""));
        PartitionWorth fullsOnly = PartitionWorth.of(HALVES.states(), new long[] {1, 0}, 0);
        // one unit is free, an eighth is lost in any case, and a full one waits one running time for the half to end
        assertThat(fullsOnly.of(half)).isEqualTo(-units(1.125 * 1.75));
        PartitionWorth oneInFour = PartitionWorth.of(HALVES.states(), new long[] {1, 3}, 0);
        assertThat(oneInFour.of(half)).isEqualTo(-units(1.125 * 1.75 / 4));
        assertThat(oneInFour.of(0)).isZero();
    }

    @Test
    void wholeDevices_areOneMoreProfile() {
        long half = HALVES.word(HALVES.find("half", 1, ""));
        PartitionWorth wholesOnly = PartitionWorth.of(HALVES.states(), new long[] {0, 0}, 5);
        assertThat(wholesOnly.of(half)).isEqualTo(-units(1.125 * 1.75));
    }

    @Test
    void whatIsHeld_leavesInRandomOrder_soThatTheFirstOfTwoTakesHalfAsLong() {
        PartitionTable quarters = PartitionGeometry.of(
                        "quarters",
                        4,
                        NamedAmounts.NONE,
                        List.of(
                                PartitionProfile.of("full", 4, List.of(0)),
                                PartitionProfile.of("quarter", 1, List.of(0, 1, 2, 3))))
                .table();
        long first = quarters.word(quarters.find("quarter", 0, ""));
        long both = first + quarters.word(quarters.find("quarter", 2, ""));
        PartitionWorth fullsOnly = PartitionWorth.of(quarters.states(), new long[] {1, 0}, 0);
        // three units are free, and the running time of one quarter passes
        assertThat(fullsOnly.of(first)).isEqualTo(-units(3.25 * 1.75));
        // two units are free, and half a running time passes until the first is gone, and one until the other is
        assertThat(fullsOnly.of(both)).isEqualTo(-units(2.25 * (1 + 0.75 * 1.5)));
    }

    @Test
    void ofPlacesThatCostTheSame_theFullerDeviceIsBetter() {
        PartitionWorth halvesOnly = PartitionWorth.of(HALVES.states(), new long[] {0, 1}, 0);
        long half = HALVES.word(HALVES.find("half", 0, ""));
        long both = half + HALVES.word(HALVES.find("half", 1, ""));
        assertThat(halvesOnly.gain(0, half)).isEqualTo(-2L * (PartitionWorth.UNIT / 10));
        assertThat(halvesOnly.gain(half, both)).isEqualTo(-units(0.125 * (1 + 0.75 * 0.5)) - PartitionWorth.UNIT / 10);
    }

    @Test
    void ofFullDevices_theOneThatIsEmptySoonerIsWorthMore() {
        PartitionWorth fullsOnly = PartitionWorth.of(HALVES.states(), new long[] {1, 0}, 0);
        long both = HALVES.word(HALVES.find("half", 0, "")) + HALVES.word(HALVES.find("half", 1, ""));
        assertThat(fullsOnly.of(HALVES.word(HALVES.find("full", 0, "")))).isEqualTo(-units(0.125 * 1.75));
        assertThat(fullsOnly.of(both)).isEqualTo(-units(0.125 * (1 + 0.75 * 1.5)));
    }

    private static long units(double units) {
        return Math.round(units * PartitionWorth.UNIT);
    }

    @Test
    void aPlaceThatLeavesLessUseless_isBetterThanAFullerDevice() {
        PartitionWorth fullsOnly = PartitionWorth.of(HALVES.states(), new long[] {1, 0}, 0);
        long half = HALVES.word(HALVES.find("half", 0, ""));
        long both = half + HALVES.word(HALVES.find("half", 1, ""));
        // it costs two units to begin with a device, and most of that is won back when it is full
        assertThat(fullsOnly.gain(0, half)).isEqualTo(-units(1.125 * 1.75) - 2L * (PartitionWorth.UNIT / 10));
        assertThat(fullsOnly.gain(half, both))
                .isEqualTo(units(1.125 * 1.75) - units(0.125 * (1 + 0.75 * 1.5)) - PartitionWorth.UNIT / 10);
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void statesInWhichEverythingFits_costNothing_andOthersDo(MigGeometry model) {
        PartitionTable table = model.geometry().table();
        int all = (1 << table.names().size()) - 1;
        for (int at = 0; at < table.states().size(); at++) {
            long state = table.states().word(at);
            assertThat(table.worth().of(state) == 0).as("state %s", state).isEqualTo(table.capability(state) == all);
        }
    }
}
