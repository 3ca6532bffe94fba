package io.gpusched.replay;

import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a history into the files of a folder, in blocks of lines. Not thread-safe. */
final class HistoryWriter implements AutoCloseable {
    private static final int BLOCK_BYTES = 1 << 18;

    private final HistoryFiles files;
    private final RecorderLimits limits;
    private final ByteArrayOutputStream text = new ByteArrayOutputStream(2 * BLOCK_BYTES);
    private final Map<String, String> reasons = new HashMap<>();
    private @Nullable OutputStream out;
    private @Nullable QueueState last;
    private @Nullable Rules rules;
    private Optional<String> previous = Optional.empty();
    private int file;
    private long hash;
    private long fileBytes;

    /** By which rules a decision was made. */
    record Rules(CycleSettings settings, PlacementPolicy policy, long searchSteps) {}

    /**
     * What a scheduler saw and decided.
     *
     * @param rules null if another scheduler decides, and with it the plan
     */
    record Seen(
            QueueState state,
            long time,
            @Nullable Rules rules,
            @Nullable Plan plan) {}

    HistoryWriter(Path folder, RecorderLimits limits) throws IOException {
        this.files = HistoryFiles.create(folder);
        this.limits = limits;
        this.file = files.last();
    }

    void write(Seen seen) throws IOException {
        if (out == null || fileBytes > limits.fileBytes()) {
            next();
        }
        Rules now = seen.rules();
        if (now != null && !now.equals(rules)) {
            add(new HistoryEvent.Settings(now.settings(), now.policy(), now.searchSteps()));
            rules = now;
        }
        if (last == null) {
            add(new HistoryEvent.Snapshot(seen.state()));
        } else {
            for (HistoryEvent event : StateChanges.between(last, seen.state())) {
                add(event);
            }
        }
        Plan plan = seen.plan();
        if (plan == null) {
            add(new HistoryEvent.Seen(seen.time()));
            last = seen.state();
        } else {
            List<HistoryEvent> changes = StateChanges.between(seen.state(), plan.after());
            add(new HistoryEvent.Decided(seen.time(), AnswerHash.of(plan), changes, news(plan)));
            last = plan.after();
        }
        if (text.size() >= Math.min(BLOCK_BYTES, limits.fileBytes())) {
            flush();
        }
    }

    /** The kinds of reasons that are others than before; empty for a job that does not wait any more. */
    private Map<String, String> news(Plan plan) {
        Map<String, String> news = new HashMap<>();
        for (PendingJob job : plan.pending()) {
            String kind = AnswerHash.kind(job.reason());
            if (!kind.equals(reasons.put(job.job(), kind))) {
                news.put(job.job(), kind);
            }
        }
        if (reasons.size() > plan.pending().size()) {
            Set<String> waiting = new HashSet<>();
            plan.pending().forEach(job -> waiting.add(job.job()));
            for (Job job : plan.after().jobs()) {
                if (reasons.containsKey(job.name()) && !waiting.contains(job.name())) {
                    news.put(job.name(), "");
                }
            }
            reasons.keySet().retainAll(waiting);
        }
        return news;
    }

    /** Begins the next file; each stands for itself. */
    private void next() throws IOException {
        close();
        files.keep(limits.bytes() - limits.fileBytes());
        file++;
        out = Files.newOutputStream(files.path(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        hash = file;
        fileBytes = 0;
        last = null;
        rules = null;
        reasons.clear();
        add(new HistoryEvent.Header(HistoryFiles.FORMAT, file, limits.unitsPerSecond(), previous));
    }

    private void add(HistoryEvent event) {
        text.writeBytes(HistoryEvent.FORMAT.write(event).getBytes(StandardCharsets.UTF_8));
        text.write('\n');
    }

    /** Writes what was not written yet. */
    void flush() throws IOException {
        if (text.size() > 0 && out != null) {
            byte[] lines = text.toByteArray();
            text.reset();
            Block block = Block.of(lines, lines.length, hash);
            out.write(block.bytes());
            hash = block.hash();
            fileBytes += block.bytes().length;
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
            previous = Optional.of(HexFormat.of().toHexDigits(hash));
        }
    }
}
