package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SimulateDefragTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void itSaysHowManyNodesEachRuleMakes_withTheSeedsThatWerePlayed() {
        assertThat(run("simulate", "defrag", "--scale", "0.02", "--seeds", "1..2", "--fill", "0.7"))
                .isZero();
        assertThat(out.toString())
                .contains("generated: ", "2 snapshots with 70 % of the GPUs allocated", "seeds 1..2")
                .containsPattern("\ndefrag +\\d+\\.\\d ±")
                .contains("\none job, fewest ", "\none job, KAI's rule ");
    }

    @Test
    void whatCannotBe_isRefused() {
        assertThat(run("simulate", "defrag", "--fill", "1.1")).isEqualTo(2);
        assertThat(err.toString()).contains("--fill", "must be in 0.1..1, got \"1.1\"");
    }
}
