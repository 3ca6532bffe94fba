package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers as JSON: the same as in words, values in the form of the library. */
class LookJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String CLUSTER = Exports.node("n1", 8)
            + Exports.node("n2", 8)
            + Exports.running("a", "n1", 5)
            + Exports.running("b", "n2", 3)
            + Exports.waiting("w", 6)
            + Exports.waiting("v", 2);

    @TempDir
    private Path folder;

    private JsonNode run(int code, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--json";
        LookRun run = LookRun.on(folder, CLUSTER, all);
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        try {
            return JSON.readTree(run.out());
        } catch (IOException e) {
            throw new AssertionError(run.out(), e);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            map, 0
            who, 0
            stranded, 0
            mix, 0
            shrink, 0
            defrag, 0
            drain n1, 0
            drain n2, 0
            repair n2, 0
            why ml/w, 1
            why ml/a, 0
            """)
    void everyCommand_saysItsVersionAndWhatTheClusterIs(String command, int code) {
        JsonNode json = run(code, command.split(" "));
        assertThat(json.at("/version").asInt()).isPositive();
        assertThat(json.at("/cluster/nodes").asInt()).isEqualTo(2);
        assertThat(json.at("/cluster/gpus").asInt()).isEqualTo(16);
        assertThat(json.at("/cluster/idleGpus").asInt()).isEqualTo(8);
        assertThat(json.at("/notes").isArray()).isTrue();
        assertThat(json.has(command.split(" ")[0])).isTrue();
    }

    @Test
    void map_namesWhoHoldsWhat() {
        JsonNode map = run(0, "map").get("map");
        assertThat(map.at("/nodes/0/name").asText()).isEqualTo("n1");
        assertThat(map.at("/nodes/0/placements/0/pod").toString()).contains("a");
        assertThat(map.at("/pending")).hasSize(2);
    }

    @Test
    void why_hasAPlacement_orARefusal() {
        assertThat(run(1, "why", "ml/w").at("/why/hasRoom").asBoolean()).isFalse();
        assertThat(run(1, "why", "ml/w").at("/why/refusal").asText()).contains("no room now");
        assertThat(run(0, "why", "ml/v").at("/why/placement/node").asText()).isEqualTo("n1");
        assertThat(run(0, "why", "ml/a").at("/why/state").asText()).isEqualTo("running");
    }

    @Test
    void drain_hasMoves_orObstaclesWithTheirDiagnosis() {
        JsonNode two = run(0, "drain", "n2").get("drain");
        assertThat(two.at("/possible").asBoolean()).isTrue();
        assertThat(two.at("/moves/0/node").asText()).isEqualTo("n1");
        JsonNode one = run(1, "drain", "n1", "n2").get("drain");
        assertThat(one.at("/possible").asBoolean()).isFalse();
        assertThat(one.at("/obstacles/0/diagnosis/reasons").isArray()).isTrue();
    }

    @Test
    void who_sumsByWhatIsAsked() {
        JsonNode sums = run(0, "who").at("/who/sums");
        assertThat(sums).hasSize(1);
        assertThat(sums.get(0).toString()).contains("\"ml\"", "8");
    }

    @Test
    void fit_hasPlacementsRefusalsAndHowManyMore() throws IOException {
        String pods = Exports.waiting("x", 5) + Exports.waiting("y", 6);
        Path file = Files.writeString(folder.resolve("pods.yaml"), pods);
        JsonNode json = run(1, "fit", file.toString());
        JsonNode fit = json.get("fit");
        assertThat(fit.at("/asked").asInt()).isEqualTo(2);
        assertThat(fit.at("/started").asInt()).isEqualTo(1);
        assertThat(fit.at("/placements/0/node").asText()).isEqualTo("n2");
        assertThat(fit.at("/refused/0/subject").asText()).isEqualTo("pod \"ml/y\"");
        assertThat(fit.at("/refused/0/diagnosis/reasons/0/code").asText()).isEqualTo("IDLE_GPUS");
        assertThat(fit.at("/more/0/count").asInt()).isZero();
    }
}
