package io.gpusched.conformance;

/**
 * One place in which an answer is not what was expected.
 *
 * @param path where, such as {@code $.nodes[2].score}
 * @param expected what a case expects there, as JSON, or {@code nothing}
 * @param actual what was answered there, as JSON, or {@code nothing}
 */
public record Difference(String path, String expected, String actual) {
    @Override
    public String toString() {
        return path + ": expected " + expected + ", got " + actual;
    }
}
