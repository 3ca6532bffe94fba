package io.gpusched.kubernetes;

import io.gpusched.kubernetes.extender.ExtenderCommand;
import io.gpusched.kubernetes.webhook.WebhookCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of this module, under the name that the command line gives them. */
@Command(
        name = "gpu-sched",
        subcommands = {KubeCommand.class, RecordCommand.class, ExtenderCommand.class, WebhookCommand.class})
public final class KubernetesCommands {
    /** Runs one of the commands. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** Returns the commands. */
    public static CommandLine commandLine() {
        return new CommandLine(new KubernetesCommands());
    }
}
