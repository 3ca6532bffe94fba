package io.gpusched.examples.kubernetes.extender;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.dialect.NamedDialect;
import io.gpusched.examples.kubernetes.certificates.KeyFiles;
import io.gpusched.examples.kubernetes.http.Shutdown;
import io.gpusched.examples.kubernetes.view.DialectSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
            defaultValue = "nano-gpu",
            description =
                    "Whose resources pods ask for, such as nano-gpu, gpushare, hami, elastic-gpu or t9k; several with"
                            + " commas, then the node label gpu-sched.io/dialect tells (default: ${DEFAULT-VALUE}).")
    private List<String> dialectNames = new ArrayList<>();

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "0.0.0.0",
            description = "The address to listen at (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "39999",
            description = "The port, 0 for any that is free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serves HTTPS with the certificates in this PEM file, read again when it changes.")
    private @Nullable Path certificates;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The private key in PEM that goes with --tls-cert.")
    private @Nullable Path privateKey;

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
        List<NamedDialect> dialects = new ArrayList<>();
        dialectNames.forEach(name -> dialects.add(dialect(name)));
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

    private NamedDialect dialect(String name) {
        try {
            return Dialects.find(name)
                    .orElseThrow(() -> bad("--dialect must be one of " + String.join(", ", Dialects.known())
                            + ", got \"" + name + "\""));
        } catch (IllegalArgumentException e) {
            throw bad("--dialect: " + e.getMessage());
        }
    }

    private void serve(DialectSet dialects) throws IOException {
        try (KubernetesClient client = client();
                KeyFiles key = KeyFiles.of(certificates, privateKey);
                ExtenderProcess process = ExtenderProcess.start(client, dialects, host, port, key::secure)) {
            key.follow(process.server());
            spec.commandLine()
                    .getErr()
                    .println("gpu-sched extender: serving at port "
                            + process.server().port());
            spec.commandLine().getErr().flush();
            Shutdown.await();
        }
    }

    /** A write is not repeated unseen: whether it arrived is found out first. */
    private static KubernetesClient client() {
        Config config = new ConfigBuilder()
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(4_000)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private ParameterException bad(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
