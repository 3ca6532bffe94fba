package io.gpusched.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a target writes each text into, for readers that take no other. */
public final class FuzzFile {
    private FuzzFile() {}

    /** Makes an empty file whose name ends like this; it is deleted when the JVM ends. */
    public static Path ending(String suffix) {
        try {
            Path file = Files.createTempFile("fuzz", suffix);
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
