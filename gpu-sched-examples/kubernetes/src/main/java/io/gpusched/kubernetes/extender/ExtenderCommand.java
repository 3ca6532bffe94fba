package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.certificates.KeyFiles;
import io.gpusched.kubernetes.command.DialectConverter;
import io.gpusched.kubernetes.command.ListenAddress;
import io.gpusched.kubernetes.command.ListenOptions;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
                    "The system whose resources pods request, such as nano-gpu, gpushare, hami, elastic-gpu or t9k;"
                            + " several with commas, then the node label gpu-sched.io/dialect tells (default:"
                            + " ${DEFAULT-VALUE}).")
    private List<NamedDialect> dialects = new ArrayList<>();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "39999",
            description = "The port, 0 for any that is free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private ListenOptions listen = new ListenOptions("127.0.0.1");

    @Option(
            names = "--health-port",
            paramLabel = "N",
            defaultValue = "39998",
            description = "Serves /healthz, /readyz and /metrics as well, at --health-host; 0 any free port, -1 none"
                    + " (default: ${DEFAULT-VALUE}).")
    private int healthPort;

    @Option(
            names = "--health-host",
            paramLabel = "ADDRESS",
            defaultValue = "0.0.0.0",
            description = "The address of --health-port (default: ${DEFAULT-VALUE}).")
    private String healthHost = "";

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
            description = "The schedulerName of pods; no others are bound (default: ${DEFAULT-VALUE}).")
    private String schedulerName = "";

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "With --print-config: the authority of an https URL, as kube-scheduler finds the file.")
    private String caFile = "";

    @Option(
            names = "--cert-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "With --print-config: the certificate that kube-scheduler shows, as it finds the file.")
    private String certFile = "";

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "With --print-config: the key that goes with --cert-file.")
    private String keyFile = "";

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
                    .print(new SchedulerConfiguration(schedulerName, url, !sendNodes, caFile, certFile, keyFile)
                            .yaml(dialects));
            spec.commandLine().getOut().flush();
            return 0;
        }
        serve(new DialectSet(dialects));
        return 0;
    }

    private void serve(DialectSet dialects) throws IOException {
        if (!listen.asksForCertificates() && !isLoopback(listen.host())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--host: " + listen.host()
                            + " can be reached by clients other than kube-scheduler, which could bind pods\n"
                            + "Maybe name --client-ca, --tls-cert and --tls-key, or listen at 127.0.0.1.");
        }
        try (KubernetesClient client = Serving.client(0);
                KeyFiles key = listen.open();
                ExtenderProcess process = ExtenderProcess.start(
                        client,
                        dialects,
                        schedulerName,
                        new ListenAddress(listen.host(), port),
                        healthPort < 0 ? Optional.empty() : Optional.of(new ListenAddress(healthHost, healthPort)),
                        server -> listen.secure(key, server))) {
            key.follow(process.server());
            Serving.untilStopped(
                    spec,
                    "serving at port " + process.server().port()
                            + (healthPort < 0 ? "" : ", health and metrics at port " + process.healthPort()));
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
