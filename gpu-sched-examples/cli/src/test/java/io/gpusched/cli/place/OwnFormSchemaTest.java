package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.gpusched.cli.GpuSched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema of the library's own form says what {@code place} reads. */
class OwnFormSchemaTest {
    private static final Path FOLDER = Path.of("../examples");
    private static final String TEXT = text("own-form.schema.json");
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(TEXT, InputFormat.JSON);
    private static final Pattern KNOWN = Pattern.compile("known here are ([^\n]*)");

    @TempDir
    private Path folder;

    private static String text(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<String> problems(String yaml) {
        return SCHEMA.validate(yaml, InputFormat.YAML).stream()
                .map(Object::toString)
                .toList();
    }

    /** By definition: a document with an unknown field there. */
    private static Map<String, String> withUnknownField() {
        Map<String, String> documents = new TreeMap<>();
        documents.put("cluster", "{nodes: [], odd: 1}");
        documents.put("node", "{nodes: [{name: n, odd: 1}]}");
        documents.put("taint", "{nodes: [{name: n, taints: [{key: k, odd: 1}]}]}");
        documents.put("gpus", "{nodes: [{name: n, gpus: {odd: 1}}]}");
        documents.put("running", running("odd: 1"));
        documents.put("heldShare", running("shares: [{gpu: 0, odd: 1}]"));
        documents.put("heldPartition", running("partitions: [{gpu: 0, profile: x, odd: 1}]"));
        documents.put("membership", running("group: {name: g, odd: 1}"));
        documents.put("request", "{pod: {name: p}, odd: 1}");
        documents.put("pod", "{pod: {name: p, odd: 1}}");
        documents.put("container", "{pod: {name: p, containers: [{name: c, odd: 1}]}}");
        documents.put("toleration", "{pod: {name: p, tolerations: [{odd: 1}]}}");
        documents.put("gpu", "{pod: {name: p, gpu: {exclusive: 1, odd: 1}}}");
        documents.put("share", "{pod: {name: p, gpu: {share: {odd: 1}}}}");
        documents.put("partition", "{pod: {name: p, gpu: {partition: {profile: x, odd: 1}}}}");
        documents.put("group", group("odd: 1"));
        documents.put("locality", group("locality: {odd: 1}"));
        documents.put("slices", group("slices: {size: 1, level: rack, odd: 1}"));
        documents.put("role", "{group: {name: g, roles: [{name: r, pod: {}, odd: 1}]}}");
        return documents;
    }

    private static String running(String more) {
        return "{nodes: [{name: n, gpus: {}}], running: [{name: p, node: n, " + more + "}]}";
    }

    private static String group(String more) {
        return "{group: {name: g, roles: [{name: r, pod: {}}], " + more + "}}";
    }

    private PlaceRun place(String document) throws IOException {
        boolean isCluster = document.contains("nodes:");
        Path file = Files.writeString(folder.resolve("document.yaml"), document);
        String other = FOLDER.resolve(isCluster ? "pod.yaml" : "cluster.yaml").toString();
        return PlaceRun.of("--cluster", isCluster ? file + "" : other, "--pod", isCluster ? other : file + "");
    }

    static Stream<String> definitions() throws IOException {
        JsonNode all = JsonMapper.builder().build().readTree(TEXT).at("/$defs");
        return Stream.generate(all.fieldNames()::next)
                .limit(all.size())
                .filter(name -> all.get(name).has("properties"));
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void eachThing_hasTheFieldsThatAreRead_andNoOthers(String name) throws IOException {
        String document = withUnknownField().get(name);
        assertThat(document).as("a document for each thing of the schema").isNotNull();
        assertThat(problems(document)).anyMatch(problem -> problem.contains("odd"));
        PlaceRun run = place(document);
        Matcher known = KNOWN.matcher(run.err());
        assertThat(known.find()).as(run.err()).isTrue();
        TreeSet<String> fields = new TreeSet<>();
        JsonMapper.builder()
                .build()
                .readTree(TEXT)
                .at("/$defs/" + name + "/properties")
                .fieldNames()
                .forEachRemaining(fields::add);
        assertThat(fields).isEqualTo(new TreeSet<>(Arrays.asList(known.group(1).split(", "))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster.yaml", "pod.yaml", "pod-too-large.yaml", "group.yaml"})
    void theExamples_areValid(String file) {
        assertThat(problems(text(file))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{nodes: [{name: n, mode: shared, cpu: 500m, gpus: [{model: T4, count: 2}, {uuids: [a], mig: A100_80GB}], topology: {rack: r}, links: [[X, NV12, SYS], [NV12, X, SYS], [SYS, SYS, X]], taints: [{key: k, effect: NoExecute}]}]}",
                "{pod: {name: p, gpu: {firstOf: [{exclusive: 2, affinity: nvlinkClique}, {share: {count: 2, memoryPercent: 30}}]}, tolerations: [{operator: Exists}]}}",
                "{group: {name: g, groups: [{name: h, minMember: 1, roles: [{name: r, replicas: 2, pod: {cpu: 1, gpu: {percent: 30}}}]}], minGroups: 1, locality: {scope: domain, level: rack, required: false}}}",
            })
    void whatIsValid_isRead(String document) throws IOException {
        assertThat(problems(document)).isEmpty();
        PlaceRun run = place(document);
        assertThat(run.code()).as(run.err()).isNotEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{nodes: [{mode: mixed}]}",
                "{nodes: [{name: n, mode: some}]}",
                "{nodes: [{name: n, gpus: {count: 65}}]}",
                "{nodes: [{name: n, gpus: {mig: A100}}]}",
                "{nodes: [{name: n, links: [[Y]]}]}",
                "{running: []}",
                "{pod: {name: p, gpu: {percent: 101}}}",
                "{pod: {name: p, gpu: {affinity: near}}}",
                "{pod: {name: p, gpu: {share: {memoryPercent: 101}}}}",
                "{pod: {name: p}, group: {name: g, roles: []}}",
                "{group: {name: g, locality: {scope: rack}, roles: []}}",
            })
    void whatIsNotValid_isRefused(String document) throws IOException {
        assertThat(problems(document)).isNotEmpty();
        PlaceRun run = place(document);
        assertThat(run.code()).as(run.out()).isEqualTo(2);
    }

    @Test
    void thePage_showsDocumentsThatAreValid() throws IOException {
        String page = Files.readString(Path.of("../../docs/own-form.md"));
        List<String> blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(block -> assertThat(problems(block)).isEmpty());
        Path cluster = Files.writeString(folder.resolve("cluster.yaml"), blocks.get(0));
        Path pod = Files.writeString(folder.resolve("pod.yaml"), blocks.get(1));
        assertThat(GpuSched.commandLine().execute("place", "--cluster", cluster + "", "--pod", pod + ""))
                .isZero();
    }
}
