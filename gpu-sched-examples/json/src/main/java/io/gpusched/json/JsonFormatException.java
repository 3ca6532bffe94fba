package io.gpusched.json;

/**
 * A text is no such document. The message names the place, what is wrong there, the value and what would be legal:
 * {@code cluster.nodes[3].kind.maxPods must be a whole number in 0..2147483647, got "many"}.
 */
public final class JsonFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String path;

    JsonFormatException(String path, String message) {
        super(message);
        this.path = path;
    }

    JsonFormatException(String path, String message, Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    /** Returns where in the document, such as {@code cluster.nodes[3].kind.maxPods}; empty if it is not JSON at all. */
    public String path() {
        return path;
    }
}
