package io.gpusched.simulator.defrag;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.Workload;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DefragExperimentTest {
    private static final Workload WORKLOAD = GeneratedWorkload.of(1, 0.05, 1);
    private static final List<Long> SEEDS = LongStream.range(0, 6).boxed().toList();

    private static List<Cluster> snapshots(double fill) {
        return DefragExperiment.snapshots(WORKLOAD, fill, SEEDS, 2);
    }

    @Test
    void snapshots_areFilledAsFarAsTold_eachSeedAnother() {
        List<Cluster> snapshots = snapshots(0.7);
        assertThat(snapshots).doesNotHaveDuplicates().allSatisfy(cluster -> {
            cluster.validate();
            assertThat(cluster.totals().usedGpuComputeMillis() / (double) WORKLOAD.gpuMillis())
                    .isBetween(0.65, 0.7);
        });
        assertThat(snapshots(0.7)).isEqualTo(snapshots);
    }

    @Test
    void aPlanForTheWholeCluster_makesAtLeastAsManyNodesAMove_asForOneJobAfterTheOther() {
        List<DefragRow> rows = DefragExperiment.play(snapshots(0.8), 60, 2);
        assertThat(rows).hasSize(SEEDS.size() * MoveRule.values().length);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.moves()).isLessThanOrEqualTo(60);
            assertThat(row.nodes(60)).isEqualTo(row.nodes());
        });
        for (int moves : List.of(5, 10, 20, 60)) {
            assertThat(nodes(rows, MoveRule.PLAN, moves)).isGreaterThanOrEqualTo(nodes(rows, MoveRule.ONE_JOB, moves));
            assertThat(nodes(rows, MoveRule.PLAN, moves)).isGreaterThanOrEqualTo(nodes(rows, MoveRule.KAI, moves));
        }
        assertThat(nodes(rows, MoveRule.KAI, 60)).isPositive();
        assertThat(nodes(rows, MoveRule.ONE_JOB, 60)).isGreaterThanOrEqualTo(nodes(rows, MoveRule.KAI, 60));
    }

    private static int nodes(List<DefragRow> rows, MoveRule rule, int moves) {
        return rows.stream()
                .filter(row -> row.rule() == rule)
                .mapToInt(row -> row.nodes(moves))
                .sum();
    }
}
