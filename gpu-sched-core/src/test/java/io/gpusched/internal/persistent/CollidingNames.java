package io.gpusched.internal.persistent;

/** Texts that all have the same {@link String#hashCode}: "Aa" and "BB" are such, and so is any sequence of them. */
public final class CollidingNames {
    private CollidingNames() {}

    /** Returns the text of this number, among 2<sup>pairs</sup>. */
    public static String name(int number, int pairs) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pairs; i++) {
            text.append((number >> i & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }
}
