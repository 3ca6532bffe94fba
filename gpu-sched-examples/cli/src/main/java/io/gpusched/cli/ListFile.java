package io.gpusched.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A list that is read more than once: {@code -} is standard input, which is kept in a file until the program ends. */
final class ListFile implements ITypeConverter<Path> {
    private static final String NAME = "standard-input";

    @Override
    public Path convert(String text) {
        if (!text.equals("-")) {
            return Path.of(text);
        }
        try {
            Path folder = Files.createTempDirectory("gpu-sched");
            folder.toFile().deleteOnExit();
            Path file = folder.resolve(NAME);
            file.toFile().deleteOnExit();
            Files.copy(System.in, file);
            return file;
        } catch (IOException e) {
            throw new TypeConversionException("standard input cannot be read: " + e.getMessage());
        }
    }
}
