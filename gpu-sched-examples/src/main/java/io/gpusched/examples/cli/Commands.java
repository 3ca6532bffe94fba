package io.gpusched.examples.cli;

import io.gpusched.examples.trace.TraceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** What the commands share: where they print, and how they fail. */
final class Commands {
    /** The input cannot be used. */
    static final int BAD_INPUT = 2;

    private Commands() {}

    /** Returns where a command prints its results. */
    static PrintWriter out(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("the command is not part of a command line");
        }
        return spec.commandLine().getOut();
    }

    /**
     * Checks a number of threads.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    static void checkThreads(int threads) {
        if (threads < 1 || threads > 1_024) {
            throw new IllegalArgumentException("--threads must be in 1..1024, got " + threads);
        }
    }

    /**
     * Says in one line what is wrong with the input and returns {@link #BAD_INPUT}; lets defects of the program
     * through.
     */
    static int handle(Exception e, CommandLine command, ParseResult parsed) throws Exception {
        if (e instanceof TraceException
                || e instanceof IllegalArgumentException
                || e instanceof UncheckedIOException
                || e instanceof IOException) {
            PrintWriter err = command.getErr();
            err.println("gpu-sched " + command.getCommandName() + ": "
                    + (e instanceof IOException ? "cannot read or write " : "") + e.getMessage());
            err.flush();
            return BAD_INPUT;
        }
        throw e;
    }
}
