package io.gpusched.model;

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

    static int inRange(String what, String field, int value, int min, int max) {
        return (int) inRange(what, field, (long) value, min, max);
    }

    static String notBlank(String what, String field, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(what + ": " + field + " must not be blank, got \"" + value + "\"");
        }
        return value;
    }
}
