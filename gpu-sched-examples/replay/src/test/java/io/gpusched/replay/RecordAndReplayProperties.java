package io.gpusched.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.policy.BinPack;
import io.gpusched.policy.RandomFit;
import io.gpusched.queue.Job;
import io.gpusched.queue.QueueState;
import io.gpusched.simulator.soak.RecordedWorlds;
import io.gpusched.simulator.soak.RecordedWorlds.Asked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever happens to queues, a history of it reads as what was seen, gives the same answers, and hides no damage. */
class RecordAndReplayProperties {
    private static final RecorderLimits INLINE = RecorderLimits.USUAL.withBacklog(0);

    @Property(tries = 200)
    void historyReadsAsWhatWasSeen_andGivesTheSameAnswers(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int size) throws IOException {
        Path folder = Files.createTempDirectory("history");
        try {
            RecorderLimits limits = RecorderLimits.USUAL.withFileBytes(size == 4 ? 1 << 20 : 2_000L * size);
            List<Asked> asked = RecordedWorlds.record(seed, folder, size == 1 ? limits : limits.withBacklog(0));
            List<RecordedDecision> read = new ArrayList<>();
            HistoryReplay.Result result = HistoryReplay.of(History.open(folder), read::add);
            assertThat(read).hasSameSizeAs(asked);
            for (int i = 0; i < read.size(); i++) {
                assertThat(read.get(i).time()).isEqualTo(asked.get(i).now());
                assertThat(read.get(i).state()).isEqualTo(asked.get(i).state());
                assertThat(read.get(i).state().jobs())
                        .isEqualTo(asked.get(i).state().jobs());
                assertThat(read.get(i).after()).isEqualTo(asked.get(i).plan().after());
                read.get(i).state().cluster().validate();
                assertThat(read.get(i).reasons().keySet())
                        .containsExactlyInAnyOrderElementsOf(asked.get(i).plan().pending().stream()
                                .map(each -> each.job())
                                .toList());
            }
            assertThat(result.first().map(first -> first.words(Long::toString))).isEmpty();
            assertThat(result.same()).isEqualTo(asked.size());
        } finally {
            delete(folder);
        }
    }

    @Property(tries = 20)
    void changedByte_isFoundBeforeAnythingThatFollowsFromItIsTold(@ForAll long seed) throws IOException {
        Path folder = Files.createTempDirectory("history");
        try {
            List<Asked> asked = RecordedWorlds.record(seed, folder, INLINE);
            Path file = folder.resolve("history-000001.jsonl.gz");
            byte[] written = Files.readAllBytes(file);
            Random random = new Random(seed);
            for (int i = 0; i < 60; i++) {
                byte[] changed = written.clone();
                int at = i < 40 ? i : random.nextInt(changed.length);
                changed[at] ^= (byte) (1 + random.nextInt(255));
                Files.write(file, changed);
                List<RecordedDecision> told = new ArrayList<>();
                assertThatThrownBy(() -> History.open(folder).read(told::add))
                        .as("byte %s", at)
                        .isInstanceOf(HistoryException.class)
                        .hasMessageContaining("history-000001.jsonl.gz line ");
                assertThat(told.size()).isLessThanOrEqualTo(asked.size());
                assertTold(told, asked);
            }
        } finally {
            delete(folder);
        }
    }

    @Property(tries = 8)
    void fileThatIsCutAnywhere_readsUpToThere(@ForAll long seed) throws IOException {
        Path folder = Files.createTempDirectory("history");
        try {
            List<Asked> asked = new ArrayList<>();
            List<Integer> flushed = new ArrayList<>();
            for (int i = 0; i < 3; i++) { // each in a file of its own, so that the last is cut and the others are whole
                asked.addAll(RecordedWorlds.record(seed + i, folder, INLINE));
                flushed.add(asked.size());
            }
            Path last = folder.resolve("history-000003.jsonl.gz");
            byte[] written = Files.readAllBytes(last);
            Random random = new Random(seed);
            for (int i = 0; i < 60; i++) {
                int length = i < 40 ? i : random.nextInt(written.length);
                Files.write(last, java.util.Arrays.copyOf(written, length));
                List<RecordedDecision> told = new ArrayList<>();
                History.Summary summary = History.open(folder).read(told::add);
                assertThat(told).hasSize(flushed.get(1));
                assertTold(told, asked);
                assertThat(summary.cut()).hasSize(length == 0 ? 0 : 1);
            }
        } finally {
            delete(folder);
        }
    }

    @Property(tries = 60)
    void anonymousCopy_hasNoNameOfTheHistory_andGivesTheSameAnswersUnderOthers(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int size) throws IOException {
        Path folder = Files.createTempDirectory("history");
        try {
            List<Asked> asked =
                    RecordedWorlds.record(seed, folder, INLINE.withFileBytes(size == 3 ? 1 << 20 : 2_000L * size));
            Assume.that(asked.stream().noneMatch(each -> isDrawnByNames(each.state())));
            Path copied = folder.resolve("copy");
            AnonymousCopy copy = AnonymousCopy.write(History.open(folder), copied, decision -> {});
            assertThat(copy.same()).isEqualTo(copy.decisions()).isEqualTo(asked.size());
            HistoryReplay.Result result = HistoryReplay.of(History.open(copied));
            assertThat(result.first().map(first -> first.words(Long::toString))).isEmpty();
            assertThat(result.same()).isEqualTo(asked.size());
            Set<String> names = new TreeSet<>();
            asked.forEach(each -> names(each.state(), names));
            Set<String> left = new TreeSet<>();
            History.open(copied).read(decision -> names(decision.state(), left));
            assertThat(left).hasSameSizeAs(names).doesNotContainAnyElementsOf(names);
        } finally {
            delete(folder);
        }
    }

    /** Whether a job has a random policy, which draws by the names of pods and nodes. */
    private static boolean isDrawnByNames(QueueState state) {
        return state.jobs().stream().anyMatch(job -> job.spec().policy().orElse(BinPack.of()) instanceof RandomFit);
    }

    private static void names(QueueState state, Set<String> names) {
        state.cluster().nodes().forEach(node -> names.add(node.name()));
        state.queues().queues().forEach(queue -> names.add(queue.name()));
        for (Job job : state.jobs()) {
            names.add(job.name());
            job.group().pods().forEach(pod -> names.add(pod.id().name()));
        }
    }

    private static void assertTold(List<RecordedDecision> told, List<Asked> asked) {
        for (int i = 0; i < told.size(); i++) {
            assertThat(told.get(i).state()).isEqualTo(asked.get(i).state());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
