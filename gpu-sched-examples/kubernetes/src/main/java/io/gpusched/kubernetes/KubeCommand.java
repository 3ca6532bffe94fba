package io.gpusched.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.command.BackfillConverter;
import io.gpusched.kubernetes.command.DialectConverter;
import io.gpusched.kubernetes.command.QueueConverter;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.kubernetes.decide.PlanListener;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.defrag.DefragSettings;
import io.gpusched.kubernetes.process.LeaseSettings;
import io.gpusched.kubernetes.process.RecordSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.queue.Backfill;
import io.gpusched.replay.RecorderLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
    private static final int MIB_BITS = 20;

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            description = "Places pods whose spec.schedulerName is this (default: ${DEFAULT-VALUE}).")
    private String schedulerName = SchedulerSettings.DEFAULT_NAME;

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            split = ",",
            converter = DialectConverter.class,
            defaultValue = "t9k",
            description = "The dialects of the nodes; the first is that of nodes without the label gpu-sched.io/dialect"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<NamedDialect> dialects = new ArrayList<>();

    @Option(
            names = "--queues",
            paramLabel = "NAME",
            converter = QueueConverter.class,
            description =
                    "Whose Queue objects say which pods start and which are evicted for others: gpu-sched, volcano, kai or t9k;"
                            + " none puts all pods into one queue, in which pods of lower priority are evicted for those of"
                            + " higher priority (default: none).")
    private QueueVocabulary queues = QueueVocabulary.NONE;

    @Option(
            names = "--backfill",
            paramLabel = "RULE",
            converter = BackfillConverter.class,
            description = "Which jobs may start while an earlier job waits: anyone (any job that fits),"
                    + " nobody (none), easy (a job that does not delay the first waiting job), conservative (one"
                    + " that delays no waiting job) or promised (one that delays neither the first waiting job nor"
                    + " a group; groups are promised their start). With all but anyone, an event on a waiting pod"
                    + " says when it is expected to start (default: anyone).")
    private Backfill backfill = Backfill.ANYONE;

    @Option(
            names = "--verify",
            description = "Judges each plan by the library's checker before anything of it is written. What"
                    + " would break a law is not written: its pods say so, an event LawBroken and a metric tell"
                    + " it, and all else goes on.")
    private boolean verify;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description = "Records what is seen and decided into a folder, for gpu-sched replay. A full or"
                    + " slow disk ends the recording, with an event RecordingEnded and a metric, and nothing"
                    + " else.")
    private @Nullable Path record;

    @Option(
            names = "--record-mib",
            paramLabel = "N",
            description = "How large the files of --record become together; the oldest are deleted (default:"
                    + " ${DEFAULT-VALUE}).")
    private int recordMib = (int) (RecorderLimits.USUAL.bytes() >> MIB_BITS);

    @Option(
            names = "--defrag",
            paramLabel = "HOW",
            arity = "0..1",
            fallbackValue = "dry-run",
            description =
                    "Moves running pods so that whole nodes come about: dry-run says in the log which it would move;"
                            + " evict evicts them, one after the other, as disruption budgets allow (default: no pod is"
                            + " moved; without HOW: dry-run).")
    private @Nullable String defrag;

    @Option(
            names = "--defrag-interval",
            paramLabel = "SECONDS",
            description = "How long to wait between two plans of --defrag (default: ${DEFAULT-VALUE}).")
    private long defragInterval = DefragSettings.dryRun().interval().toSeconds();

    @Option(
            names = "--defrag-moves",
            paramLabel = "N",
            description = "How many pods a plan of --defrag moves at most (default: ${DEFAULT-VALUE}).")
    private int defragMoves = DefragSettings.dryRun().moves();

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            split = ",",
            description = "Places pods of these namespaces alone; what runs elsewhere is still counted (default: all).")
    private Set<String> namespaces = new LinkedHashSet<>();

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            description = "Serves /healthz, /readyz and /metrics; 0 takes any free port, -1 none"
                    + " (default: ${DEFAULT-VALUE}).")
    private int healthPort = 10_259;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "The address of --health-port (default: ${DEFAULT-VALUE}).")
    private String host = "0.0.0.0";

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
            names = "--lease-seconds",
            paramLabel = "N",
            description =
                    "How long the Lease lasts: another replica takes over when it has not been renewed for as long"
                            + " (default: ${DEFAULT-VALUE}).")
    private int leaseSeconds = (int) LeaseSettings.DURATION.toSeconds();

    @Option(
            names = "--writers",
            paramLabel = "N",
            description = "How many bindings are written at one time (default: ${DEFAULT-VALUE}).")
    private int writers = 32;

    @Option(
            names = "--volume-timeout",
            paramLabel = "SECONDS",
            description = "How long a pod holds its place while its volumes are made (default: ${DEFAULT-VALUE}).")
    private long volumeTimeout = SchedulerSettings.VOLUME_TIMEOUT.toSeconds();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        SchedulerSettings settings = settings();
        try (KubernetesClient client = Serving.client(writers * 2);
                SchedulerProcess process = SchedulerProcess.start(client, settings)) {
            Serving.untilStopped(
                    spec,
                    settings.schedulerName() + " runs against " + client.getMasterUrl()
                            + (healthPort < 0 ? "" : ", health and metrics at port " + process.healthPort()));
        }
        return 0;
    }

    private DefragSettings defrag(String how) {
        DefragSettings settings = DefragSettings.dryRun()
                .withInterval(Duration.ofSeconds(defragInterval))
                .withMoves(defragMoves);
        return switch (how) {
            case "dry-run" -> settings;
            case "evict" -> settings.evicting();
            default -> throw new IllegalArgumentException("--defrag must be dry-run or evict, got \"" + how + "\"");
        };
    }

    private RecordSettings record(Path folder) {
        if (recordMib < 1) {
            throw new IllegalArgumentException("--record-mib must be at least 1, got " + recordMib);
        }
        return RecordSettings.of(folder).withBytes((long) recordMib << MIB_BITS);
    }

    /** What says how another option is done says nothing without that. */
    private void requireDependencies() {
        require(record != null, "--record", "--record-mib");
        require(defrag != null, "--defrag", "--defrag-interval", "--defrag-moves");
        require(leaderElect, "--leader-elect", "--lease-namespace", "--lease-name", "--lease-seconds");
        require(healthPort >= 0, "--health-port", "--host");
        if (writers < 1) {
            throw new ParameterException(spec.commandLine(), "--writers must be at least 1, got " + writers);
        }
    }

    private void require(boolean isThere, String option, String... dependents) {
        for (String dependent : dependents) {
            if (!isThere && spec.commandLine().getParseResult().hasMatchedOption(dependent)) {
                throw new ParameterException(
                        spec.commandLine(),
                        dependent + " says how " + option
                                + " is done, which is not asked for.\nMaybe leave it out, or ask for " + option + ".");
            }
        }
    }

    private SchedulerSettings settings() throws IOException {
        requireDependencies();
        if (record != null) {
            Files.createDirectories(record);
        }
        SchedulerSettings base = SchedulerSettings.of(dialects);
        SchedulerSettings settings = new SchedulerSettings(
                new Scope(schedulerName, namespaces),
                dialects,
                new QueueSettings(queues, backfill, verify, PlanListener.NONE),
                Optional.ofNullable(defrag).map(this::defrag),
                Optional.ofNullable(record).map(this::record),
                base.lease(),
                host,
                healthPort,
                base.backoff(),
                writers,
                Duration.ofSeconds(volumeTimeout),
                base.statusInterval(),
                base.clock());
        if (!leaderElect) {
            return settings;
        }
        String identity = InetAddress.getLocalHost().getHostName() + "_" + UUID.randomUUID();
        return settings.withLease(
                LeaseSettings.of(leaseNamespace, leaseName.isEmpty() ? schedulerName : leaseName, identity)
                        .withDuration(Duration.ofSeconds(leaseSeconds)));
    }
}
