package io.gpusched.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConformanceCommandTest {
    private static final String ONE_GPU = "\"given\": {\"gpus\": [{\"id\": \"0\", \"percentFree\": 40}]}";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new ConformanceCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private Path file(String name, String vectors) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                "{\"format\": \"gpu-sharing-vectors/1\", \"system\": \"nano-gpu\", \"vectors\": [" + vectors + "]}");
    }

    private static String fits(String id, String percent, boolean expected) {
        return "{\"id\": \"" + id + "\", \"kind\": \"fits\", " + ONE_GPU
                + ", \"request\": {\"containers\": [{\"percent\": " + percent + "}]}, \"expect\": {\"fits\": "
                + expected + "}}";
    }

    @Test
    void aPassingFile_exitsWithZeroAndEndsWithTheTotals() throws IOException {
        file("a.json", fits("a/1", "40", true) + "," + fits("a/2", "41", false));
        assertThat(run(folder.toString())).isZero();
        assertThat(out.toString().strip()).endsWith("2 passed, 0 failed, 0 skipped");
    }

    @Test
    void aWrongExpectation_failsWithItsFirstDifference() throws IOException {
        file("a.json", fits("a/1", "41", true));
        assertThat(run(folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("FAILED  a/1 (fits)").contains("$.fits: expected true, got false");
    }

    @Test
    void times_measureEachVerdictOfTheAllocatorOfDevicesInBothModes() throws IOException, URISyntaxException {
        URL vectors = Objects.requireNonNull(getClass().getResource("/vectors/dra/table-basic.json.gz"));
        assertThat(run("--times", "2", Path.of(vectors.toURI()).toString())).isZero();
        assertThat(out.toString().lines())
                .hasSize(22)
                .allMatch(
                        line -> line.matches("table/.* on node-[12], (EXACT|FIRST_FIT) .* ms least, .* ms median, .*"))
                .anyMatch(line -> line.contains("allocated PROVEN"));
    }

    @Test
    void alternativesThatAreBetterThanThoseOfKubernetes_areShown() throws URISyntaxException {
        URL vectors = Objects.requireNonNull(getClass().getResource("/vectors/dra/generated-alt-order.json.gz"));
        assertThat(run(Path.of(vectors.toURI()).toString())).isZero();
        assertThat(out.toString())
                .contains("0 skipped (8 better than recorded)")
                .contains(
                        "  better  gen/alt-order-001 on node-1 (exact): alternatives [2, 0], Kubernetes chose [2, 2]");
    }

    @Test
    void gangsThatStartWhereKubernetesIsStuck_areShown() throws URISyntaxException {
        URL vectors = Objects.requireNonNull(getClass().getResource("/vectors/dra/gang-whole-or-half.json.gz"));
        assertThat(run(Path.of(vectors.toURI()).toString())).isZero();
        assertThat(out.toString()).containsPattern("  better  .*: all \\d pods run, Kubernetes is stuck at pod-\\d");
    }

    @Test
    void anUnknownKind_isSkippedByName() throws IOException {
        file("a.json", "{\"id\": \"a/1\", \"kind\": \"tea-making\", \"expect\": {\"tea\": true}}");
        assertThat(run(folder.toString())).isZero();
        assertThat(out.toString()).contains("unknown kind \"tea-making\"").contains("0 passed, 0 failed, 1 skipped");
    }

    @Test
    void aFieldOfTheWrongType_isNamedWithFileLineAndCase_andTheOthersAreRun() throws IOException {
        Path file = file("a.json", fits("a/1", "\"many\"", true) + "," + fits("a/2", "40", true));
        assertThat(run(folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "case a/1: " + file + ", line 1, field vectors[0].request.containers[0].percent",
                        "whole number");
        assertThat(out.toString()).contains("1 passed, 0 failed, 0 skipped");
    }

    @Test
    void aCaseThatIsRefused_fails_andTheOthersAreRun() throws IOException {
        String step = "{\"op\": \"submit\", \"gres\": \"gpu:1\", \"id\": \"NODE\", \"result\": [[\"NODE\","
                + " \"gpu:a:1(IDX:0)\"]]}";
        Files.writeString(
                folder.resolve("a.json"),
                "{\"slurm\": \"22\", \"nodes\": {\"n1\": {\"cpus\": 4, \"gres\": \"gpu:a:2\"}}, \"steps\": ["
                        + step.replace("NODE", "n7") + "," + step.replace("NODE", "n1") + "]}");
        assertThat(run(folder.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("FAILED  step 0", "expected an answer", "n7")
                .contains("1 passed, 1 failed");
    }

    @Test
    void aFileWhoseCasesCannotBeSetUp_failsAsOne_andOtherFilesAreRun() throws IOException {
        Files.writeString(
                folder.resolve("a.json"),
                "{\"matrices\": {\"m\": [[0]]}, \"bestEffort_sequences\": {}, \"extra_allFree\": {\"m\": {\"two\":"
                        + " {\"set\": [0]}}}}");
        file("b.json", fits("b/1", "40", true));
        assertThat(run(folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("FAILED  all cases (set-up)", "two").contains("1 passed, 1 failed");
    }

    @Test
    void aMissingField_isNamed() throws IOException {
        file("a.json", "{\"kind\": \"fits\", \"expect\": {}}");
        assertThat(run(folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("field vectors[0].id", "must be there");
    }

    @Test
    void textThatIsNeitherJsonNorYaml_isAnErrorWithItsLine() throws IOException {
        Files.writeString(folder.resolve("a.json"), "{\n\"format\": [}");
        assertThat(run(folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("a.json", "line 2");
    }

    @Test
    void anUnknownFormat_isAnError() throws IOException {
        Files.writeString(folder.resolve("a.json"), "{\"format\": \"tea\"}");
        assertThat(run(folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("a.json", "field format", "\"tea\"");
    }

    @Test
    void aCaseThatExpectsNothing_isAnError() throws IOException {
        file("a.json", fits("a/1", "40", true).replace("{\"fits\": true}", "{\"note\": \"nothing\"}"));
        assertThat(run(folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("field vectors[0].expect", "must say what is expected");
    }

    @Test
    void aWrongAnswerToADocumentedDefect_fails_unlessTheDepartureIsKnown() throws IOException {
        file(
                "a.json",
                avoid(fits("a/1", "40", false)) + "," + avoid(fits("a/2", "140", true)) + ","
                        + avoid(fits("a/3", "40", true)));
        assertThat(run(folder.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("FAILED  a/1")
                .contains("skipped a/2", "refused here", "1..100, got 140")
                .contains("1 passed, 1 failed, 1 skipped");
    }

    private static String avoid(String vector) {
        return vector.replaceFirst("\\{", "{\"advice\": \"avoid\", ");
    }

    @Test
    void aMissingFolder_isAnError() {
        assertThat(run(folder.resolve("nowhere").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("nowhere");
    }

    @Test
    void json_holdsTheOutcomeOfEveryCase() throws IOException {
        file("a.json", fits("a/1", "40", true) + "," + fits("a/2", "40", false));
        Path json = folder.resolve("result.txt");
        run(folder.toString(), "--json", json.toString());
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.at("/cases/0/outcome").asText()).isEqualTo("passed");
        assertThat(result.at("/cases/1/differences/0/path").asText()).isEqualTo("$.fits");
        assertThat(result.at("/failed").asInt()).isEqualTo(1);
    }
}
