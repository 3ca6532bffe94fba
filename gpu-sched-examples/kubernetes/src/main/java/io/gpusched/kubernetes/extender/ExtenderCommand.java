package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.certificates.KeyFiles;
import io.gpusched.kubernetes.command.DialectConverter;
import io.gpusched.kubernetes.command.ListenOptions;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.kubernetes.dialect.NamedDialect;
import io.gpusched.kubernetes.view.DialectSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code extender}: serves a stock kube-scheduler until it is told to stop, or prints the configuration of kube-scheduler. */
@Command(
        name = "extender",
        description = "Chooses GPUs for a stock kube-scheduler, as its extender.",
        footer = {
            "",
            "The API server is found as kubectl finds it: by KUBECONFIG, or inside of a pod.",
            "Served are /scheduler/filter, prioritize, preempt and bind; /healthz, /readyz and /metrics."
        })
public final class ExtenderCommand implements Callable<Integer> {
    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            split = ",",
            converter = DialectConverter.class,
            defaultValue = "nano-gpu",
            description =
                    "Whose resources pods ask for, such as nano-gpu, gpushare, hami, elastic-gpu or t9k; several with"
                            + " commas, then the node label gpu-sched.io/dialect tells (default: ${DEFAULT-VALUE}).")
    private List<NamedDialect> dialects = new ArrayList<>();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "39999",
            description = "The port, 0 for any that is free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private ListenOptions listen = new ListenOptions();

    @Option(names = "--print-config", description = "Prints a configuration for kube-scheduler instead of serving.")
    private boolean printConfig;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:39999",
            description = "With --print-config: where kube-scheduler finds the extender (default: ${DEFAULT-VALUE}).")
    private String url = "";

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            defaultValue = "gpu-sched",
            description = "With --print-config: the schedulerName of pods (default: ${DEFAULT-VALUE}).")
    private String schedulerName = "";

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "With --print-config: the authority of an https URL, as kube-scheduler finds the file.")
    private String caFile = "";

    @Option(
            names = "--send-nodes",
            description = "With --print-config: kube-scheduler sends nodes as a whole, not by name.")
    private boolean sendNodes;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (printConfig) {
            spec.commandLine()
                    .getOut()
                    .print(new SchedulerConfiguration(schedulerName, url, !sendNodes, caFile).yaml(dialects));
            spec.commandLine().getOut().flush();
            return 0;
        }
        serve(new DialectSet(dialects));
        return 0;
    }

    private void serve(DialectSet dialects) throws IOException {
        try (KubernetesClient client = Serving.client(0);
                KeyFiles key = listen.open();
                ExtenderProcess process = ExtenderProcess.start(client, dialects, listen.host(), port, key::secure)) {
            key.follow(process.server());
            Serving.untilStopped(spec, "serving at port " + process.server().port());
        }
    }
}
