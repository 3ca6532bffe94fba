package io.gpusched.cli;

import io.gpusched.cli.look.DefragCommand;
import io.gpusched.cli.look.DrainCommand;
import io.gpusched.cli.look.MapCommand;
import io.gpusched.cli.look.MixCommand;
import io.gpusched.cli.look.RepairCommand;
import io.gpusched.cli.look.ShrinkCommand;
import io.gpusched.cli.look.StrandedCommand;
import io.gpusched.cli.look.WhoCommand;
import io.gpusched.cli.look.WhyCommand;
import io.gpusched.cli.place.FitCommand;
import io.gpusched.cli.place.PlaceCommand;
import io.gpusched.cli.serve.ServeCommand;
import io.gpusched.kubernetes.KubeCommand;
import io.gpusched.kubernetes.RecordCommand;
import io.gpusched.kubernetes.extender.ExtenderCommand;
import io.gpusched.kubernetes.webhook.WebhookCommand;
import io.gpusched.simulator.soak.SoakCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
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
        versionProvider = GpuSched.Version.class)
public final class GpuSched implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    private GpuSched() {}

    /** Returns the command line, ready to execute arguments. Results go to its out writer, complaints to its err. */
    public static CommandLine commandLine() {
        return commandLine("");
    }

    /** Returns a command line that knows the named command alone, which is sooner made; all if there is no such command. */
    private static CommandLine commandLine(String name) {
        CommandLine line = new CommandLine(new GpuSched());
        Map<String, Supplier<Object>> commands = commands();
        if (commands.containsKey(name) && !name.equals("help")) {
            commands.keySet().retainAll(Set.of(name));
        }
        commands.forEach((known, command) -> line.addSubcommand(known, command.get()));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(Commands::complain);
        line.setExecutionExceptionHandler(Commands::handle);
        line.getSubcommands().values().forEach(GpuSched::addHelp);
        return line;
    }

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("simulate", SimulateCommand::new);
        commands.put("place", PlaceCommand::new);
        commands.put("why", WhyCommand::new);
        commands.put("fit", FitCommand::new);
        commands.put("map", MapCommand::new);
        commands.put("who", WhoCommand::new);
        commands.put("stranded", StrandedCommand::new);
        commands.put("drain", DrainCommand::new);
        commands.put("shrink", ShrinkCommand::new);
        commands.put("defrag", DefragCommand::new);
        commands.put("repair", RepairCommand::new);
        commands.put("mix", MixCommand::new);
        commands.put("replay", ReplayCommand::new);
        commands.put("paper", PaperCommand::new);
        commands.put("bench", BenchCommand::new);
        commands.put("soak", SoakCommand::new);
        commands.put("record", RecordCommand::new);
        commands.put("kube", KubeCommand::new);
        commands.put("extender", ExtenderCommand::new);
        commands.put("webhook", WebhookCommand::new);
        commands.put("completion", CompletionCommand::new);
        commands.put("serve", ServeCommand::new);
        commands.put("help", HelpCommand::new);
        return commands;
    }

    private static void addHelp(CommandLine command) {
        if (!(command.getCommand() instanceof HelpCommand)) {
            command.getCommandSpec().mixinStandardHelpOptions(true);
        }
        command.setUsageHelpWidth(110);
        command.getSubcommands().values().forEach(GpuSched::addHelp);
    }

    /** Runs the program and exits with its code. */
    public static void main(String... args) {
        CommandLine line = commandLine(args.length == 0 ? "" : args[0]);
        System.exit(execute(line, args));
    }

    /** Errors of the virtual machine, such as too little memory, are no answer either. */
    private static int execute(CommandLine line, String... args) {
        try {
            return line.execute(args);
        } catch (Error e) {
            return Commands.crash(e, line);
        }
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
