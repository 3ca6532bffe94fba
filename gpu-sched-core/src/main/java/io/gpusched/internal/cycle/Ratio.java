package io.gpusched.internal.cycle;

/** Compares ratios of amounts by cross-multiplication in 128 bits. */
final class Ratio {
    private Ratio() {}

    /** Compares a/b with c/d, all at least 0; x/0 counts as greater than every ratio if x is positive, else as 0. */
    static int compare(long a, long b, long c, long d) {
        if (b == 0 || d == 0) {
            return compareWithZero(a, b, c, d);
        }
        int high = Long.compare(Math.multiplyHigh(a, d), Math.multiplyHigh(c, b));
        return high != 0 ? high : Long.compareUnsigned(a * d, c * b);
    }

    private static int compareWithZero(long a, long b, long c, long d) {
        boolean left = b == 0 && a > 0;
        boolean right = d == 0 && c > 0;
        if (left && right) {
            return Long.compare(a, c);
        }
        if (left || right) {
            return left ? 1 : -1;
        }
        return Boolean.compare(b != 0 && a > 0, d != 0 && c > 0);
    }
}
