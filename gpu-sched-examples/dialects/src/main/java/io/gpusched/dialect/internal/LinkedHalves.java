package io.gpusched.dialect.internal;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Eight devices in two halves of four, which HAMi calls wings. Within a half all are linked; between the halves device i with
 * device i + 4. Four devices of both halves are two pairs of the left half and those linked to them.
 *
 * @param first the index of its first device in the node
 * @param size how many devices it has
 * @param open which devices have room, as a mask by position
 */
public record LinkedHalves(int first, int size, int open) {
    private static final int HALF = 4;
    private static final int LEFT = 0xF;

    /** By position in the left half: two of its devices. In HAMi's order. */
    private static final int[] LEFT_PAIRS = {0b0011, 0b1100, 0b0101, 0b1010, 0b1001, 0b0110};

    /** How many free devices of a half are wanted for one device, the most wanted first: full halves stay whole. */
    private static final int[] FOR_ONE = {1, 3, 2, 4};

    /** Returns these devices; some have room. */
    public static LinkedHalves of(List<Integer> all, List<Integer> scan) {
        if (scan.isEmpty()) {
            return new LinkedHalves(0, 0, 0);
        }
        int first = all.get(0);
        int open = 0;
        for (int gpu : scan) {
            open |= gpu - first < Integer.SIZE ? 1 << gpu - first : 0;
        }
        return new LinkedHalves(first, all.size(), open);
    }

    /** Returns the devices for a container that needs so many, or none. */
    public List<Integer> choose(int count) {
        int chosen = size > 2 * HALF ? 0 : count == 2 * HALF ? all() : inOneHalf(count);
        if (chosen == 0 && size <= 2 * HALF) {
            chosen = count == 2 ? linkedPair() : count == HALF ? linkedPairs() : 0;
        }
        int mask = chosen;
        return IntStream.range(0, size)
                .filter(at -> (mask >>> at & 1) != 0)
                .mapToObj(at -> first + at)
                .toList();
    }

    private int all() {
        return open == 0xFF ? open : 0;
    }

    private int inOneHalf(int count) {
        for (int step = count; step <= HALF; step++) {
            int wanted = count == 1 ? FOR_ONE[step - 1] : step;
            if (Integer.bitCount(open & LEFT) == wanted) {
                return lowest(open & LEFT, count);
            }
            if (Integer.bitCount(open >>> HALF) == wanted) {
                return lowest(open >>> HALF, count) << HALF;
            }
        }
        return 0;
    }

    private static int lowest(int mask, int count) {
        int chosen = 0;
        for (int left = mask, missing = count; missing > 0; missing--) {
            chosen |= Integer.lowestOneBit(left);
            left &= left - 1;
        }
        return chosen;
    }

    private int linkedPair() {
        int left = Integer.lowestOneBit(open & open >>> HALF & LEFT);
        return left | left << HALF;
    }

    /** Where six are free, the last set whose remainder is not linked, unless one leaves two that are. */
    private int linkedPairs() {
        int chosen = 0;
        for (int pair : LEFT_PAIRS) {
            int set = pair | pair << HALF;
            if ((open & set) == set) {
                chosen = set;
                if (Integer.bitCount(open) < 6 || areLinked(open & ~set)) {
                    return set;
                }
            }
        }
        return chosen;
    }

    private static boolean areLinked(int two) {
        int left = two & LEFT;
        int right = two >>> HALF;
        return left == 0 || right == 0 || left == right;
    }
}
