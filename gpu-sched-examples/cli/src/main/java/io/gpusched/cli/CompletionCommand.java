package io.gpusched.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code gpu-sched completion}: what a shell has to read so that it completes commands and options. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash and zsh:"
                + " source <(gpu-sched completion)")
final class CompletionCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = Commands.out(spec);
        out.print(AutoComplete.bash("gpu-sched", GpuSched.commandLine()));
        out.flush();
        return 0;
    }
}
