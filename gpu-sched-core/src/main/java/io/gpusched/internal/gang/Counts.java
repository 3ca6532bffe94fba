package io.gpusched.internal.gang;

/** Arithmetic on numbers of members by kind. */
public final class Counts {
    private Counts() {}

    /** Whether the one has at least as many of each kind as the other. */
    public static boolean covers(int[] one, int[] other) {
        for (int k = 0; k < one.length; k++) {
            if (one[k] < other[k]) {
                return false;
            }
        }
        return true;
    }

    /** The sum of two, at most as many of each kind as there are. */
    public static int[] sum(int[] one, int[] other, Gang gang) {
        int[] sum = one.clone();
        for (Gang.Kind kind : gang.kinds()) {
            sum[kind.index()] = Math.min(kind.size(), sum[kind.index()] + other[kind.index()]);
        }
        return sum;
    }
}
