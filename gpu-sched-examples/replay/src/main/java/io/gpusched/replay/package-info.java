/**
 * A flight recorder: what a scheduler saw and decided is written down, and played again, under other rules too.
 *
 * <p>Begin at {@link io.gpusched.replay.Recorder}, which writes a history beside a {@link io.gpusched.queue.SchedulingCycle};
 * {@link io.gpusched.replay.History} reads it, and {@link io.gpusched.replay.HistoryReplay} asks each decision once more:
 *
 * <pre>{@code
 * HistoryReplay.Result result = HistoryReplay.of(History.open(folder));
 * System.out.println(result.same() + " of " + result.decisions() + " decisions are the same");
 * }</pre>
 *
 * <p>A history is a folder of files, {@code history-000001.jsonl.gz} and so on. A file is gzip, so {@code zcat} shows it; a line is a
 * {@linkplain io.gpusched.replay.HistoryEvent event} in the form of {@link io.gpusched.json}. Each file begins with a header, the
 * settings and the whole state. Nothing is recorded that a decision does not read.
 */
@NullMarked
package io.gpusched.replay;

import org.jspecify.annotations.NullMarked;
