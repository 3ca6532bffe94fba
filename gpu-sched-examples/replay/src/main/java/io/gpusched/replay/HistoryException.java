package io.gpusched.replay;

/** A file of a history cannot be read. The message names the file, the line, what is wrong there, and what can still be read. */
public final class HistoryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    HistoryException(String message) {
        super(message);
    }

    HistoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
