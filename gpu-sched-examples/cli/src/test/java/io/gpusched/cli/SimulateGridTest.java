package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateGridTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path jobs;
    private Path csv;

    /** A job of 8 GPUs every ten minutes that runs for an hour. */
    @BeforeEach
    void writeJobs() throws IOException {
        List<String> rows = new ArrayList<>(List.of("name,submit,gpus,run_seconds"));
        for (int i = 0; i < 30; i++) {
            rows.add("j" + i + "," + 600 * i + ",8,3600");
        }
        jobs = Files.write(folder.resolve("jobs.csv"), rows);
        csv = folder.resolve("grid.csv");
    }

    private int run(String... arguments) {
        return GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private int grid(String... more) {
        List<String> all =
                new ArrayList<>(List.of("simulate", "grid", "--trace", jobs.toString(), "--csv", csv.toString()));
        all.addAll(List.of(more));
        return run(all.toArray(String[]::new));
    }

    /** The number of a column in the only row of a rule. */
    private double number(Path file, String column, String rule) throws IOException {
        List<String> rows = Files.readAllLines(file);
        int index = List.of(rows.get(0).split(",", -1)).indexOf(column);
        String row =
                rows.stream().filter(line -> line.contains(rule)).findFirst().orElseThrow();
        return Double.parseDouble(row.split(",", -1)[index]);
    }

    @Test
    void theNumbersOfACell_areThoseOfPlan_andOfTheTableOfRules() throws IOException {
        assertThat(grid("--pool", "4x8", "--policies", "bin-pack", "--backfill", "nobody,promised:shortest"))
                .isZero();
        assertThat(out.toString()).isEqualToNormalizingNewlines("3 cells: 3 played, 0 were in " + csv + "\n");
        Path plan = folder.resolve("plan.csv");
        assertThat(run("simulate", "plan", "--trace", jobs + "", "--pool", "4x8", "--csv", plan + ""))
                .isZero();
        for (String column : List.of("mean_wait_minutes", "p99_wait_minutes", "used_percent")) {
            assertThat(number(csv, column, ",bin-pack,")).isPositive().isEqualTo(number(plan, column, "now"));
        }
        assertThat(run("simulate", "--cycle", "--backfill", "nobody,easy", "--pool", "4x8", "--trace", jobs + ""))
                .isZero();
        assertThat(out.toString())
                .contains(String.format("\nnobody       %6.1f", number(csv, "mean_wait_minutes", ",nobody,")));
    }

    @Test
    void listsAreCrossed_andASecondRunPlaysOnlyWhatIsNew() {
        assertThat(grid("--pool", "4x8,6x8", "--policies", "bin-pack,spread", "--seeds", "1..2", "--load", "0.5,0.9"))
                .isZero();
        assertThat(out.toString()).contains("16 cells: 16 played");
        assertThat(grid("--pool", "4x8,6x8", "--policies", "bin-pack,spread", "--seeds", "1..3", "--load", "0.5"))
                .isZero();
        assertThat(out.toString()).contains("12 cells: 4 played, 8 were in ");
        assertThat(grid("--pool", "4x8", "--policies", "bin-pack", "--seeds", "1", "--block-hours", "2"))
                .isEqualTo(2);
        assertThat(out.toString()).doesNotContain("1 cells");
    }

    @Test
    void machinesOfTheOwnForm_areRead_andJobsThatCanNeverRunFailTheirCellAlone() throws IOException {
        Path small = Files.writeString(
                folder.resolve("small.yaml"),
                "nodes:\n- {name: n1, cpu: 96, memory: 768Gi, gpus: {count: 4, vendor: nvidia, model: V100, memory: 32Gi}}\n");
        assertThat(grid("--cluster", small.toString(), "--pool", "6x8", "--policies", "bin-pack"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("\njobs.csv small.yaml bin-pack: job j0 and 29 like it can never run: ")
                .doesNotContain("6x8");
    }

    @Test
    void whatDoesNotGoTogether_isRefused() {
        assertThat(grid()).isEqualTo(2);
        assertThat(err.toString()).contains("--backfill, --policies or both must be given");
        assertThat(grid("--policies", "bin-pack", "--told", "hours")).isEqualTo(2);
        assertThat(err.toString()).contains("--told goes with --backfill");
        assertThat(grid("--policies", "easy")).isEqualTo(2);
        assertThat(grid("--backfill", "bin-pack")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--backfill must be anyone, nobody, easy, conservative, promised or tiresias");
        assertThat(grid("--policies", "bin-pack", "--load", "11")).isEqualTo(2);
        assertThat(csv).doesNotExist();
    }
}
