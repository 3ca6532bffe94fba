package io.gpusched.replay;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a history with other names, that can be given away: nodes, GPUs, pods, groups, jobs, queues, namespaces, containers and values
 * of labels and taints are renamed, in the order of their names; and so are keys of labels, levels of the topology and names of resources that are
 * neither of Kubernetes nor of a vendor or a known project. Names of models and of policies are kept, and so are times, sizes and numbers.
 *
 * <p>The hash of an answer has the names in it. So each decision is made once more under the new names: if it is what was
 * recorded, its hash is written. If it is not, because this version answers otherwise or a policy depends on names by more than their
 * order, the old hash stays, and a replay of the copy shows it as one that differs.
 *
 * @param names how many names were replaced
 * @param decisions how many decisions were made once more
 * @param same how many of them are what was recorded
 * @param cut what of the history could not be copied, as its end was cut off
 */
public record AnonymousCopy(int names, long decisions, long same, List<String> cut) {
    private static final int BLOCK_CHARS = 1 << 18;

    /** Copies the list. */
    public AnonymousCopy {
        cut = List.copyOf(cut);
    }

    /**
     * Writes a copy into a folder.
     *
     * @param to a folder without a history, which is made if it is not there
     * @param progress hears of each decision, twice
     * @throws HistoryException if the history cannot be read, or the folder has one
     * @throws UncheckedIOException if the copy cannot be written
     */
    public static AnonymousCopy write(History history, Path to, Consumer<? super RecordedDecision> progress) {
        Objects.requireNonNull(progress, "progress");
        try {
            HistoryFiles files = HistoryFiles.create(to);
            if (files.last() != 0) {
                throw new HistoryException(to + ": must have no history yet, got " + files.path(files.last()));
            }
            Pseudonyms names = new Pseudonyms();
            History.Summary read = history.read((file, line) -> names.note(line), decision -> {
                progress.accept(decision);
                return true;
            });
            int count = names.number();
            Path draft = Files.createTempDirectory(to, "draft");
            try {
                copy(history, new HistoryFiles(draft), names::renamed);
                List<@Nullable String> answers = answers(history.in(draft), progress);
                int[] next = {0};
                copy(history.in(draft), files, line -> {
                    String answer = isDecided(line) ? answers.get(next[0]++) : null;
                    return answer == null ? line : Pseudonyms.with(line, "answer", answer);
                });
                long same = answers.stream().filter(Objects::nonNull).count();
                return new AnonymousCopy(count, answers.size(), same, read.cut());
            } finally {
                for (int number : new HistoryFiles(draft).numbers()) {
                    Files.delete(new HistoryFiles(draft).path(number));
                }
                Files.delete(draft);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isDecided(String line) {
        return HistoryEvent.FORMAT.read(line) instanceof HistoryEvent.Decided;
    }

    /** The hashes of the answers under the new names; null for one that is not what was recorded. */
    private static List<@Nullable String> answers(History renamed, Consumer<? super RecordedDecision> progress) {
        HistoryReplay replay = HistoryReplay.by(UnaryOperator.identity());
        List<@Nullable String> answers = new ArrayList<>();
        renamed.read(decision -> {
            progress.accept(decision);
            if (decision.answer().isPresent()) {
                var plan = replay.plan(decision);
                Map<String, String> reasons = plan.pending().stream()
                        .collect(Collectors.toMap(job -> job.job(), job -> AnswerHash.kind(job.reason())));
                boolean isSame = plan.after().equals(decision.after()) && reasons.equals(decision.reasons());
                answers.add(isSame ? AnswerHash.of(plan) : null);
            }
        });
        return answers;
    }

    /** Writes lines into files of the same numbers. */
    private static void copy(History from, HistoryFiles to, UnaryOperator<String> change) throws IOException {
        try (Copy copy = new Copy(to, change)) {
            from.read(copy::line, decision -> true);
        }
    }

    private static final class Copy implements AutoCloseable {
        private final HistoryFiles to;
        private final UnaryOperator<String> change;
        private final StringBuilder text = new StringBuilder();
        private @Nullable OutputStream out;
        private int file;
        private long hash;

        Copy(HistoryFiles to, UnaryOperator<String> change) {
            this.to = to;
            this.change = change;
        }

        void line(int number, String line) throws IOException {
            String changed = change.apply(line);
            if (number != file) {
                close();
                if (HistoryEvent.FORMAT.read(line) instanceof HistoryEvent.Header header
                        && header.previous().isPresent()
                        && file != 0) {
                    changed =
                            Pseudonyms.with(changed, "previous", HexFormat.of().toHexDigits(hash));
                }
                file = number;
                hash = number;
                out = Files.newOutputStream(to.path(number), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            }
            text.append(changed).append('\n');
            if (text.length() > BLOCK_CHARS) {
                flush();
            }
        }

        private void flush() throws IOException {
            byte[] lines = text.toString().getBytes(StandardCharsets.UTF_8);
            text.setLength(0);
            if (out != null && lines.length > 0) {
                Block block = Block.of(lines, lines.length, hash);
                hash = block.hash();
                out.write(block.bytes());
            }
        }

        @Override
        public void close() throws IOException {
            OutputStream open = out;
            if (open != null) {
                try (open) {
                    flush();
                }
                out = null;
            }
        }
    }
}
