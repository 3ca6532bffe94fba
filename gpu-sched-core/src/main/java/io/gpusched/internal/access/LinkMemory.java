package io.gpusched.internal.access;

import org.jspecify.annotations.Nullable;

/**
 * What was answered lately when GPUs were asked for by one matrix of links: up to 64 answers of 40 bytes, made when first
 * asked. An answer follows from the question alone, so what is remembered never changes one. Thread-safe without locks: answers
 * are immutable, and one that is lost is worked out again.
 */
public final class LinkMemory {
    private static final int SLOT_BITS = 6;

    private volatile @Nullable Pick @Nullable [] picks;

    /**
     * A question and its answer.
     *
     * @param available the GPUs that may be taken, as a mask
     * @param included those that must be
     * @param count how many
     * @param set the answer
     */
    private record Pick(long available, long included, int count, long set) {
        boolean isOf(long available, long included, int count) {
            return this.available == available && this.included == included && this.count == count;
        }
    }

    /** Works out an answer. */
    public interface Question {
        /** Returns the set of that many available GPUs which contains the included ones. */
        long answer(long available, long included, int count);
    }

    /** Returns the answer to a question, which must always be put to the same matrix; asks only if it is not remembered. */
    public long answer(long available, long included, int count, Question question) {
        @Nullable Pick[] known = picks;
        if (known == null) {
            known = new Pick[1 << SLOT_BITS];
            picks = known;
        }
        int slot = slot(available, included, count);
        Pick last = known[slot];
        if (last == null || !last.isOf(available, included, count)) {
            last = new Pick(available, included, count, question.answer(available, included, count));
            known[slot] = last;
        }
        return last.set();
    }

    private static int slot(long available, long included, int count) {
        long mixed = ((available * 31 + included) * 31 + count) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> Long.SIZE - SLOT_BITS);
    }
}
