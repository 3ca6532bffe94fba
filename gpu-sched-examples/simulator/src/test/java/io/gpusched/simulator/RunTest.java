package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.simulator.trace.OrderFile;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTest {
    @TempDir
    private Path folder;

    private static final Workload WORKLOAD = new Workload(
            "w",
            List.of(Node.builder("n")
                    .mode(NodeMode.MIXED)
                    .capacity(4_000, 4_000)
                    .gpus(4, GpuModel.of("nvidia", "T4", 0))
                    .build()),
            List.of(pod("a", 2), pod("b", 4), pod("c", 1)));

    private static TracePod pod(String name, int gpus) {
        return TracePod.of(name, Resources.of(1_000, 1), gpus, 1_000, "");
    }

    private static RunResult run(RunListener listener) {
        return Run.play(
                WORKLOAD,
                "first-fit",
                new ArrivalSequence(7, WORKLOAD.pods(), List.of(0)),
                TypicalMix.of(WORKLOAD.pods()),
                SchedulerPlacer.of(FirstFit.of()),
                listener);
    }

    @Test
    void run_placesWhatFitsAndDropsTheRest() {
        List<String> heard = new ArrayList<>();
        RunResult result =
                run((pod, placement) -> heard.add(pod.name() + (placement.isPresent() ? " placed" : " refused")));
        assertThat(heard).containsExactly("a placed", "b refused", "c placed");
        CurvePoint end = result.at(175);
        assertThat(end.allocatedPercent()).isEqualTo(75);
        assertThat(end.placed()).isEqualTo(2);
        assertThat(end.rejected()).isEqualTo(1);
        assertThat(result.at(9_999)).isEqualTo(end);
        assertThat(result.decisions()).isEqualTo(3);
    }

    @Test
    void csv_hasARowForEachWholePercent() throws IOException {
        Path csv = folder.resolve("c.csv");
        CurveCsv.write(csv, List.of(run(RunListener.NONE)));
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSize(1 + 176);
        assertThat(lines.get(176)).startsWith("w,first-fit,7,175,75.00,").endsWith(",2,1");
    }

    @Test
    void parallelRuns_keepTheirOrder() {
        List<Callable<Integer>> runs =
                IntStream.range(0, 50).<Callable<Integer>>mapToObj(i -> () -> i).toList();
        assertThat(Parallel.all(runs, 4))
                .isEqualTo(IntStream.range(0, 50).boxed().toList());
    }

    @Test
    void parallelRuns_throwWhatARunThrows() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parallel.all(
                        List.of(() -> 1, () -> {
                            throw new IllegalArgumentException("bad");
                        }),
                        2))
                .withMessage("bad");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Parallel.all(
                        List.of(() -> {
                            throw new IOException("gone");
                        }),
                        1))
                .withMessage("a run failed: java.io.IOException: gone");
    }

    @Test
    void recordedOrder_mayRepeatRows() throws IOException {
        Path file = Files.writeString(folder.resolve("o.txt"), "seed=1 2 0 2 2\nnoderank=1 0\n");
        ArrivalSequence arrivals =
                ArrivalSequence.of(WORKLOAD, OrderFile.read(file, 3, 1).get(1L));
        assertThat(arrivals.pods()).extracting(TracePod::name).containsExactly("c", "a", "c-tuned-0", "c-tuned-1");
    }
}
