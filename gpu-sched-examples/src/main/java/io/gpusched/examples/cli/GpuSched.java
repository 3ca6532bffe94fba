package io.gpusched.examples.cli;

import io.gpusched.examples.conformance.ConformanceCommand;
import io.gpusched.examples.place.PlaceCommand;
import io.gpusched.examples.soak.SoakCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: {@code gpu-sched simulate}, {@code place}, {@code bench} and so on. */
@Command(
        name = "gpu-sched",
        description = "Decides where GPU work goes.",
        mixinStandardHelpOptions = true,
        versionProvider = GpuSched.Version.class,
        subcommands = {
            SimulateCommand.class,
            PlaceCommand.class,
            PaperCommand.class,
            ConformanceCommand.class,
            BenchCommand.class,
            SoakCommand.class,
            HelpCommand.class
        })
public final class GpuSched implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    private GpuSched() {}

    /** Returns the command line, ready to execute arguments. Results go to its out writer, complaints to its err. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new GpuSched());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(Commands::handle);
        line.setParameterExceptionHandler(OptionErrors::handle);
        line.getSubcommands().values().forEach(GpuSched::addHelp);
        return line;
    }

    private static void addHelp(CommandLine command) {
        if (!(command.getCommand() instanceof HelpCommand)) {
            command.getCommandSpec().mixinStandardHelpOptions(true);
        }
        command.setUsageHelpWidth(110);
    }

    /** Runs the program and exits with its code. */
    public static void main(String... args) {
        System.exit(commandLine().execute(args));
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "a command is missing");
        }
    }

    /** Reads the version from the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = GpuSched.class.getPackage().getImplementationVersion();
            return new String[] {"gpu-sched " + (version == null ? "development" : version)};
        }
    }
}
