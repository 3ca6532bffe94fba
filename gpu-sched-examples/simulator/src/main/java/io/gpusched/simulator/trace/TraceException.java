package io.gpusched.simulator.trace;

import java.nio.file.Path;

/** Says that an input file cannot be used, and names the file, the line, the field, the value and what is legal. */
public final class TraceException extends RuntimeException {
    /** Creates the exception with its whole message. */
    public TraceException(String message) {
        super(message);
    }

    private TraceException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns the exception for a file that cannot be read at all. */
    static TraceException unreadable(Path file, Exception cause) {
        String why = cause instanceof java.nio.file.NoSuchFileException
                ? "there is no such file"
                : String.valueOf(cause.getMessage());
        return new TraceException("file \"" + file + "\": cannot be read: " + why, cause);
    }

    /** Returns the exception for a value in a file. */
    static TraceException badValue(Path file, long line, String field, String value, String legal) {
        return new TraceException("file \"" + file + "\", line " + line + ", field \"" + field + "\": must be " + legal
                + ", got \"" + value + "\"");
    }
}
