package io.gpusched.dialect.internal;

/** Writes small JSON objects as Go does: what is nothing, 0 or false is left out, unless it is the first field. */
public final class JsonText {
    private JsonText() {}

    /** Returns an object of these names and values by turns; a value is a text, a number or a truth value. */
    public static String object(Object... fields) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < fields.length; i += 2) {
            Object value = fields[i + 1];
            boolean left = value.equals("") || value.equals(0L) || value.equals(0) || value.equals(false);
            if (i == 0 || !left) {
                text.append(i == 0 ? "" : ",").append(quoted(fields[i])).append(':');
                text.append(value instanceof String ? quoted(value) : value);
            }
        }
        return text.append('}').toString();
    }

    /** Returns a text in quotes. */
    public static String quoted(Object value) {
        StringBuilder text = new StringBuilder("\"");
        for (char letter : value.toString().toCharArray()) {
            if (letter == '"' || letter == '\\') {
                text.append('\\').append(letter);
            } else if (letter < ' ') {
                text.append(String.format("\\u%04x", (int) letter));
            } else {
                text.append(letter);
            }
        }
        return text.append('"').toString();
    }
}
