package io.gpusched.simulator.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.simulator.trace.NodeTable;
import io.gpusched.simulator.trace.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridTest {
    private static final List<String> RULES = List.of("easy", "bin-pack", "random");

    @TempDir
    private Path folder;

    private Path trace;
    private Path nodes;

    @BeforeEach
    void writeFiles() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        List<String> rows = new ArrayList<>(List.of("name,submit,gpus,run_seconds"));
        for (int i = 0; i < 30; i++) {
            rows.add("j" + i + "," + 300 * i + "," + (1 << random.nextInt(5)) + "," + (60 + random.nextInt(7_200)));
        }
        trace = Files.write(folder.resolve("jobs.csv"), rows);
        nodes = Files.writeString(folder.resolve("nodes.csv"), "name,count,gpus,model\nn,5,8,V100\n");
    }

    private Grid grid(List<String> pools, List<Long> seeds, int intervalSeconds) {
        return new Grid(
                List.of(trace),
                List.of(nodes),
                pools,
                List.of(0.0, 1.2),
                RULES,
                List.of("exact", "log-normal:2"),
                seeds,
                1,
                intervalSeconds);
    }

    private Grid grid() {
        return grid(List.of("4x8"), List.of(0L, 1L), 30);
    }

    private static GridRun.Outcome play(Grid grid, Path csv, int threads) {
        return GridRun.play(grid, csv, CellPlayer.here(grid, NodeTable::read), threads);
    }

    @Test
    void anyNumberOfThreads_writesTheSameFile_byteForByte() throws IOException {
        Path one = folder.resolve("one.csv");
        Path four = folder.resolve("four.csv");
        GridRun.Outcome outcome = play(grid(), one, 1);
        assertThat(play(grid(), four, 4).rows()).isEqualTo(outcome.rows());
        assertThat(Files.readString(four)).isEqualTo(Files.readString(one));
        assertThat(outcome.rows()).hasSize(2 * 2 * (2 + 2) * 2);
        assertThat(outcome.rows()).extracting(GridRow::cell).containsExactlyElementsOf(grid().cells());
        assertThat(outcome.isComplete()).isTrue();
        assertThat(outcome.rows().stream()
                        .map(row -> row.get(GridColumn.MEAN_WAIT_MINUTES))
                        .distinct())
                .hasSizeGreaterThan(24);
    }

    @Test
    void aRunThatWasKilled_losesOnlyTheRowThatWasCut_andEndsWithTheSameFile() throws IOException {
        Grid grid = grid(List.of(), List.of(0L, 1L), 30);
        Path whole = folder.resolve("whole.csv");
        int cells = play(grid, whole, 2).rows().size();
        String text = Files.readString(whole);
        Path cut = folder.resolve("cut.csv");
        int rows = 0;
        for (int at : new int[] {5, text.length() / 2, text.length() - 1}) {
            Files.writeString(cut, text.substring(0, at));
            rows = (int) text.substring(0, at).chars().filter(c -> c == '\n').count() - 1;
            assertThat(play(grid, cut, 2).played()).isEqualTo(cells - Math.max(0, rows));
            assertThat(Files.readString(cut)).isEqualTo(text);
        }
        assertThat(rows).isEqualTo(cells - 1);
    }

    @Test
    void whatIsInTheFile_isNotPlayedAgain_whenTheGridGrows() throws IOException {
        Path grown = folder.resolve("grown.csv");
        play(grid(List.of("6x8"), List.of(1L), 30), grown, 2);
        assertThat(play(grid(List.of("4x8", "6x8"), List.of(0L, 1L), 30), grown, 2)
                        .played())
                .isEqualTo(48 - 16);
        assertThat(play(grid(List.of("6x8"), List.of(1L), 30), grown, 2).played())
                .isZero();
        Path once = folder.resolve("once.csv");
        play(grid(List.of("6x8", "4x8"), List.of(1L, 0L), 30), once, 2);
        assertThat(Files.readString(grown)).isEqualTo(Files.readString(once));
    }

    @Test
    void aFileOfOtherSettings_isRefused_andStaysAsItIs() throws IOException {
        Path csv = folder.resolve("runs.csv");
        play(grid(), csv, 2);
        String text = Files.readString(csv);
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> play(grid(List.of("4x8"), List.of(0L), 60), csv, 1))
                .withMessage(
                        "file \"" + csv + "\", line 2: \"jobs.csv 4x8 bin-pack\" was played with interval_seconds 30,"
                                + " got 60\nMaybe write to another file.");
        Files.writeString(nodes, "name,count,gpus,model\nn,9,8,V100\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> play(grid(), csv, 1))
                .withMessageContaining("\"jobs.csv nodes.csv bin-pack\" was played with cluster_digest ");
        Files.writeString(trace, "name,submit,gpus,run_seconds\na,0,1,60\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> play(grid(), csv, 1))
                .withMessageContaining("trace_digest");
        assertThat(Files.readString(csv)).isEqualTo(text);
    }

    @Test
    void anotherFile_isRefused_andStaysAsItIs() throws IOException {
        Path other = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");
        Path notes = Files.writeString(folder.resolve("notes.txt"), "no line end");
        for (Path file : List.of(other, notes)) {
            String text = Files.readString(file);
            assertThatExceptionOfType(TraceException.class)
                    .isThrownBy(() -> play(grid(), file, 1))
                    .withMessageContaining("line 1: expected the columns trace,cluster,load,");
            assertThat(Files.readString(file)).isEqualTo(text);
        }
    }

    @Test
    void aCellWhoseJobsCanNeverRun_hasTheDiagnosisInPlaceOfNumbers_andOthersHaveTheirs() {
        GridRun.Outcome outcome = play(grid(List.of("1x8"), List.of(0L), 30), folder.resolve("runs.csv"), 2);
        assertThat(outcome.isComplete()).isFalse();
        assertThat(outcome.rows()).hasSize(16).allSatisfy(row -> {
            boolean tooSmall = row.cell().cluster().equals("1x8");
            assertThat(row.failure().isEmpty()).isNotEqualTo(tooSmall);
            assertThat(row.get(GridColumn.MEAN_WAIT_MINUTES).isEmpty()).isEqualTo(tooSmall);
        });
        assertThat(outcome.rows().get(0).failure())
                .matches("job j\\d+ and \\d+ like it can never run: pod group \"j\\d+\": can never fit.*")
                .doesNotContain("\n");
    }

    @Test
    void aCellThatBreaks_leavesNoRow_andIsPlayedTheNextTime() throws IOException {
        Path csv = folder.resolve("runs.csv");
        CellPlayer player = CellPlayer.here(grid(), NodeTable::read);
        AtomicInteger calls = new AtomicInteger();
        GridRun.Outcome broken = GridRun.play(
                grid(),
                csv,
                cell -> {
                    if (calls.getAndIncrement() == 3) {
                        throw new IOException("the machine is gone");
                    }
                    return player.play(cell);
                },
                2);
        assertThat(broken.broken()).hasSize(1);
        assertThat(broken.isComplete()).isFalse();
        assertThat(broken.rows()).hasSize(31);
        GridRun.Outcome outcome = play(grid(), csv, 1);
        assertThat(outcome.played()).isEqualTo(1);
        assertThat(outcome.isComplete()).isTrue();
    }

    @Test
    void valuesOutOfTheirRange_areRefused() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(List.of("4x999"), List.of(0L), 30))
                .withMessageContaining("expected nodes such as 32x8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(List.of("4x8"), List.of(), 30))
                .withMessage("grid: a seed is missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(List.of("4x8"), List.of(0L), 0))
                .withMessage("grid: intervalSeconds must be in 1..86400, got 0");
        Path same = Files.createDirectory(folder.resolve("other")).resolve("jobs.csv");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grid(
                        List.of(trace, same),
                        List.of(),
                        List.of("4x8"),
                        List.of(1.0),
                        RULES,
                        List.of("exact"),
                        List.of(0L),
                        24,
                        30))
                .withMessageContaining("two files are called \"jobs.csv\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grid(
                        List.of(trace),
                        List.of(),
                        List.of("4x8"),
                        List.of(11.0),
                        RULES,
                        List.of("exact"),
                        List.of(0L),
                        24,
                        30))
                .withMessage("grid: load must be in 0.01..10, got 11.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grid(
                        List.of(trace),
                        List.of(),
                        List.of("4x8"),
                        List.of(1.0),
                        List.of("best"),
                        List.of("exact"),
                        List.of(0L),
                        24,
                        30))
                .withMessageContaining("anyone, nobody, easy, conservative, promised or tiresias");
    }
}
