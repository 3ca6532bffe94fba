package io.gpusched.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Node;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueTree;
import io.gpusched.replay.History;
import io.gpusched.replay.Past;
import io.gpusched.replay.Variant;
import io.gpusched.simulator.RowFile;
import io.gpusched.simulator.policy.LibraryPolicies;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryOnSparkTest {
    private static final Path HOUR = Path.of("../examples/hour/history");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void set() {
        System.setProperty("spark.ui.enabled", "false");
        System.setProperty("spark.driver.host", "localhost");
    }

    private int run(Path history, Path variants, Path csv) {
        return HistoryOnSpark.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("--master", "local[*]", history + "", "--variants", variants + "", "--csv", csv + "");
    }

    private static Variant variant(
            String name, String policy, Backfill backfill, Optional<QueueTree> queues, List<Node> nodes) {
        return new Variant(
                name,
                Optional.of(policy).filter(each -> !each.isEmpty()),
                Optional.of(backfill),
                queues,
                Optional.of(nodes).filter(each -> !each.isEmpty()),
                List.of(),
                Set.of());
    }

    @Test
    void sparkGivesTheRowsThatAreGivenHere_toTheLastDigit_andPlaysNoneTwice() throws IOException {
        History history = History.open(HOUR);
        Past past = Past.of(history, any -> {});
        Node first = past.begin().cluster().nodes().get(0).node();
        QueueTree queues = QueueTree.of(List.of(
                JobQueue.builder("default").build(), JobQueue.builder("other").build()));
        List<Variant> all = List.of(
                variant("one node", "", Backfill.ANYONE, Optional.empty(), List.of(first)),
                variant("fgd", "fgd", Backfill.ANYONE, Optional.empty(), List.of()),
                variant("drawn, in two queues", "random", Backfill.EASY, Optional.of(queues), List.of()));
        Path variants = Files.write(
                folder.resolve("variants.jsonl"),
                all.stream().map(Variant.FORMAT::write).toList());
        Path csv = folder.resolve("rows.csv");
        assertThat(run(HOUR, variants, csv)).as(out + "" + err).isZero();
        assertThat(out).hasToString("3 variants: 3 played, 0 were in " + csv + "\n");

        Map<String, Variant> byName = Variant.byName(all);
        Map<String, String> digests = Variant.digests(history, byName);
        List<List<String>> here = new ArrayList<>();
        byName.forEach((name, variant) -> here.add(variant.play(
                past, policy -> LibraryPolicies.of(policy, past::pods, Variant.SEED), digests.getOrDefault(name, ""))));
        try (RowFile rows = RowFile.open(csv, Variant.columns())) {
            assertThat(rows.read(row -> row)).isEqualTo(here);
        }
        assertThat(here.stream().map(row -> row.subList(2, row.size())).distinct())
                .as("variants that differ")
                .hasSize(3);

        out.getBuffer().setLength(0);
        assertThat(run(HOUR, variants, csv)).isZero();
        assertThat(out).hasToString("3 variants: 0 played, 3 were in " + csv + "\n");
    }

    @Test
    void badInput_isRefused() throws IOException {
        Path csv = folder.resolve("rows.csv");
        Path variants = Files.writeString(folder.resolve("variants.jsonl"), "{\"version\":1}\n");
        assertThat(run(folder, variants, csv)).isEqualTo(2);
        assertThat(err.toString()).contains("there must be files of a history");
        assertThat(run(HOUR, variants, csv)).isEqualTo(2);
        assertThat(err.toString()).contains("variants.jsonl: must have what gpu-sched replay grid --variants wrote");
        assertThat(run(HOUR, Files.writeString(variants, ""), csv)).isEqualTo(2);
        assertThat(err.toString()).contains("variants: at least one is needed");
    }
}
