package io.gpusched.simulator.cycle;

import io.gpusched.queue.Backfill;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.CycleSettings.JobOrder;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * By which rules a cycle decides, written {@code easy} or {@code promised:shortest}.
 *
 * @param backfill which jobs may start while a job before them waits
 * @param order which job of equal priority comes first
 * @param demotedAbove jobs that have used more GPU seconds than this are demoted: they come after all others, and leave for them; at least 0,
 *     {@link Long#MAX_VALUE} if none is, as with all rules of backfill but {@code ANYONE}
 */
public record CycleRule(Backfill backfill, JobOrder order, long demotedAbove) {
    /** First come, first served. */
    public static final CycleRule FIFO = new CycleRule(Backfill.NOBODY, JobOrder.SUBMITTED, Long.MAX_VALUE);

    /** Any job that fits. */
    public static final CycleRule ANYONE = new CycleRule(Backfill.ANYONE, JobOrder.SUBMITTED, Long.MAX_VALUE);

    /**
     * Least attained service in two levels, first come, first served within each; the second begins after one GPU hour: the rule
     * of J. Gu et al., "Tiresias: A GPU Cluster Manager for Distributed Deep Learning", NSDI 2019, as its simulator's first example sets it.
     */
    public static final CycleRule TIRESIAS = new CycleRule(Backfill.ANYONE, JobOrder.SUBMITTED, 3_600);

    private static final String TIRESIAS_WORD = "tiresias";

    /**
     * Checks that only jobs that may be evicted are demoted.
     *
     * @throws IllegalArgumentException if {@code demotedAbove} is out of its range
     */
    public CycleRule {
        if (demotedAbove < 0 || backfill != Backfill.ANYONE && demotedAbove < Long.MAX_VALUE) {
            throw new IllegalArgumentException("demotedAbove must be at least 0, and " + Long.MAX_VALUE + " with "
                    + word(backfill) + ", got " + demotedAbove);
        }
    }

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException if it is not written so
     */
    public static CycleRule parse(String text) {
        if (text.strip().equalsIgnoreCase(TIRESIAS_WORD)) {
            return TIRESIAS;
        }
        String[] words = text.strip().split(":", 2);
        Backfill backfill =
                named(Backfill.values(), words[0], "anyone, nobody, easy, conservative, promised or tiresias", text);
        return new CycleRule(
                backfill,
                words.length == 1
                        ? JobOrder.SUBMITTED
                        : named(JobOrder.values(), words[1], word(backfill) + ":submitted or :shortest", text),
                Long.MAX_VALUE);
    }

    private static <E extends Enum<E>> E named(E[] known, String word, String legal, String text) {
        return Stream.of(known)
                .filter(value -> word(value).equalsIgnoreCase(word.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be " + legal + ", got \"" + text + "\""));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns how cycles are planned; with all but {@code ANYONE} no job is evicted or moved. Plans tell reserved starts, and no expected ones,
     * which a replay does not read.
     */
    public CycleSettings settings() {
        CycleSettings settings = CycleSettings.standard()
                .withBackfill(backfill)
                .withJobOrder(order)
                .withForecasts(0);
        if (isDemoting()) {
            return settings.withPasses(Set.of(CyclePass.ALLOCATE, CyclePass.PREEMPT));
        }
        return backfill == Backfill.ANYONE
                ? settings
                : settings.withPasses(Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL));
    }

    private boolean isDemoting() {
        return demotedAbove < Long.MAX_VALUE;
    }

    @Override
    public String toString() {
        return isDemoting() ? TIRESIAS_WORD : word(backfill) + (order == JobOrder.SUBMITTED ? "" : ":" + word(order));
    }
}
