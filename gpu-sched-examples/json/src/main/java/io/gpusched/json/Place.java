package io.gpusched.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a document that is being read, and where it stands. */
record Place(JsonNode value, @Nullable Place outer, String step) {
    private static final int MOST_SHOWN = 80;

    /** Returns a field; null if it is absent or null. */
    @Nullable
    Place field(String name) {
        JsonNode found = value.get(name);
        return found == null || found.isNull() ? null : new Place(found, this, "." + name);
    }

    Place element(int index) {
        return new Place(value.get(index), this, "[" + index + "]");
    }

    String path() {
        return outer == null ? step : outer.path() + step;
    }

    /** Returns this place if it holds an object. */
    Place requireObject() {
        if (!value.isObject()) {
            throw mustBe("an object");
        }
        return this;
    }

    /** Returns this place if it holds a list. */
    Place requireList() {
        if (!value.isArray()) {
            throw mustBe("a list");
        }
        return this;
    }

    String text() {
        if (!value.isTextual()) {
            throw mustBe("a text");
        }
        return value.textValue();
    }

    long number(long min, long max) {
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < min
                || value.longValue() > max) {
            throw mustBe("a whole number in " + min + ".." + max);
        }
        return value.longValue();
    }

    double decimal() {
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw mustBe("a number");
        }
        return value.doubleValue();
    }

    boolean truth() {
        if (!value.isBoolean()) {
            throw mustBe("true or false");
        }
        return value.booleanValue();
    }

    JsonFormatException mustBe(String expected) {
        String got = value.toString();
        return new JsonFormatException(
                path(),
                path() + " must be " + expected + ", got "
                        + (got.length() > MOST_SHOWN ? got.substring(0, MOST_SHOWN) + "..." : got));
    }

    JsonFormatException lacks(String field) {
        return new JsonFormatException(path(), path() + " must have a field \"" + field + "\"");
    }

    JsonFormatException knowsOnly(String field, List<String> known) {
        return new JsonFormatException(
                path(), path() + " has no field \"" + field + "\"; there is " + String.join(", ", known));
    }

    /** Makes a value of what was read; what the library says against it is told with the place. */
    <T> T make(Maker<T> maker) {
        try {
            return maker.make();
        } catch (InvocationTargetException e) {
            throw refused(e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw refused(e);
        }
    }

    private RuntimeException refused(RuntimeException cause) {
        if (cause instanceof JsonFormatException
                || !(cause instanceof IllegalArgumentException || cause instanceof IllegalStateException)) {
            return cause;
        }
        return new JsonFormatException(path(), path() + ": " + cause.getMessage(), cause);
    }

    /** Makes a value. */
    interface Maker<T> {
        T make() throws ReflectiveOperationException;
    }
}
