package io.gpusched.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
    private static final RecorderLimits INLINE = RecorderLimits.USUAL.withBacklog(0);

    @TempDir
    private Path folder;

    private final List<String> ended = new ArrayList<>();
    private final SchedulingCycle cycle = SchedulingCycle.create();

    private static QueueState state() {
        return QueueState.of(
                Cluster.of(List.of(
                        Node.builder("n1")
                                .capacity(64_000, 512_000)
                                .gpus(8, GpuModel.of("nvidia", "A100", 80_000))
                                .build(),
                        Node.builder("n2")
                                .capacity(64_000, 512_000)
                                .gpus(8, GpuModel.of("nvidia", "A100", 80_000))
                                .build())),
                QueueTree.of(List.of(JobQueue.builder("all").build())),
                List.of());
    }

    private static Job job(String name, int gpus) {
        Pod pod = Pod.of(name, Resources.of(1_000, 1_000), GpuRequest.exclusive(gpus));
        return Job.pending(
                JobSpec.builder(PodGroup.of(name, List.of(pod)), "all").build());
    }

    private void record(Recorder recorder, int decisions) {
        QueueState state = state();
        for (int i = 0; i < decisions; i++) {
            state = state.withJob(job("j" + i, 1 + i % 3));
            Plan plan = cycle.plan(state, i);
            recorder.add(cycle, state, i, plan);
            state = plan.after();
            if (i % 2 == 1) {
                state = state.withoutJob("j" + (i - 1));
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    @Test
    void filesAreRotated_andTheOldestAreDeleted_soThatTheyStayWithinTheirBound() throws IOException {
        RecorderLimits limits = INLINE.withFileBytes(4_000).withBytes(40_000);
        try (Recorder recorder = Recorder.open(folder, limits, ended::add)) {
            for (int i = 0; i < 40; i++) {
                record(recorder, 60);
            }
        }
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }
        assertThat(ended).isEmpty();
        assertThat(bytes).isLessThanOrEqualTo(40_000 + 20_000); // a file ends with the block that fills it
        assertThat(files().get(0).getFileName())
                .hasToString("history-"
                        + String.format("%06d", History.open(folder).files().get(0)) + ".jsonl.gz");
        assertThat(History.open(folder).files().get(0)).isGreaterThan(1);
        assertThat(HistoryReplay.of(History.open(folder)).first()).isEmpty();
    }

    @Test
    void fileIsGzip_ofALineForEachEvent() throws IOException {
        try (Recorder recorder = Recorder.open(folder, RecorderLimits.USUAL, ended::add)) {
            record(recorder, 3);
        }
        byte[] file = Files.readAllBytes(folder.resolve("history-000001.jsonl.gz"));
        String text =
                new String(new GZIPInputStream(new ByteArrayInputStream(file)).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text.lines()
                        .map(line -> line.replaceAll(
                                ".*\"kind\":\"(header|settings|snapshot|nodeSet|nodeGone|jobSet|jobGone|decided)\".*",
                                "$1")))
                .containsExactly(
                        "header",
                        "settings",
                        "snapshot",
                        "decided",
                        "jobSet",
                        "decided",
                        "jobSet",
                        "jobGone",
                        "decided");
    }

    @Test
    void slowDisk_endsTheRecording_andNeverStopsTheScheduler() throws Exception {
        CountDownLatch isStuck = new CountDownLatch(1);
        Recorder recorder = Recorder.open(folder, RecorderLimits.USUAL.withBacklog(2), ended::add);
        SchedulingCycle slow =
                SchedulingCycle.of(CycleSettings.standard(), GpuScheduler.of(new SlowlyWritten(isStuck)));
        for (int i = 0; i < 10; i++) {
            recorder.add(slow, state(), i, slow.plan(state(), i));
        }
        assertThat(ended).containsExactly("the disk is too slow: 2 decisions wait for it");
        assertThat(recorder.isRecording()).isFalse();
        isStuck.countDown();
        recorder.close();
        assertThat(ended).hasSize(1);
    }

    @Test
    void folderThatIsLost_endsTheRecording_andTheListenerIsToldOnce() throws IOException {
        Path gone = folder.resolve("gone");
        try (Recorder recorder = Recorder.open(gone, INLINE, ended::add)) {
            Files.delete(gone);
            record(recorder, 5);
            assertThat(recorder.isRecording()).isFalse();
        }
        assertThat(ended)
                .singleElement()
                .asString()
                .contains("NoSuchFileException")
                .contains("gone");
    }

    @Test
    void listenerThatThrows_doesNotReachTheScheduler() throws IOException {
        Path gone = folder.resolve("gone");
        Recorder recorder = Recorder.open(gone, INLINE, why -> {
            throw new IllegalStateException(why);
        });
        Files.delete(gone);
        record(recorder, 2);
        recorder.close();
        assertThat(recorder.isRecording()).isFalse();
    }

    @Test
    void otherRules_areFoundByTheFirstDecisionThatTheyMakeDifferently() {
        try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
            record(recorder, 6);
        }
        History history = History.open(folder);
        assertThat(HistoryReplay.of(history).same()).isEqualTo(6);
        HistoryReplay.Disagreement found = HistoryReplay.firstDifference(
                        history, rules -> rules, rules -> rules.withPolicy(Spread.of()))
                .orElseThrow();
        assertThat(found.seen().number()).isPositive();
        assertThat(found.words(Long::toString))
                .contains("job j")
                .contains("A: starts j")
                .contains("B: starts j");
        assertThat(HistoryReplay.firstDifference(history, rules -> rules, rules -> rules))
                .isEmpty();
    }

    @Test
    void answerThatDiffersFromTheRecordedOne_isShownWithBothSides() {
        SchedulingCycle other = SchedulingCycle.of(
                CycleSettings.standard().withPasses(EnumSet.of(CyclePass.ALLOCATE)), GpuScheduler.of(Spread.of()));
        QueueState state = state().withJob(job("a", 8)).withJob(job("b", 4));
        try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
            recorder.add(cycle, state, 0, other.plan(state.withJobs(List.of(job("a", 8), job("b", 4))), 0));
            recorder.add(cycle, state, 1, SchedulingCycle.create().plan(state, 1));
            recorder.add(
                    cycle,
                    state,
                    2,
                    SchedulingCycle.of(
                                    CycleSettings.standard().withPasses(EnumSet.noneOf(CyclePass.class)),
                                    GpuScheduler.create())
                            .plan(state, 2));
        }
        HistoryReplay.Result result = HistoryReplay.of(History.open(folder));
        assertThat(result.decisions()).isEqualTo(3);
        assertThat(result.same()).isLessThan(3);
        assertThat(result.first().orElseThrow().words(Long::toString))
                .contains("recorded")
                .contains("now starts a on n");
    }

    @Test
    void statesOfAnotherScheduler_areReadAndNotAsked() {
        QueueState state = state().withJob(job("a", 2));
        try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
            recorder.add(state(), 5);
            recorder.add(state, 6);
        }
        List<RecordedDecision> read = new ArrayList<>();
        HistoryReplay.Result result = HistoryReplay.of(History.open(folder), read::add);
        assertThat(result.decisions()).isZero();
        assertThat(read).extracting(RecordedDecision::time).containsExactly(5L, 6L);
        assertThat(read.get(1).state()).isEqualTo(state);
        assertThat(read.get(1).answer()).isEmpty();
    }

    @Test
    void newerForeignAndMissingFiles_areNamedWithWhatCanBeRead() throws IOException {
        assertThatThrownBy(() -> History.open(folder))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("history-000001.jsonl.gz");
        try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
            record(recorder, 200);
            recorder.add(cycle, state(), 300, cycle.plan(state(), 300));
        }
        assertThat(files()).hasSize(1);
        write(2, "{\"version\":1,\"event\":{\"kind\":\"header\",\"history\":2,\"file\":2,\"unitsPerSecond\":1}}\n");
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("history-000002.jsonl.gz line 1: history must be of format 1, got 2")
                .hasMessageContaining("201 decisions before");
        write(2, "{\"version\":1,\"event\":{\"kind\":\"rocket\"}}\n");
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .hasMessageContaining("line 1: event.kind must be one of [decided, header,");
        Files.writeString(folder.resolve("history-000002.jsonl.gz"), "something else altogether, and long enough");
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .hasMessageContaining("is not what was written, or no history at all");
        assertThatThrownBy(() -> History.open(folder).from(7)).hasMessageContaining("no file 7, known are 1 to 2");
    }

    @Test
    void fileThatIsMissingInBetween_isFound() throws IOException {
        try (Recorder recorder = Recorder.open(folder, INLINE.withFileBytes(1), ended::add)) {
            record(recorder, 5);
        }
        assertThat(files().size()).isGreaterThan(2);
        Files.delete(files().get(1));
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .hasMessageContaining(
                        "history-000003.jsonl.gz line 0: the file before must be there, but after 1 none is");
        assertThat(History.open(folder).from(3).read(each -> {}).decisions()).isPositive();
    }

    @Test
    void fileThatIsMissingBetweenTwoRecordings_isFound() throws IOException {
        for (int i = 0; i < 3; i++) {
            try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
                record(recorder, 2);
            }
        }
        Files.delete(files().get(1));
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .hasMessageContaining(
                        "history-000003.jsonl.gz line 0: the file before must be there, but after 1 none is")
                .hasMessageContaining("2 decisions before, and the files from 3 on");
    }

    @Test
    void fileThatWasRenamedOrCopied_isNamed() throws IOException {
        for (int i = 0; i < 2; i++) {
            try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
                record(recorder, 2);
            }
        }
        Files.copy(files().get(0), folder.resolve("history-000003.jsonl.gz"));
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .hasMessageContaining(
                        "history-000003.jsonl.gz line 1: this is file 1\nMaybe it was renamed or copied.");
    }

    @Test
    void changedByte_isNamedByTheLineFromWhichOnNothingCanBeRead() throws IOException {
        try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
            record(recorder, 2);
        }
        Path file = files().get(0);
        long lines = History.open(folder).read(each -> {}).lines();
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, bytes, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .hasMessageContaining("history-000001.jsonl.gz line " + (lines + 1)
                        + ": is not what was written, or no history at all, after " + bytes.length
                        + " bytes that are\nMaybe go on with what can be read: 2 decisions before.");
    }

    @Test
    void historyWithoutADecision_isAnError_whateverWasCutOff() throws IOException {
        try (Recorder recorder = Recorder.open(folder, INLINE, ended::add)) {
            record(recorder, 2);
        }
        Path file = files().get(0);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(() -> History.open(folder).read(each -> {}))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("there must be at least one decision or state, got 0 lines in 1 file; the end was"
                        + " cut off: history-000001.jsonl.gz after line 0");
        Files.write(file, new byte[0]);
        assertThatThrownBy(() -> History.open(folder).unitsPerSecond())
                .hasMessageContaining("there must be at least one decision or state, got 0 lines in 1 file\nMaybe");
    }

    private void write(int file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Files.write(
                folder.resolve("history-00000" + file + ".jsonl.gz"),
                Block.of(bytes, bytes.length, file).bytes());
    }

    /** A policy whose name is not known before a latch opens: writing it takes that long. */
    private record SlowlyWritten(CountDownLatch latch) implements PlacementPolicy {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return 0;
        }

        @Override
        public String toString() {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "slow";
        }
    }
}
