package io.gpusched.conformance.links;

import io.gpusched.model.GpuLinks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * NVIDIA's best effort (go-gpuallocator, gpuallocator/besteffort_policy.go): divides the available GPUs into sets of one size so that
 * the scores of all sets together are highest, and takes the best of these sets. Up to 16 GPUs.
 */
final class BestEffort {
    /*
     * The lowest GPU that is left gets its set, then the lowest of the rest. Sets are tried in the order of their indexes, and the first
     * of equal divisions wins. If the size does not divide the number of GPUs, empty places fill the list up; all are in one set.
     */
    private static final Division IMPOSSIBLE = new Division(-1, 0);

    private final int[][] scores;
    private final int size;
    private final int empty;
    private final int included;
    private final Map<Integer, Division> best = new HashMap<>();

    /** The highest sum of scores of some places, and the first set of the division that has it. */
    private record Division(long score, int first) {
        boolean isPossible() {
            return score >= 0;
        }
    }

    private BestEffort(int[][] scores, int included, int size) {
        int places = (scores.length + size - 1) / size * size;
        this.scores = scores;
        this.size = size;
        this.included = included;
        this.empty = (1 << places) - (1 << scores.length);
    }

    /** Returns the set that is taken, ascending; empty if none contains all included GPUs. */
    static List<Integer> pick(GpuLinks links, List<Integer> available, List<Integer> included, int size) {
        int[][] scores = new int[available.size()][available.size()];
        for (int a = 0; a < scores.length; a++) {
            for (int b = 0; b < scores.length; b++) {
                scores[a][b] = links.link(available.get(a), available.get(b)).score();
            }
        }
        int wanted = 0;
        for (int gpu : included) {
            wanted |= 1 << available.indexOf(gpu);
        }
        int set = new BestEffort(scores, wanted, size).pick();
        List<Integer> gpus = new ArrayList<>();
        for (int rest = set; rest != 0; rest &= rest - 1) {
            gpus.add(available.get(Integer.numberOfTrailingZeros(rest)));
        }
        return gpus.stream().sorted().toList();
    }

    private int pick() {
        int left = (1 << scores.length) - 1 | empty;
        int picked = 0;
        while (left != 0 && best(left).isPossible()) {
            int set = best(left).first();
            boolean serves = (set & empty) == 0 && (set & included) == included;
            picked = serves && (picked == 0 || score(set) > score(picked)) ? set : picked;
            left &= ~set;
        }
        return picked;
    }

    private Division best(int left) {
        Division known = best.get(left);
        if (known == null) {
            int lowest = Integer.lowestOneBit(left);
            known = extend(left, lowest, left & ~lowest, IMPOSSIBLE);
            best.put(left, known);
        }
        return known;
    }

    /** Returns the best division of these places whose first set contains the chosen ones, if it is better than one that is known. */
    private Division extend(int left, int chosen, int candidates, Division known) {
        int missing = size - Integer.bitCount(chosen);
        if (missing == 0) {
            return isLegal(chosen) ? complete(left, chosen, known) : known;
        }
        Division better = known;
        for (int rest = candidates; Integer.bitCount(rest) >= missing; rest &= rest - 1) {
            better = extend(left, chosen | Integer.lowestOneBit(rest), rest & rest - 1, better);
        }
        return better;
    }

    private boolean isLegal(int set) {
        boolean plain = (set & (empty | included)) == 0;
        return plain
                || set == (set | empty) && (set & included) == 0
                || (set & empty) == 0 && (set & included) == included;
    }

    private Division complete(int left, int set, Division known) {
        int others = left & ~set;
        Division rest = others == 0 ? new Division(0, 0) : best(others);
        long score = score(set) + rest.score();
        return rest.isPossible() && score > known.score() ? new Division(score, set) : known;
    }

    private long score(int set) {
        long sum = 0;
        for (int rest = set & ~empty; rest != 0; rest &= rest - 1) {
            for (int others = rest & rest - 1; others != 0; others &= others - 1) {
                sum += scores[Integer.numberOfTrailingZeros(rest)][Integer.numberOfTrailingZeros(others)];
            }
        }
        return sum;
    }
}
