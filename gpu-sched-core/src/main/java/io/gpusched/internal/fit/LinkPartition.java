package io.gpusched.internal.fit;

import io.gpusched.model.GpuLinks;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;

/**
 * Divides the available GPUs of a node into sets of one size so that the scores of all sets together are highest, and picks the
 * best of them: what NVIDIA's go-gpuallocator calls best effort (gpuallocator/besteffort_policy.go). Not thread-safe.
 */
final class LinkPartition {
    /*
     * GPUs are divided from the lowest on: the lowest that is left gets its set, then the lowest of the rest. What the rest is
     * worth depends on the rest alone and is remembered. If the size does not divide the number of GPUs, empty places fill the
     * list up; they are all in one set. Sets are gone through in the order of their indexes, empty places last, and the first
     * of equal divisions wins, as there. Up to 16 GPUs and as many places: 65,536 rests at most.
     *
     * Equivalent GPUs have the same links to all others. Of equivalent ones that are left, a set takes the lowest: with another one in its
     * place the division is worth the same and comes later. So GPUs behind one switch are divided in a step for each set; pairs
     * behind bridges have a fraction of the sets. Where no two GPUs are alike, nothing is saved.
     */
    private static final long IMPOSSIBLE = -1;
    private static final long UNKNOWN = -2;

    private final int[][] scores;
    private final int real;
    private final int places;
    private final int size;

    /** The places that stand for no GPU. */
    private final int empty;

    private final int included;

    /** By place: those equivalent to it at lower places. */
    private final int[] lowerEquivalents;

    /** By the places that are left, and whether the included GPUs are in a set already: what they are worth at most. */
    private final Int2LongOpenHashMap known = new Int2LongOpenHashMap();

    private int bestFirst;

    private LinkPartition(int[][] scores, int included, int size) {
        this.scores = scores;
        this.real = scores.length;
        this.places = (real + size - 1) / size * size;
        this.size = size;
        this.included = included;
        this.empty = (1 << places) - (1 << real);
        this.lowerEquivalents = new int[places];
        for (int place = 0; place < places; place++) {
            for (int lower = 0; lower < place; lower++) {
                lowerEquivalents[place] |= areEquivalent(lower, place) ? 1 << lower : 0;
            }
        }
        known.defaultReturnValue(UNKNOWN);
    }

    private boolean areEquivalent(int one, int other) {
        if (one >= real || other >= real) {
            return one >= real && other >= real;
        }
        boolean alike = (included >>> one & 1) == (included >>> other & 1);
        for (int third = 0; alike && third < real; third++) {
            alike = third == one || third == other || scores[one][third] == scores[other][third];
        }
        return alike;
    }

    /** Returns the best set of the best division that contains the included GPUs, or 0 if there is none; at most 16 GPUs. */
    static long pick(GpuLinks links, long available, long included, int size) {
        int[] gpus = new int[Long.bitCount(available)];
        int wanted = 0;
        int at = 0;
        for (long rest = available; rest != 0; rest &= rest - 1) {
            gpus[at] = Long.numberOfTrailingZeros(rest);
            wanted |= (included >>> gpus[at] & 1) != 0 ? 1 << at : 0;
            at++;
        }
        int[][] scores = new int[gpus.length][gpus.length];
        for (int a = 0; a < gpus.length; a++) {
            for (int b = 0; b < gpus.length; b++) {
                scores[a][b] = links.isNone() ? 0 : links.link(gpus[a], gpus[b]).score();
            }
        }
        int set = new LinkPartition(scores, wanted, size).pick();
        long mask = 0;
        for (int rest = set; rest != 0; rest &= rest - 1) {
            mask |= 1L << gpus[Integer.numberOfTrailingZeros(rest)];
        }
        return mask;
    }

    private int pick() {
        int left = (1 << places) - 1;
        if (worth(left) == IMPOSSIBLE) {
            return 0;
        }
        int best = 0;
        while (left != 0) {
            worthOf(left);
            int set = bestFirst;
            boolean serves = (set & empty) == 0 && (set & included) == included;
            best = serves && (best == 0 || score(set) > score(best)) ? set : best;
            left &= ~set;
        }
        return best;
    }

    /** What the best division of these places is worth, or {@link #IMPOSSIBLE}. */
    private long worth(int left) {
        if (left == 0) {
            return 0;
        }
        long worth = known.get(left);
        if (worth == UNKNOWN) {
            worth = worthOf(left);
            known.put(left, worth);
        }
        return worth;
    }

    /** As {@link #worth}, and notes the first set of that division. */
    private long worthOf(int left) {
        int lowest = Integer.lowestOneBit(left);
        Best best = new Best(left);
        best.extend(lowest, left & ~lowest, size - 1, 0);
        bestFirst = best.set;
        return best.worth;
    }

    /** The first set of the best division so far. */
    private final class Best {
        private final int left;
        private long worth = IMPOSSIBLE;
        private int set;

        Best(int left) {
            this.left = left;
        }

        void extend(int chosen, int candidates, int missing, long score) {
            if (missing == 0) {
                offer(chosen, score);
                return;
            }
            for (int rest = candidates; Integer.bitCount(rest) >= missing; rest &= rest - 1) {
                int next = Integer.numberOfTrailingZeros(rest);
                if ((lowerEquivalents[next] & left & ~chosen) != 0) {
                    continue;
                }
                extend(chosen | 1 << next, rest & (rest - 1), missing - 1, score + added(chosen, next));
            }
        }

        private void offer(int chosen, long score) {
            int blanks = chosen & empty;
            int wanted = chosen & included;
            if (blanks != 0 && (blanks != empty || wanted != 0) || wanted != 0 && wanted != included) {
                return;
            }
            long rest = worth(left & ~chosen);
            if (rest != IMPOSSIBLE && score + rest > worth) {
                worth = score + rest;
                set = chosen;
            }
        }
    }

    private long added(int chosen, int next) {
        long sum = 0;
        for (int rest = next < real ? chosen & ~empty : 0; rest != 0; rest &= rest - 1) {
            sum += scores[Integer.numberOfTrailingZeros(rest)][next];
        }
        return sum;
    }

    private long score(int set) {
        long sum = 0;
        for (int rest = set; rest != 0; rest &= rest - 1) {
            sum += added(rest & (rest - 1), Integer.numberOfTrailingZeros(rest));
        }
        return sum;
    }
}
