package io.gpusched.simulator.trace;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipException;

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
        Throwable first = cause instanceof UncheckedIOException ? cause.getCause() : cause;
        String why = first instanceof NoSuchFileException
                ? "there is no such file"
                : first instanceof CharacterCodingException
                        ? "must be text in UTF-8"
                        : first instanceof ZipException || first instanceof EOFException
                                ? "begins as gzip does and cannot be decompressed"
                                : String.valueOf(cause.getMessage());
        return new TraceException("file \"" + file + "\": cannot be read: " + why, cause);
    }

    /** Returns the exception for a value in a file. */
    static TraceException badValue(Path file, long line, String field, String value, String legal) {
        return new TraceException("file \"" + file + "\", line " + line + ", field \"" + field + "\": must be " + legal
                + ", got \"" + value + "\"");
    }
}
