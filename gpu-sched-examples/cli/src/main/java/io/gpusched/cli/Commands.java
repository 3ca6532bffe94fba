package io.gpusched.cli;

import io.gpusched.manifests.yaml.InputException;
import io.gpusched.replay.HistoryException;
import io.gpusched.simulator.trace.TraceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What the commands share: where they print, and how they fail. */
final class Commands {
    /** The input cannot be used. */
    static final int BAD_INPUT = 2;

    /** A defect of the program, which is no answer: {@code EX_SOFTWARE} of sysexits.h. */
    static final int DEFECT = 70;

    private Commands() {}

    /** Returns where a command prints its results. */
    static PrintWriter out(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("the command is not part of a command line");
        }
        return spec.commandLine().getOut();
    }

    /**
     * Says in one line what is wrong with the input, in a second how the command is used where an option is to blame, and
     * returns {@link #BAD_INPUT}; of a defect of the program it shows where it is, and returns {@link #DEFECT}.
     */
    static int handle(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof ParameterException bad) {
            return complain(bad);
        }
        if (e instanceof IllegalArgumentException) {
            return complain(command, String.valueOf(e.getMessage()), true);
        }
        if (e instanceof InputException
                || e instanceof HistoryException
                || e instanceof TraceException
                || e instanceof UncheckedIOException) {
            return complain(command, String.valueOf(e.getMessage()), false);
        }
        if (e instanceof IOException) {
            return complain(command, "cannot read or write " + e.getMessage(), false);
        }
        return crash(e, command);
    }

    /** Says that the program is to blame and not the input, and returns {@link #DEFECT}. */
    static int crash(Throwable e, CommandLine command) {
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": this is a defect of gpu-sched, and no answer: " + e);
        e.printStackTrace(err);
        err.flush();
        return DEFECT;
    }

    /** Says what is wrong with the options, and in a second line how the command is used. */
    static int complain(ParameterException e, String... args) {
        if (e instanceof UnmatchedArgumentException unknown
                && !e.getCommandLine().getSubcommands().isEmpty()
                && !unknown.getUnmatched().get(0).startsWith("-")) {
            List<String> near = unknown.getSuggestions();
            return complain(
                    e.getCommandLine(),
                    "there is no command \"" + unknown.getUnmatched().get(0) + "\"; there are "
                            + String.join(
                                    ", ", e.getCommandLine().getSubcommands().keySet())
                            + (near.isEmpty() ? "" : ". Maybe " + near.get(0)),
                    true);
        }
        List<String> near = e instanceof UnmatchedArgumentException unknown ? unknown.getSuggestions() : List.of();
        String maybe =
                near.isEmpty() ? "" : ". Maybe " + String.join(" or ", near.subList(0, Math.min(3, near.size())));
        return complain(e.getCommandLine(), e.getMessage() + maybe, true);
    }

    private static int complain(CommandLine command, String problem, boolean usage) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + problem);
        if (usage) {
            err.println("usage: " + synopsis(command) + "  (" + name + " --help explains it)");
        }
        err.flush();
        return BAD_INPUT;
    }

    /** The options that must be given; of the others there are too many for one line. */
    private static String synopsis(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        StringBuilder words = new StringBuilder(spec.qualifiedName());
        spec.options().stream()
                .filter(CommandLine.Model.OptionSpec::required)
                .forEach(option -> words.append(' ')
                        .append(option.longestName())
                        .append('=')
                        .append(option.paramLabel()));
        if (spec.options().stream().anyMatch(option -> !option.required())) {
            words.append(" [OPTIONS]");
        }
        spec.positionalParameters().forEach(one -> words.append(' ').append(one.paramLabel()));
        boolean needsOne = !spec.subcommands().isEmpty() && !(spec.userObject() instanceof Callable<?>);
        return words.append(needsOne ? " COMMAND" : "").toString();
    }
}
