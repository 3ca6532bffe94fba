package io.gpusched.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.simulator.grid.CellPlayer;
import io.gpusched.simulator.grid.Grid;
import io.gpusched.simulator.grid.GridColumn;
import io.gpusched.simulator.grid.GridRun;
import io.gpusched.simulator.trace.NodeTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridOnSparkTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path trace;
    private Path nodes;

    @BeforeEach
    void writeFiles() throws IOException {
        System.setProperty("spark.ui.enabled", "false");
        System.setProperty("spark.driver.host", "localhost");
        SplittableRandom random = new SplittableRandom(5);
        List<String> rows = new ArrayList<>(List.of("name,submit,gpus,run_seconds"));
        for (int i = 0; i < 30; i++) {
            rows.add("j" + i + "," + 300 * i + "," + (1 << random.nextInt(5)) + "," + (60 + random.nextInt(7_200)));
        }
        trace = Files.write(folder.resolve("the jobs.csv"), rows);
        nodes = Files.writeString(folder.resolve("nodes.csv"), "name,count,gpus,model\nn,5,8,V100\n");
    }

    private int run(Path csv, String... more) {
        List<String> all = new ArrayList<>(List.of("--master", "local[*]", "--trace", trace.toString()));
        all.addAll(List.of("--cluster", nodes.toString(), "--pool", "1x8,4x8", "--csv", csv.toString()));
        all.addAll(List.of("--load", "0.9", "--backfill", "easy", "--told", "exact,log-normal:2"));
        all.addAll(List.of("--policies", "bin-pack", "--seeds", "0..1", "--block-hours", "1"));
        all.addAll(List.of(more));
        return GridOnSpark.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
    }

    /** The same grid in this process. */
    private Path here(int threads) {
        Path csv = folder.resolve("threads-" + threads + ".csv");
        Grid grid = new Grid(
                List.of(trace),
                List.of(nodes),
                List.of("1x8", "4x8"),
                List.of(0.9),
                List.of("easy", "bin-pack"),
                List.of("exact", "log-normal:2"),
                List.of(0L, 1L),
                1,
                1);
        GridRun.play(grid, csv, CellPlayer.here(grid, NodeTable::read), threads);
        return csv;
    }

    private static List<String> parquet(Path folder) {
        try (SparkSession spark =
                SparkSession.builder().master("local[1]").appName("read").getOrCreate()) {
            List<Row> rows = spark.read().parquet(folder.toString()).collectAsList();
            assertThat(rows.get(0).schema().fieldNames())
                    .containsExactly(List.of(GridColumn.values()).stream()
                            .map(GridColumn::title)
                            .toArray(String[]::new));
            return rows.stream()
                    .map(row -> String.join(
                            "|",
                            IntStream.range(0, row.size())
                                    .mapToObj(i -> Objects.toString(row.get(i), ""))
                                    .toList()))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void sparkAndAnyNumberOfThreads_giveTheSameRows_toTheLastDigit_asCsvAndParquet() throws IOException {
        Path csv = folder.resolve("spark.csv");
        Path parquet = folder.resolve("spark.parquet");
        assertThat(run(csv, "--parquet", parquet.toString()))
                .as("jobs of 16 GPUs can never run on 1x8")
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("18 cells: 18 played, 0 were in ")
                .contains("the jobs.csv 1x8 load 0.9 bin-pack: job ")
                .contains(" like it can never run: pod group ")
                .doesNotContain("4x8", "nodes.csv");
        String text = Files.readString(csv);
        assertThat(text).isEqualTo(Files.readString(here(1))).isEqualTo(Files.readString(here(8)));
        assertThat(parquet(parquet))
                .containsExactlyElementsOf(GridRun.rows(csv).stream()
                        .map(row -> String.join("|", row.fields()))
                        .toList());

        String cut = text.substring(0, text.length() / 2);
        long kept = cut.chars().filter(c -> c == '\n').count() - 1;
        Files.writeString(csv, cut);
        assertThat(run(csv)).isEqualTo(1);
        assertThat(kept).isBetween(3L, 15L);
        assertThat(out.toString()).contains("18 cells: " + (18 - kept) + " played, " + kept + " were in ");
        assertThat(Files.readString(csv)).as("a run that was broken off").isEqualTo(text);
    }

    @Test
    void badInput_isRefused() throws IOException {
        Path csv = Files.copy(here(2), folder.resolve("runs.csv"));
        assertThat(run(csv, "--interval", "60")).isEqualTo(2);
        assertThat(err.toString()).contains("was played with interval_seconds 1, got 60");
        assertThat(run(csv, "--parquet", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--parquet must end in .parquet");
        assertThat(run(csv, "--told", "never")).isEqualTo(2);
        assertThat(err.toString()).contains("must be exact, hours, limits, within:P or log-normal:M, got \"never\"");
    }
}
