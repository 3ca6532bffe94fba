package io.gpusched.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares two JSON values.
 *
 * <p>Objects are compared by the members that the expected one has: an answer may say more than was asked. Members named
 * {@code note} or {@code meaning} explain an expectation and are not compared. Lists are
 * compared element by element. Numbers are equal if they differ by no more than 1e-9 of the greater one.
 */
public final class JsonDiff {
    private static final int MOST = 5;
    private static final double TOLERANCE = 1e-9;
    private static final List<String> REMARKS = List.of("note", "meaning");

    private final List<Difference> found = new ArrayList<>();

    private JsonDiff() {}

    /** Returns the first differences, at most {@value #MOST}; none if the values are equal. */
    public static List<Difference> compare(JsonNode expected, JsonNode actual) {
        JsonDiff diff = new JsonDiff();
        diff.compare("$", expected, actual);
        return diff.found;
    }

    /** Returns whether there is anything in an expectation that an answer could fail: more than remarks. */
    public static boolean comparesAnything(JsonNode expected) {
        return !expected.isObject()
                || expected.properties().stream().anyMatch(member -> !REMARKS.contains(member.getKey()));
    }

    private void compare(String path, JsonNode expected, @Nullable JsonNode actual) {
        if (found.size() >= MOST) {
            return;
        }
        if (actual == null) {
            found.add(new Difference(path, expected.toString(), "nothing"));
        } else if (expected.isObject() && actual.isObject()) {
            for (Map.Entry<String, JsonNode> member : expected.properties()) {
                if (!REMARKS.contains(member.getKey())) {
                    compare(path + "." + member.getKey(), member.getValue(), actual.get(member.getKey()));
                }
            }
        } else if (expected.isArray() && actual.isArray()) {
            compareLists(path, expected, actual);
        } else if (!sameValue(expected, actual)) {
            found.add(new Difference(path, expected.toString(), actual.toString()));
        }
    }

    private void compareLists(String path, JsonNode expected, JsonNode actual) {
        if (expected.size() != actual.size()) {
            found.add(new Difference(path, expected.toString(), actual.toString()));
            return;
        }
        for (int i = 0; i < expected.size(); i++) {
            compare(path + "[" + i + "]", expected.get(i), actual.get(i));
        }
    }

    private static boolean sameValue(JsonNode expected, JsonNode actual) {
        if (expected.isIntegralNumber() && actual.isIntegralNumber()) {
            return expected.bigIntegerValue().equals(actual.bigIntegerValue());
        }
        if (expected.isNumber() && actual.isNumber()) {
            double a = expected.doubleValue();
            double b = actual.doubleValue();
            return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
        }
        return expected.equals(actual);
    }
}
