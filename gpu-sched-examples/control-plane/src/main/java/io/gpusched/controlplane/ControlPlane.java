package io.gpusched.controlplane;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real etcd and a real kube-apiserver on the loopback address: built by {@code gpu-sched-examples/control-plane/build}. No
 * kubelet and no controller runs, so nodes and pods are what their creator says they are. All it writes is in a temporary
 * folder, which goes with it. Thread-safe but for starting and closing.
 */
public final class ControlPlane implements AutoCloseable {
    /** The environment variable that names the folder of the programs, as the build prints it. */
    public static final String PROGRAMS = "GPU_SCHED_CONTROL_PLANE_PROGRAMS";

    /** The environment variable that names a kube-scheduler 1.38 or later, to be started in the place of the one that is built. */
    public static final String LATER_SCHEDULER = "GPU_SCHED_KUBE_SCHEDULER_138";

    private static final String TOKEN = "admin-token";
    private static final long STARTS_WITHIN_SECONDS = 240;
    private static final int LEAST_PORT = 20_000;
    private static final int LEAST_OUTGOING_PORT = 32_768;

    private final Path folder;
    private final Path programs;
    private final String etcd = "http://127.0.0.1:" + freePort();
    private final int port = freePort();
    private final List<RunningProgram> processes = new ArrayList<>();

    private ControlPlane(Path programs) throws IOException {
        this.programs = programs;
        this.folder = Files.createTempDirectory("gpu-sched-control-plane");
    }

    /** Feature gates of server and scheduler: groups of pods, and groups that stay in one domain of a node label. */
    private static final String FEATURES = "--feature-gates=GenericWorkload=true,TopologyAwareWorkloadScheduling=true";

    /**
     * Returns the folder that holds the programs, as the environment names it; nothing where it names none.
     *
     * @throws IllegalStateException if it names a folder without them
     */
    public static Optional<Path> programs() {
        String named = System.getenv(PROGRAMS);
        if (named == null || named.isBlank()) {
            return Optional.empty();
        }
        Path folder = Path.of(named);
        if (!Files.isExecutable(folder.resolve("kube-apiserver"))) {
            throw new IllegalStateException(PROGRAMS + " names " + folder + ", where no kube-apiserver is");
        }
        return Optional.of(folder);
    }

    /**
     * Starts both and waits until the API server is ready.
     *
     * @param programs the folder that holds etcd, kube-apiserver and kube-scheduler
     */
    public static ControlPlane start(Path programs) throws IOException, InterruptedException {
        ControlPlane plane = new ControlPlane(programs);
        try {
            plane.startEtcd();
            plane.startApiServer();
            plane.awaitReady();
            return plane;
        } catch (IOException | InterruptedException | RuntimeException e) {
            plane.close();
            throw e;
        }
    }

    private void startEtcd() throws IOException {
        String peers = "http://127.0.0.1:" + freePort();
        run(
                "etcd",
                programs.resolve("etcd"),
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=" + etcd,
                "--advertise-client-urls=" + etcd,
                "--listen-peer-urls=" + peers,
                "--unsafe-no-fsync",
                "--log-level=error");
    }

    private void startApiServer() throws IOException {
        Path key = folder.resolve("sa.key");
        Files.writeString(key, privateKey());
        Path tokens = folder.resolve("tokens.csv");
        Files.writeString(tokens, TOKEN + ",admin,admin,system:masters\n");
        run(
                "kube-apiserver",
                programs.resolve("kube-apiserver"),
                "--etcd-servers=" + etcd,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + folder.resolve("certs"),
                "--service-account-key-file=" + key,
                "--service-account-signing-key-file=" + key,
                "--service-account-issuer=https://kubernetes.default.svc",
                "--token-auth-file=" + tokens,
                "--authorization-mode=RBAC",
                "--service-cluster-ip-range=10.96.0.0/16",
                "--disable-admission-plugins=ServiceAccount",
                FEATURES + ",CompositePodGroup=true",
                "--runtime-config=scheduling.k8s.io/v1beta1=true");
    }

    /**
     * Starts kube-scheduler with every right; it ends with the control plane, or when it is closed.
     *
     * @param configuration its KubeSchedulerConfiguration without what says where the API server is
     */
    public RunningProgram startScheduler(String configuration) throws IOException {
        Path kubeconfig = kubeconfig();
        Path file = folder.resolve("scheduler.yaml");
        Files.writeString(file, configuration + """
            leaderElection:
              leaderElect: false
            clientConnection:
              kubeconfig: %s
              qps: 5000
              burst: 5000
            """.formatted(kubeconfig));
        String later = System.getenv(LATER_SCHEDULER);
        Path program = later == null || later.isBlank() ? programs.resolve("kube-scheduler") : Path.of(later);
        return run("kube-scheduler", program, "--config=" + file, "--secure-port=0", FEATURES);
    }

    /** Returns a file that tells kubectl and its like where the API server is, with every right. */
    public Path kubeconfig() throws IOException {
        Path file = folder.resolve("kubeconfig");
        Files.writeString(file, """
            apiVersion: v1
            kind: Config
            clusters:
              - name: test
                cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}
            users:
              - name: admin
                user: {token: %s}
            contexts:
              - name: test
                context: {cluster: test, user: admin}
            current-context: test
            """.formatted(port, TOKEN));
        return file;
    }

    private RunningProgram run(String name, Path program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        RunningProgram running = RunningProgram.start(name, command, Map.of(), folder);
        processes.add(running);
        return running;
    }

    private static String privateKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2_048);
            byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
            return "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitReady() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTS_WITHIN_SECONDS);
        try (KubernetesClient client = client()) {
            while (!isReady(client)) {
                boolean dead = processes.stream().anyMatch(process -> !process.isAlive());
                if (dead || System.nanoTime() > end) {
                    throw new IllegalStateException("the control plane did not start:\n" + logs());
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private static boolean isReady(KubernetesClient client) {
        try {
            return "ok".equals(client.raw("/readyz"))
                    && client.namespaces().withName("default").get() != null;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    /** Returns the end of what the programs said. */
    public String logs() {
        return processes.stream().map(RunningProgram::lastWords).collect(Collectors.joining("\n"));
    }

    /** Returns the CPU time that etcd, the API server and schedulers started here have used. */
    public Duration cpu() {
        return processes.stream().map(RunningProgram::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns whether a program was started by this control plane. */
    public boolean started(RunningProgram program) {
        return processes.contains(program);
    }

    /** Returns a folder for files that go with this control plane. */
    public Path folder() {
        return folder;
    }

    /** Returns a client with every right; the caller closes it. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config().build()).build();
    }

    /**
     * Returns a client with every right, for loads under which the API server answers slowly; the caller closes it.
     *
     * @param timeout how long a request may take, in whole milliseconds
     */
    public KubernetesClient client(Duration timeout) {
        Config config = config().withRequestTimeout((int) Math.min(Integer.MAX_VALUE, timeout.toMillis()))
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Returns a client with the rights of a service account; the caller closes it. */
    public KubernetesClient clientOf(String namespace, String serviceAccount) {
        Config config = config().withImpersonateUsername("system:serviceaccount:" + namespace + ":" + serviceAccount)
                .withImpersonateGroups("system:serviceaccounts", "system:authenticated")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private ConfigBuilder config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + port)
                .withOauthToken(TOKEN)
                .withTrustCerts(true)
                .withDisableHostnameVerification(true)
                .withNamespace("default")
                .withRequestRetryBackoffLimit(0);
    }

    /**
     * Creates a node with its status, ready. The API server gives each new node the taint of one that is not ready; what
     * usually takes it away does not run here.
     */
    public static Node addReady(KubernetesClient client, Node node) {
        client.nodes().resource(node).create();
        String status = "{\"status\":" + client.getKubernetesSerialization().asJson(node.getStatus()) + "}";
        client.nodes()
                .withName(node.getMetadata().getName())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), status);
        List<Taint> taints = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        String patch =
                "{\"spec\":{\"taints\":" + client.getKubernetesSerialization().asJson(taints) + "}}";
        return client.nodes()
                .withName(node.getMetadata().getName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** One below those that Linux gives to outgoing connections: none of them takes it before its server listens. */
    private static int freePort() {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(LEAST_PORT, LEAST_OUTGOING_PORT);
        } while (!isFree(port));
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops both and removes what they wrote. */
    @Override
    public void close() throws IOException {
        for (int i = processes.size() - 1; i >= 0; i--) {
            processes.get(i).close();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
