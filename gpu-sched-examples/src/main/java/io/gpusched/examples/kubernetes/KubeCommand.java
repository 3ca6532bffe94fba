package io.gpusched.examples.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.dialect.NamedDialect;
import io.gpusched.examples.kubernetes.process.LeaseSettings;
import io.gpusched.examples.kubernetes.process.SchedulerProcess;
import io.gpusched.examples.kubernetes.process.SchedulerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gpu-sched kube}: schedules the pods of a Kubernetes cluster until it is stopped. */
@Command(
        name = "kube",
        description =
                "Schedules the pods of a Kubernetes cluster that name this scheduler, until it is stopped. Finds the"
                        + " cluster as kubectl does: KUBECONFIG, ~/.kube/config, or the pod it runs in.")
public final class KubeCommand implements Callable<Integer> {
    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            description = "Places pods whose spec.schedulerName is this (default: ${DEFAULT-VALUE}).")
    private String schedulerName = SchedulerSettings.DEFAULT_NAME;

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            split = ",",
            description = "The dialects of the nodes; the first is that of nodes without the label gpu-sched.io/dialect"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<String> dialects = List.of("t9k");

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            description = "Serves /healthz, /readyz and /metrics; 0 takes any free port, -1 none"
                    + " (default: ${DEFAULT-VALUE}).")
    private int healthPort = 10_259;

    @Option(
            names = "--leader-elect",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Lets one of several replicas schedule at a time; --no-leader-elect where there is only one.")
    private boolean leaderElect;

    @Option(
            names = "--lease-namespace",
            paramLabel = "NAME",
            description = "Where the Lease is kept (default: ${DEFAULT-VALUE}).")
    private String leaseNamespace = "kube-system";

    @Option(
            names = "--lease-name",
            paramLabel = "NAME",
            description = "The Lease that replicas share (default: the scheduler's name).")
    private String leaseName = "";

    @Option(
            names = "--writers",
            paramLabel = "N",
            description = "How many bindings are written at one time (default: ${DEFAULT-VALUE}).")
    private int writers = 32;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        SchedulerSettings settings = settings();
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopGently(stop, stopped)));
        try (KubernetesClient client = client();
                SchedulerProcess process = SchedulerProcess.start(client, settings)) {
            spec.commandLine()
                    .getErr()
                    .println("gpu-sched kube: " + settings.schedulerName() + " runs against "
                            + client.getMasterUrl()
                            + (healthPort < 0 ? "" : ", health and metrics at port " + process.healthPort()));
            spec.commandLine().getErr().flush();
            stop.await();
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** Called when the JVM is told to end: it waits here until writes have ended and the Lease is given back. */
    private static void stopGently(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private KubernetesClient client() {
        Config config = new ConfigBuilder()
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(4_000)
                .withMaxConcurrentRequests(Math.max(64, writers * 2))
                .withMaxConcurrentRequestsPerHost(Math.max(64, writers * 2))
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private SchedulerSettings settings() throws IOException {
        List<NamedDialect> named = new ArrayList<>();
        for (String name : dialects) {
            named.add(Dialects.find(name)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "--dialect must be one of " + String.join(", ", Dialects.known()) + ", got \"" + name
                                    + "\"")));
        }
        SchedulerSettings base = SchedulerSettings.of(named);
        SchedulerSettings settings = new SchedulerSettings(
                schedulerName, named, base.lease(), healthPort, base.backoff(), writers, base.statusInterval());
        if (!leaderElect) {
            return settings;
        }
        String identity = InetAddress.getLocalHost().getHostName() + "_" + UUID.randomUUID();
        return settings.withLease(
                LeaseSettings.of(leaseNamespace, leaseName.isEmpty() ? schedulerName : leaseName, identity));
    }
}
