package io.gpusched.simulator.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The model that rules are played on, the bound, and what the library does beside them. */
class MigExperimentTest {
    private static final PartitionGeometry A30 = MigGeometry.A30_24GB.geometry();

    private static SliceModel a30() {
        return new SliceModel(
                A30,
                A30.profiles().stream()
                        .filter(profile -> !profile.name().contains("+"))
                        .toList());
    }

    @Test
    void model_knowsEverySetOfPartitions() {
        SliceModel model = a30();
        // 1g at 4 places and 2g at 2: each half is one of five, or the whole is one 4g
        assertThat(model.states).hasSize(5 * 5 + 1);
        assertThat(model.fullSets()).hasSize(4);
        assertThat(model.freeUnits(0)).isEqualTo(4);
        int state = model.next.get(0)[0];
        assertThat(model.without(state, 0)).isZero();
        assertThat(model.fits(state, 2)).isFalse();
    }

    @Test
    void bound_isWhatThePackingOfAveragesAllows() {
        SliceModel model = a30();
        assertThat(MigBound.most(model.fullSets(), new double[] {100, 0, 0}, 10))
                .isCloseTo(40, within(1e-6));
        assertThat(MigBound.most(model.fullSets(), new double[] {0, 5, 100}, 10))
                .isCloseTo(5 + 7.5, within(1e-6));
    }

    @ParameterizedTest
    @EnumSource(MigMix.class)
    void nobody_acceptsMoreThanTheBound_andTheLibraryRefusesNothingOnAnEmptyCluster(MigMix mix) {
        SliceModel model = a30();
        double[] parts = mix.parts(model.profiles);
        assertThat(Arrays.stream(parts).sum()).isCloseTo(1, within(1e-9));
        MigArrivals light = MigArrivals.draw(model, parts, 20, 0.2, 600, 7);
        assertThat(MigRun.acceptedByLibrary(A30, model, parts, light, 20)).isEqualTo(MigRun.counted(light));
        MigArrivals heavy = MigArrivals.draw(model, parts, 20, 2, 3_000, 7);
        double bound = MigRun.bound(model, heavy, 20) * MigRun.counted(heavy);
        for (SliceRule rule : SliceRule.values()) {
            assertThat((double) MigRun.accepted(model, rule, parts, heavy, 20)).isLessThan(1.05 * bound);
        }
        assertThat((double) MigRun.acceptedByLibrary(A30, model, parts, heavy, 20))
                .isLessThan(1.05 * bound);
    }

    @Test
    void smallClusterOfOneProfile_acceptsWhatErlangSays() {
        SliceModel model = new SliceModel(
                A30,
                A30.profiles().subList(A30.profiles().size() - 1, A30.profiles().size()));
        SmallCluster cluster = new SmallCluster(model, new double[] {1}, 3, 1);
        double offered = 3;
        double blocked = offered * offered * offered / 6;
        double part = 1 - blocked / (1 + offered + offered * offered / 2 + blocked);
        assertThat(cluster.most(false)).isCloseTo(part, within(1e-5));
        assertThat(cluster.most(true)).isCloseTo(part, within(1e-5));
        assertThat(cluster.accepted(SmallCluster.library(A30, model, new double[] {1}, 3)))
                .isCloseTo(part, within(1e-5));
        assertThat(cluster.bound()).isCloseTo(1, within(1e-9));
    }

    @ParameterizedTest
    @EnumSource(MigMix.class)
    void onTwoGpus_noRuleExceedsTheBest_andTheLibraryIsWithinHalfAPointOfIt(MigMix mix) {
        SliceModel model = a30();
        double[] parts = mix.parts(model.profiles);
        SmallCluster cluster = new SmallCluster(model, parts, 2, 1);
        double best = cluster.most(false);
        assertThat(best).isLessThanOrEqualTo(cluster.most(true) + 1e-5).isLessThan(cluster.bound());
        for (SliceRule rule : SmallCluster.RULES) {
            assertThat(cluster.accepted(SmallCluster.chooser(model, rule, parts)))
                    .isLessThan(best + 1e-5);
        }
        assertThat(cluster.accepted(SmallCluster.library(A30, model, parts, 2))).isBetween(best - 0.005, best + 1e-5);
    }

    @Test
    void withMoves_aHoleIsNeverInTheWay() {
        SliceModel model = a30();
        // two of the smallest run for ever, then comes one that needs all of one of two GPUs, then one too many
        MigArrivals arrivals = new MigArrivals(
                new int[] {0, 0, 2, 1, 1}, new double[] {0, 1, 2, 3, 4}, new double[] {9, 9, 9, 9, 9}, 0);
        assertThat(MigRun.repacked(A30, model, arrivals, 2)).isEqualTo(4);
    }

    @Test
    void arrivals_areThoseOfTheirSeed() {
        SliceModel model = a30();
        double[] parts = MigMix.UNIFORM.parts(model.profiles);
        MigArrivals one = MigArrivals.draw(model, parts, 20, 1, 100, 5);
        MigArrivals same = MigArrivals.draw(model, parts, 20, 1, 100, 5);
        assertThat(one.at()).containsExactly(same.at());
        assertThat(List.of(one.warmUp())).isEqualTo(List.of(same.warmUp()));
    }

    @Test
    void aGain_isTheMeanOfTheDifferencesOfEachOrder_withItsError() {
        List<Integer> rules = List.of(90, 91, 92, 93);
        MigOrder one =
                new MigOrder(100, Stream.concat(rules.stream(), Stream.of(95)).toList(), 97, 0.99);
        MigOrder other =
                new MigOrder(100, Stream.concat(rules.stream(), Stream.of(97)).toList(), 98, 0.97);
        MigRow row = new MigRow("A30", "uniform", List.of(one, other));
        // differences 5 and 7: mean 6, deviation of one sqrt(2), of the mean 1
        assertThat(row.gains())
                .isEqualTo("| A30 | uniform | +6.000 ± 1.000 | +5.000 ± 1.000 | +4.000 ± 1.000 | +3.000 ± 1.000 |");
        assertThat(row.percents())
                .isEqualTo("| A30 | uniform | 90.00 | 91.00 | 92.00 | 93.00 | 96.00 | 97.50 | 98.00 |");
        assertThat(MigExperiment.parts(List.of(row))).containsOnlyKeys("A30, uniform");
        assertThat(row.parts()).containsEntry("first fit", 0.9).containsEntry("look-ahead", 0.96);
        assertThat(MigExperiment.meanings().keySet()).isEqualTo(row.parts().keySet());
    }

    @Test
    void anOrderOfArrival_isPlayedTheSame_howeverManyArePlayedAtOnce() {
        List<MigRow> alone = new MigExperiment(4, 1, List.of(1L, 2L)).play(1);
        assertThat(new MigExperiment(4, 1, List.of(1L, 2L)).play(3)).isEqualTo(alone);
        assertThat(alone).hasSize(3 * MigMix.values().length);
    }
}
