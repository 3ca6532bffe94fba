package io.gpusched.workload;

/** Range checks with one wording for every value of this package. */
final class Checks {
    private Checks() {}

    static long inRange(String what, String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + field + " must be in " + min + ".." + max + ", got " + value);
        }
        return value;
    }

    static String notBlank(String what, String field, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(what + ": " + field + " must not be blank, got \"" + value + "\"");
        }
        return value;
    }
}
