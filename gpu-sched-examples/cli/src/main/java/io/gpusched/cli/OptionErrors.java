package io.gpusched.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks of options beyond the range of one value; {@link Commands#complain} reports what they find. */
final class OptionErrors {
    private OptionErrors() {}

    /** Returns the exception for options that are legal by themselves and do not go together. */
    static ParameterException bad(@Nullable CommandSpec spec, String message) {
        if (spec == null) {
            throw new IllegalStateException("the command is not part of a command line");
        }
        return new ParameterException(spec.commandLine(), message);
    }

    /**
     * Checks that a file can be written before hours are spent on what is written there.
     *
     * @throws ParameterException if its folder is missing or it is a folder itself
     */
    static void checkWritable(@Nullable CommandSpec spec, String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
            throw bad(spec, option + " must be a file in a folder that exists, got \"" + file + "\"");
        }
    }
}
