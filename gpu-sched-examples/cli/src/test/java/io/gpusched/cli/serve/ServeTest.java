package io.gpusched.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.json.JsonFormat;
import io.gpusched.kubernetes.http.HttpLimits;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeTest {
    private static final String TOKEN = "s3cret";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static final Cluster CLUSTER = Cluster.of(List.of(Node.builder("n1")
            .capacity(64_000, 65_536)
            .gpus(8, GpuModel.of("nvidia", "A100", 81_920))
            .build()));

    private WebServer server;

    @BeforeEach
    void start() throws IOException {
        server = new Service(CLUSTER, changed -> {})
                .on(WebServer.builder("serve").limits(HttpLimits.DEFAULT.withBodyBytes(1 << 16)), Optional.of(TOKEN))
                .start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(1_000, 1_024), GpuRequest.exclusive(gpus));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> post(String path, String body) {
        return send(
                at(path).header("Authorization", "Bearer " + TOKEN).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static JsonNode json(HttpResponse<String> answer) throws JsonProcessingException {
        return JSON.readTree(answer.body());
    }

    /** A document with something beside what it holds. */
    private static String with(String document, String more) {
        return document.substring(0, document.length() - 1) + ", " + more + "}";
    }

    private Cluster served() {
        return JsonFormat.CLUSTER.read(send(at("/v1/cluster").header("Authorization", "Bearer " + TOKEN))
                .body());
    }

    @Test
    void aPodThatIsPlaced_runsFromThenOn_untilItIsReleased() throws JsonProcessingException {
        JsonNode decision =
                json(post("/v1/place", JsonFormat.POD.write(pod("a", 5)))).path("decision");

        assertThat(decision.path("kind").asText()).isEqualTo("placed");
        assertThat(served().placements()).hasSize(1);
        assertThat(post("/v1/place", JsonFormat.POD.write(pod("a", 1))).statusCode())
                .as("it runs already")
                .isEqualTo(409);
        assertThat(json(post("/v1/release", "{\"pods\": [\"a\"]}"))
                        .path("released")
                        .get(0)
                        .asText())
                .isEqualTo("a");
        assertThat(served()).isEqualTo(CLUSTER);
    }

    @Test
    void aGroup_isPlacedAsAWholeOrNotAtAll() throws JsonProcessingException {
        PodGroup three = PodGroup.of(
                "g", IntStream.range(0, 3).mapToObj(i -> pod("g-" + i, 3)).toList());
        JsonNode refused =
                json(post("/v1/place", JsonFormat.GROUP.write(three))).path("groupDecision");

        assertThat(refused.path("kind").asText()).isEqualTo("unschedulable");
        assertThat(served()).isEqualTo(CLUSTER);
    }

    @Test
    void whatIf_changesNothing() throws JsonProcessingException {
        post("/v1/place", JsonFormat.POD.write(pod("a", 8)));
        String next = JsonFormat.POD.write(pod("b", 8));
        Cluster before = served();

        assertThat(json(post("/v1/what-if", next)).at("/decision/kind").asText())
                .isEqualTo("unschedulable");
        assertThat(json(post("/v1/what-if", with(next, "\"without\": [\"a\"]")))
                        .at("/decision/kind")
                        .asText())
                .isEqualTo("placed");
        assertThat(json(post("/v1/what-if", with(next, "\"without\": [\"a\"], \"cordoned\": [\"n1\"]")))
                        .at("/decision/kind")
                        .asText())
                .isEqualTo("unschedulable");
        assertThat(served()).isEqualTo(before);
    }

    @Test
    void explain_saysWhyNot_onAllNodesOrOnOne() throws JsonProcessingException {
        String nine = JsonFormat.POD.write(pod("a", 9));

        assertThat(json(post("/v1/explain", JsonFormat.POD.write(pod("a", 8))))
                        .path("fits")
                        .asBoolean())
                .isTrue();
        JsonNode all = json(post("/v1/explain", nine));
        assertThat(all.path("text").asText()).contains("at most 8 GPUs on one node, asked 9");
        assertThat(all.at("/diagnosis/reasons/0/code").asText()).isEqualTo("TOO_FEW_GPUS");
        assertThat(json(post("/v1/explain", with(nine, "\"node\": \"n1\"")))
                        .path("text")
                        .asText())
                .contains("on node \"n1\"");
    }

    @Test
    void headroom_countsHowManyMoreFit() throws JsonProcessingException {
        JsonNode headroom = json(post("/v1/headroom", JsonFormat.POD.write(pod("a", 3))));

        assertThat(headroom.path("pods").asInt()).isEqualTo(2);
        assertThat(headroom.path("exact").asBoolean()).isTrue();
        assertThat(headroom.at("/byNode/n1").asInt()).isEqualTo(2);
    }

    @Test
    void aClusterThatIsSent_takesThePlaceOfTheOneBefore() throws JsonProcessingException {
        Cluster other = Cluster.of(List.of(Node.builder("other").build()));

        assertThat(json(post("/v1/cluster", JsonFormat.CLUSTER.write(other)))
                        .path("nodes")
                        .asInt())
                .isEqualTo(1);
        assertThat(served()).isEqualTo(other);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        /v1/place    | []                                  | 400 | must be an object
        /v1/place    | {"version": 1                       | 400 | must be JSON in line 1
        /v1/place    | {"version": 1}                      | 400 | must have a field "pod"
        /v1/place    | {"version": 2, "pod": {}}           | 400 | version must be 1
        /v1/place    | {"version": 1, "pod": {"id": "a"}}  | 400 | "at":"pod
        /v1/cluster  | {"version": 1, "cluster": 7}        | 400 | cluster
        /v1/what-if  | {"version": 1, "without": "a"}      | 400 | without must be a list of names
        /v1/what-if  | {"version": 1, "without": ["x"]}    | 404 | no pod "default/x" runs
        /v1/what-if  | {"version": 1, "cordoned": ["x"]}   | 404 | there is no node "x"
        /v1/release  | {"pods": ["x"]}                     | 404 | no pod "default/x" runs
        /v1/nowhere  | {}                                  | 404 | there is /
        """)
    void aBadRequest_saysWhatIsWrong_andChangesNothing(String path, String body, int status, String message) {
        HttpResponse<String> answer = post(path, body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body().replace("\\\"", "\"")).contains(message.replace("default/x", "x"));
        assertThat(served()).isEqualTo(CLUSTER);
    }

    @Test
    void withoutTheToken_nothingIsToldOfTheCluster() {
        assertThat(send(at("/v1/cluster")).statusCode()).isEqualTo(401);
        assertThat(send(at("/v1/cluster").header("Authorization", "Bearer wrong"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(send(at("/v1/release").POST(HttpRequest.BodyPublishers.ofString("{}")))
                        .statusCode())
                .isEqualTo(401);
        for (String open : List.of("/", "/healthz", "/openapi.json")) {
            assertThat(send(at(open)).statusCode()).as(open).isEqualTo(200);
        }
    }

    @Test
    void aBodyThatIsTooLong_isRefused() {
        assertThat(post("/v1/place", " ".repeat(1 << 17)).statusCode()).isEqualTo(413);
    }

    /** A schema with what it refers to and what it joins in place, as far as its own fields go: name, and whether it must be there. */
    private static Map<String, Boolean> fields(JsonNode document, JsonNode schema) {
        Map<String, Boolean> fields = new TreeMap<>();
        if (schema.has("$ref")) {
            fields.putAll(
                    fields(document, document.at(schema.path("$ref").asText().substring(1))));
        }
        for (JsonNode part : schema.path("allOf")) {
            fields.putAll(fields(document, part));
        }
        for (JsonNode part : schema.path("oneOf")) {
            fields(document, part)
                    .forEach((name, must) -> fields.merge(name, must && name.equals("version"), (a, b) -> a && b));
        }
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").fieldNames().forEachRemaining(name -> fields.put(name, required.contains(name)));
        return fields;
    }

    /** What the service says of a field that it does not know, and of bodies that lack one, is what the document says. */
    @Test
    void theOpenApiDocument_hasTheFieldsThatAreServed_andTheirRequiredFlags() throws JsonProcessingException {
        JsonNode document = json(send(at("/openapi.json")));
        Map<String, String> bodies = new TreeMap<>(Map.of(
                "/v1/cluster", JsonFormat.CLUSTER.write(CLUSTER),
                "/v1/place", JsonFormat.POD.write(pod("b", 1)),
                "/v1/what-if", JsonFormat.POD.write(pod("a", 1)),
                "/v1/explain", JsonFormat.POD.write(pod("a", 1)),
                "/v1/headroom", JsonFormat.POD.write(pod("a", 1)),
                "/v1/release", "{\"pods\": []}"));
        assertThat(document.path("paths").properties())
                .filteredOn(path -> path.getValue().has("post"))
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrderElementsOf(bodies.keySet());
        for (Map.Entry<String, String> body : bodies.entrySet()) {
            String path = body.getKey();
            JsonNode operation = document.path("paths").path(path).path("post");
            Map<String, Boolean> fields = fields(
                    document,
                    operation
                            .path("requestBody")
                            .path("content")
                            .path("application/json")
                            .path("schema"));
            String known = json(post(path, with(body.getValue(), "\"nosuchfield\": 1")))
                    .path("error")
                    .asText();
            assertThat(known.substring(known.indexOf("; there is ") + 11).split(", "))
                    .as(path)
                    .containsExactlyInAnyOrderElementsOf(fields.keySet());
            assertThat(post(path, body.getValue()).statusCode()).as(path).isEqualTo(200);
            for (Map.Entry<String, Boolean> field : fields.entrySet()) {
                ObjectNode without = (ObjectNode) JSON.readTree(body.getValue());
                if (without.remove(field.getKey()) != null) {
                    assertThat(post(path, without.toString()).statusCode() == 400)
                            .as("%s without %s", path, field.getKey())
                            .isEqualTo(field.getValue()
                                    || fields.containsKey("group")
                                            && field.getKey().equals("pod"));
                } else {
                    assertThat(field.getValue())
                            .as("%s has %s", path, field.getKey())
                            .isFalse();
                }
            }
            boolean changes =
                    operation.path("parameters").findValuesAsText("name").contains("If-Match");
            assertThat(post(path, body.getValue(), "\"another\"").statusCode() == 412)
                    .as(path)
                    .isEqualTo(changes);
            assertThat(operation.path("responses").has("412")).as(path).isEqualTo(changes);
        }
    }

    /** An operation that is served and not described, or the other way round, is found by asking for each. */
    @Test
    void theOpenApiDocument_describesWhatIsServed() throws JsonProcessingException {
        JsonNode paths = json(send(at("/openapi.json"))).path("paths");

        assertThat(paths.size()).isEqualTo(9);
        paths.properties()
                .forEach(path -> path.getValue().fieldNames().forEachRemaining(method -> {
                    HttpRequest.BodyPublisher none = HttpRequest.BodyPublishers.ofString("{}");
                    int status = send(at(path.getKey())
                                    .header("Authorization", "Bearer " + TOKEN)
                                    .method(method.toUpperCase(java.util.Locale.ROOT), none))
                            .statusCode();
                    assertThat(status).as(method + " " + path.getKey()).isNotIn(404, 405, 500);
                }));
        String unknown = json(send(at("/nowhere").header("Authorization", "Bearer " + TOKEN)))
                .path("error")
                .asText();
        String served = unknown.substring(unknown.indexOf("there is ") + 9).strip();
        assertThat(served.split(", "))
                .allSatisfy(path -> assertThat(paths.has(path)).as(path).isTrue());
    }

    @Test
    void aFieldThatIsNotKnown_isRefusedByName_atTheTopAndBelow_andAnotherVersionToo() throws JsonProcessingException {
        String pod = JsonFormat.POD.write(pod("a", 1));
        for (String wrong : List.of(
                with(pod, "\"witout\": []"),
                with(pod, "\"without\": []"),
                pod.replace("\"id\":", "\"idd\":{},\"id\":"),
                pod.replace("\"version\":1", "\"version\":9"))) {
            HttpResponse<String> answer = post("/v1/place", wrong);
            assertThat(answer.statusCode()).as(wrong).isEqualTo(400);
            assertThat(json(answer).path("error").asText()).isNotEmpty();
        }
        assertThat(post("/v1/release", "{\"pods\": [], \"version\": 9}").statusCode())
                .isEqualTo(400);
        assertThat(json(post("/v1/what-if", with(pod, "\"witout\": []")))
                        .path("error")
                        .asText())
                .isEqualTo(
                        "there is no field \"witout\" at /v1/what-if; there is pod, group, without, cordoned, version");
        assertThat(post("/v1/what-if", with(pod, "\"without\": []")).statusCode())
                .isEqualTo(200);
        assertThat(served()).isEqualTo(CLUSTER);
    }

    @Test
    void everyProblem_isJson_withTheHeadersOfItsStatus() throws JsonProcessingException {
        HttpResponse<String> unknown = send(at("/nowhere").header("Authorization", "Bearer " + TOKEN));
        HttpResponse<String> wrongMethod = send(at("/v1/place").header("Authorization", "Bearer " + TOKEN));
        HttpResponse<String> noToken = send(at("/v1/cluster"));
        HttpResponse<String> tooLong = post("/v1/place", " ".repeat(1 << 17));
        for (HttpResponse<String> answer : List.of(unknown, wrongMethod, noToken, tooLong)) {
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(json(answer).path("error").asText()).isNotEmpty();
        }
        assertThat(wrongMethod.headers().firstValue("Allow")).contains("POST");
        assertThat(noToken.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    private HttpResponse<String> post(String path, String body, String ifMatch) {
        return send(at(path).header("Authorization", "Bearer " + TOKEN)
                .header("If-Match", ifMatch)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static String tag(HttpResponse<String> answer) {
        return answer.headers().firstValue("ETag").orElseThrow();
    }

    @Test
    void aChangeForAnotherState_isRefused_andOneForThisStateIsMade() throws JsonProcessingException {
        HttpRequest.Builder get = at("/v1/cluster").header("Authorization", "Bearer " + TOKEN);
        String before = tag(send(get));
        assertThat(send(get.copy().header("If-None-Match", before)).statusCode())
                .isEqualTo(304);
        HttpResponse<String> placed = post("/v1/place", JsonFormat.POD.write(pod("a", 1)), before);
        assertThat(placed.statusCode()).isEqualTo(200);
        assertThat(tag(placed)).isNotEqualTo(before);
        HttpResponse<String> late = post("/v1/place", JsonFormat.POD.write(pod("b", 1)), before);
        assertThat(late.statusCode()).isEqualTo(412);
        assertThat(json(late).path("error").asText()).startsWith("the cluster has changed: If-Match is ");
        assertThat(served().placements()).hasSize(1);
        assertThat(post("/v1/release", "{\"pods\": [\"a\"]}", "\"x\", " + tag(placed))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(get.copy().header("If-None-Match", before)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void theState_isKeptInAFile_andAChangeThatCannotBeWrittenIsNotMade(@TempDir Path folder) throws IOException {
        StateFile file = new StateFile(folder.resolve("state.json"));
        assertThat(file.read()).isEmpty();
        server.close();
        server = new Service(CLUSTER, file::write)
                .on(WebServer.builder("serve"), Optional.of(TOKEN))
                .start("127.0.0.1", 0);
        assertThat(post("/v1/place", JsonFormat.POD.write(pod("a", 5))).statusCode())
                .isEqualTo(200);
        assertThat(file.read()).contains(served());
        Cluster kept = served();
        Files.createDirectory(folder.resolve("state.json.new"));
        assertThat(post("/v1/place", JsonFormat.POD.write(pod("b", 1))).statusCode())
                .isEqualTo(500);
        assertThat(served()).isEqualTo(kept);
    }
}
