package io.gpusched.kubernetes.webhook;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.certificates.CertificateKeeper;
import io.gpusched.kubernetes.certificates.KeyFiles;
import io.gpusched.kubernetes.command.DialectConverter;
import io.gpusched.kubernetes.command.ListenOptions;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code webhook}: serves reviews of admission until it is told to stop. */
@Command(
        name = "webhook",
        description = "Prepares pods that request GPUs when they are created, as a mutating admission webhook.",
        footer = {
            "",
            "Without --tls-cert it makes a certificate of its own, shares it in a Secret, writes its authority into"
                    + " the",
            "MutatingWebhookConfiguration, and renews it in time. The API server is found as kubectl finds it.",
            "Served are /mutate, /healthz and /readyz."
        })
public final class WebhookCommand implements Callable<Integer> {
    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            split = ",",
            converter = DialectConverter.class,
            defaultValue = "t9k",
            description = "The systems whose resources pods request; several with commas (default: ${DEFAULT-VALUE}).")
    private List<NamedDialect> dialects = new ArrayList<>();

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            defaultValue = "gpu-sched",
            description = "The scheduler of pods that name none (default: ${DEFAULT-VALUE}).")
    private String schedulerName = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8443",
            description = "The port, 0 for any that is free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private ListenOptions listen = new ListenOptions("0.0.0.0");

    @Option(
            names = "--service",
            paramLabel = "NAME",
            defaultValue = "gpu-sched-webhook",
            description = "The Service that the made certificate is for (default: ${DEFAULT-VALUE}).")
    private String service = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "gpu-sched",
            description = "The namespace of the Service and of the Secret (default: ${DEFAULT-VALUE}).")
    private String namespace = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "One more name or address that the made certificate is for; may be given several times.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--secret",
            paramLabel = "NAME",
            defaultValue = "gpu-sched-webhook-tls",
            description = "The Secret in which replicas share the made certificate (default: ${DEFAULT-VALUE}).")
    private String secret = "";

    @Option(
            names = "--configuration",
            paramLabel = "NAME",
            defaultValue = "gpu-sched",
            description = "The MutatingWebhookConfiguration that is given the CA to trust; empty for none"
                    + " (default: ${DEFAULT-VALUE}).")
    private String configuration = "";

    @Option(
            names = "--grant-writer",
            paramLabel = "ACCOUNT",
            description =
                    "The account that may write grants on pods, such as system:serviceaccount:NAMESPACE:NAME; may be"
                            + " given several times (default: gpu-sched-kube and gpu-sched-extender of --namespace).")
    private List<String> writers = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        try (KeyFiles key = listen.open()) {
            if (key.isPresent()) {
                serve(new DialectSet(dialects), key);
            } else {
                serve(new DialectSet(dialects));
            }
        }
        return 0;
    }

    private void serve(DialectSet dialects, KeyFiles key) throws IOException {
        try (WebhookProcess process = WebhookProcess.start(
                dialects, schedulerName, guard(), listen.host(), port, server -> listen.secure(key, server))) {
            key.follow(process.server());
            run(process);
        }
    }

    private void serve(DialectSet dialects) throws IOException {
        try (KubernetesClient client = Serving.client(0);
                CertificateKeeper keeper =
                        CertificateKeeper.of(client, namespace, secret, configuration, serverNames());
                WebhookProcess process =
                        WebhookProcess.start(dialects, schedulerName, guard(), listen.host(), port, keeper::secure)) {
            keeper.follow(process.server());
            run(process);
        }
    }

    private GrantGuard guard() {
        return new GrantGuard(
                writers.isEmpty()
                        ? Set.of(
                                "system:serviceaccount:" + namespace + ":gpu-sched-kube",
                                "system:serviceaccount:" + namespace + ":gpu-sched-extender")
                        : Set.copyOf(writers));
    }

    private List<String> serverNames() {
        List<String> all = new ArrayList<>();
        String host = service + "." + namespace;
        all.addAll(List.of(host + ".svc", host + ".svc.cluster.local", host));
        all.addAll(names);
        return all;
    }

    private void run(WebhookProcess process) {
        Serving.untilStopped(spec, "serving at port " + process.server().port());
    }
}
