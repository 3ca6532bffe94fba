package io.gpusched.kubernetes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.DialectPolicies;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryCheck;
import io.gpusched.replay.JobOutcome;
import io.gpusched.replay.Past;
import io.gpusched.replay.WhatIf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories of a cluster that another scheduler decides about, from what kubectl printed of it. */
class ClusterRecorderTest {
    private static final String NODE = """
        {"kind":"Node","apiVersion":"v1","metadata":{"name":"n1","creationTimestamp":"2026-11-27T08:00:00Z"},
         "status":{"allocatable":{"cpu":"64","memory":"512Gi","pods":"110","nvidia.com/gpu":"8"},
         "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-27T08:00:00Z"}]}}
        """;

    @TempDir
    private Path folder;

    private final List<String> notes = new ArrayList<>();

    private ClusterRecorder recorder() {
        return new ClusterRecorder(
                folder.resolve("history"), 1 << 20, List.of(), QueueVocabulary.GPU_SCHED, notes::add);
    }

    private static String event(String type, String pod, int gpus, String created, String started) {
        String spec = started.isEmpty() ? "" : "\"nodeName\":\"n1\",";
        String status = started.isEmpty()
                ? "{\"phase\":\"Pending\"}"
                : "{\"phase\":\"Running\",\"startTime\":\"" + started + "\"}";
        return """
            {"type":"%s","object":{"kind":"Pod","apiVersion":"v1",
             "metadata":{"name":"%s","namespace":"default","uid":"%s","creationTimestamp":"%s"},
             "spec":{%s"schedulerName":"somebody","containers":[{"name":"main","image":"secret/image","env":[{"name":"KEY","value":"hidden"}],
             "resources":{"limits":{"nvidia.com/gpu":"%d"}}}]},"status":%s}}
            """.formatted(type, pod, pod, created, spec, gpus, status);
    }

    private static String ended(String pod, int gpus, String created, String started, String ended) {
        return event("MODIFIED", pod, gpus, created, started)
                .replace(
                        "\"phase\":\"Running\"",
                        "\"phase\":\"Succeeded\",\"containerStatuses\":[{\"name\":\"main\",\"ready\":false,\"restartCount\":0,\"image\":\"\","
                                + "\"imageID\":\"\",\"state\":{\"terminated\":{\"exitCode\":0,\"finishedAt\":\"" + ended
                                + "\"}}}]");
    }

    private static String at(int minute) {
        return "2026-11-27T09:%02d:00Z".formatted(minute);
    }

    /** The first takes six GPUs; the second waits for eight, and is passed by the third, which takes two. */
    private static String pods() {
        return event("ADDED", "a", 6, at(0), "")
                + event("MODIFIED", "a", 6, at(0), at(1))
                + event("ADDED", "b", 8, at(2), "")
                + event("ADDED", "c", 2, at(3), "")
                + event("MODIFIED", "c", 2, at(3), at(4))
                + ended("a", 6, at(0), at(1), at(10))
                + ended("c", 2, at(3), at(4), at(34))
                + event("MODIFIED", "b", 8, at(2), at(35))
                + ended("b", 8, at(2), at(35), at(45));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void filesThatKubectlPrinted_becomeAHistoryAtTheTimesThatTheObjectsName() throws IOException {
        long states = recorder().record(List.of(file("pods.json", pods()), file("nodes.json", NODE)));
        assertThat(notes).isEmpty();
        History history = History.open(folder.resolve("history"));
        Past past = Past.of(history, any -> {});
        assertThat(past.isForeign()).isTrue();
        assertThat(past.outcome().jobs())
                .extracting(
                        JobOutcome::name,
                        job -> job.started().getAsLong() - job.arrived(),
                        job -> job.ended().getAsLong())
                .containsExactly(
                        tuple("pod a", 60_000L, millis(10)),
                        tuple("pod b", 33 * 60_000L, millis(45)),
                        tuple("pod c", 60_000L, millis(34)));
        assertThat(HistoryCheck.of(history, any -> {})).isEqualTo(new HistoryCheck(3, 0, 0, List.of()));
        assertThat(history.read(any -> {}).decisions()).isEqualTo(states);
    }

    private static long millis(int minute) {
        return Instant.parse(at(minute)).toEpochMilli();
    }

    @Test
    void whatIf_playsTheOtherSchedulersHistoryByTheCycle() throws IOException {
        recorder().record(List.of(file("pods.json", pods()), file("nodes.json", NODE)));
        Past past = Past.of(History.open(folder.resolve("history")).withPolicies(DialectPolicies::named), any -> {});
        var ours = WhatIf.play(past, WhatIf.Change.NONE, time -> {});
        assertThat(ours.jobs())
                .extracting(JobOutcome::started)
                .containsExactly(OptionalLong.of(millis(0)), OptionalLong.of(millis(33)), OptionalLong.of(millis(3)));
    }

    @Test
    void nothingIsKept_thatADecisionDoesNotRead() throws IOException {
        recorder().record(List.of(file("all.json", NODE + pods())));
        StringBuilder lines = new StringBuilder();
        History history = History.open(folder.resolve("history"));
        history.read(decision ->
                lines.append(decision.state()).append(decision.state().cluster().nodes()));
        byte[] bytes = Files.readAllBytes(folder.resolve("history/history-000001.jsonl.gz"));
        try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            lines.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertThat(lines.toString()).contains("pod a").doesNotContain("hidden", "KEY", "secret/image");
    }

    @Test
    void aPodThatIsDeleted_isGone_andAnObjectThatIsCutOff_isLeftOut() throws IOException {
        String gone = event("DELETED", "a", 6, at(0), at(1))
                .replace("\"creationTimestamp\"", "\"deletionTimestamp\":\"" + at(7) + "\",\"creationTimestamp\"");
        recorder()
                .record(List.of(file(
                        "all.json", NODE + event("ADDED", "a", 6, at(0), at(1)) + gone + pods().substring(0, 40))));
        assertThat(notes).singleElement().asString().endsWith("the last object is cut off, and left out");
        Past past = Past.of(History.open(folder.resolve("history")), any -> {});
        assertThat(past.outcome().jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.ended()).hasValue(millis(7)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1beta2"})
    void devicesAndTheirClaims_areRead_alsoFromAFileThatGzipCompressed_whoseEndIsCutOff(String version)
            throws IOException {
        String node = NODE.replace(",\"nvidia.com/gpu\":\"8\"", "");
        String slice = """
            {"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"s1","creationTimestamp":"2026-11-27T08:00:00Z"},
             "spec":{"driver":"gpu.nvidia.com","nodeName":"n1","pool":{"name":"n1","generation":1,"resourceSliceCount":1},
             "devices":[%s]}}
            """.formatted(
                        IntStream.range(0, 8).mapToObj(i -> """
                            {"name":"gpu-%d","attributes":{"type":{"string":"gpu"},"uuid":{"string":"GPU-%d"},
                             "productName":{"string":"NVIDIA H100 80GB HBM3"}},"capacity":{"memory":{"value":"80Gi"}}}""".formatted(i, i)).collect(Collectors.joining(",")));
        String claim = """
            {"type":"ADDED","object":{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1",
             "metadata":{"name":"c","namespace":"default","uid":"c","creationTimestamp":"2026-11-27T09:00:00Z"},
             "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu.nvidia.com","count":2}}]}},
             "status":{"allocation":{"devices":{"results":[
               {"request":"r","driver":"gpu.nvidia.com","pool":"n1","device":"gpu-0"},
               {"request":"r","driver":"gpu.nvidia.com","pool":"n1","device":"gpu-1"}]}},
               "reservedFor":[{"resource":"pods","name":"claiming","uid":"claiming"}]}}}
            """;
        String pod = event("ADDED", "claiming", 0, at(0), at(1))
                .replace("\"spec\":{", "\"spec\":{\"resourceClaims\":[{\"name\":\"r\",\"resourceClaimName\":\"c\"}],")
                .replace("\"limits\":{\"nvidia.com/gpu\":\"0\"}", "\"claims\":[{\"name\":\"r\"}]");
        Path file = folder.resolve("all.json.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write((node
                            + (slice + claim).replace("resource.k8s.io/v1", "resource.k8s.io/" + version)
                            + pod
                            + event("ADDED", "a", 6, at(0), at(1))
                            + event("ADDED", "b", 8, at(2), ""))
                    .getBytes(StandardCharsets.UTF_8));
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 30));
        recorder().record(List.of(file));
        assertThat(notes).containsExactly(file + ": the last object is cut off, and left out");
        Past past = Past.of(History.open(folder.resolve("history")), any -> {});
        assertThat(past.outcome().gpus()).isEqualTo(8);
        List<Integer> held = new ArrayList<>();
        History.open(folder.resolve("history"))
                .read(decision -> held.add(decision.state().cluster().nodes().stream()
                        .mapToInt(each -> each.node().gpus().size() - each.idleGpus())
                        .sum()));
        assertThat(held).contains(2);
    }

    @Test
    void objectsOfAList_haveItsKindAndVersion_andOneThatHasNone_isNamed() throws IOException {
        String bare = NODE.replace("\"kind\":\"Node\",", "").replace("\"apiVersion\":\"v1\",", "");
        assertThat(bare).doesNotContain("\"kind\"", "apiVersion");
        String list = "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[" + bare + "]}";
        recorder().record(List.of(file("all.json", list + bare.replace("n1", "n2") + pods())));
        assertThat(notes)
                .containsExactly(folder.resolve("all.json") + ": an object \"n2\" has no kind, and is left out");
        Past past = Past.of(History.open(folder.resolve("history")), any -> {});
        assertThat(past.outcome().gpus()).isEqualTo(8);
    }

    private static String deleted(String pod, int minute, String status) {
        String seen = event("MODIFIED", pod, 4, at(0), at(1))
                .replace("\"creationTimestamp\"", "\"deletionTimestamp\":\"" + at(minute) + "\",\"creationTimestamp\"")
                .replace("\"phase\"", status + "\"phase\"");
        return seen + seen.replace("MODIFIED", "DELETED").replace(at(minute), at(minute + 1));
    }

    @Test
    void onlyAPodThatIsDeletedForAnother_isEvicted_andOneThatIsGoneWithItsNode_neverEnds() throws IOException {
        String evicted =
                "\"conditions\":[{\"type\":\"DisruptionTarget\",\"status\":\"True\",\"reason\":\"PreemptionByScheduler\"}],";
        String lost = NODE.replace("n1", "n2").replace("T08", "T09:20:00Z\",\"x\":\"T08");
        recorder()
                .record(List.of(file(
                        "all.json",
                        NODE + NODE.replace("\"n1\"", "\"n2\"")
                                + event("ADDED", "owned", 4, at(0), at(1))
                                + event("ADDED", "evicted", 4, at(0), at(1))
                                + event("ADDED", "lost", 4, at(0), at(1)).replace("\"n1\"", "\"n2\"")
                                + deleted("owned", 10, "")
                                + deleted("evicted", 15, evicted)
                                + "{\"type\":\"DELETED\",\"object\":" + lost + "}")));
        Past past = Past.of(History.open(folder.resolve("history")), any -> {});
        assertThat(past.outcome().jobs())
                .extracting(JobOutcome::name, JobOutcome::evictions, JobOutcome::unfinished)
                .containsExactlyInAnyOrder(
                        tuple("pod owned", 0, false), tuple("pod evicted", 1, true), tuple("pod lost", 0, true));
        assertThat(past.outcome().notes()).singleElement().asString().startsWith("2 jobs never ended by themselves");
    }

    @Test
    void aStream_isRecordedAtTheTimesAtWhichItComes() throws Exception {
        boolean isWhole = recorder()
                .record(
                        new ByteArrayInputStream(
                                (NODE + event("ADDED", "a", 6, at(0), at(1))).getBytes(StandardCharsets.UTF_8)),
                        "standard input");
        assertThat(isWhole).isTrue();
        Past past = Past.of(History.open(folder.resolve("history")), any -> {});
        assertThat(past.outcome().from()).isGreaterThan(millis(45));
        assertThat(past.begin().cluster().nodes()).hasSize(1);
    }

    @Test
    void whatKubectlDoesNotPrint_isNamedWithFileAndLine() throws IOException {
        Path table = file("table.txt", NODE + "NAME  READY\n");
        assertThatThrownBy(() -> recorder().record(List.of(table)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(table + ", line 4: must be objects as kubectl get --watch -o json prints them");
        Path number = file("number.json", "12");
        assertThatThrownBy(() -> recorder().record(List.of(number)))
                .hasMessageContaining("number.json, line 1: must be objects")
                .hasMessageEndingWith("got 12");
        Path none = file("none.json", "");
        assertThatThrownBy(() -> recorder().record(List.of(none)))
                .hasMessageContaining("must hold at least one object");
    }
}
