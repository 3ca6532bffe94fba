package io.gpusched.examples.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real etcd and a real kube-apiserver on the loopback address, for one test class: built by
 * {@code gpu-sched-examples/control-plane/build}, which {@code .ci/run} calls. No kubelet and no controller runs, so nodes
 * and pods are what a test says they are.
 */
final class ControlPlane implements AutoCloseable {
    /** The folder that holds the programs, as the build prints it. */
    private static final String PROGRAMS = "GPU_SCHED_CONTROL_PLANE_PROGRAMS";

    private static final String TOKEN = "admin-token";
    private static final long STARTS_WITHIN_SECONDS = 240;

    private final Path folder;
    private final Path programs;
    private final String etcd = "http://127.0.0.1:" + freePort();
    private final int port = freePort();
    private final List<Process> processes = new ArrayList<>();

    private ControlPlane(Path programs) throws IOException {
        this.programs = programs;
        this.folder = Files.createTempDirectory("gpu-sched-control-plane");
    }

    /** The folder that holds the programs, or nothing where they were not built. */
    static Optional<Path> programs() {
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

    /** Starts both and waits until the API server is ready. */
    static ControlPlane start(Path programs) throws IOException, InterruptedException {
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
                "--feature-gates=GenericWorkload=true,TopologyAwareWorkloadScheduling=true",
                "--runtime-config=scheduling.k8s.io/v1beta1=true");
    }

    /**
     * Starts kube-scheduler with every right.
     *
     * @param configuration its KubeSchedulerConfiguration without what says where the API server is
     */
    void startScheduler(String configuration) throws IOException {
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
        run("kube-scheduler", "--config=" + file, "--secure-port=0");
    }

    /** Returns a file that tells kubectl and its like where the API server is, with every right. */
    Path kubeconfig() throws IOException {
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

    private void run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(programs.resolve(program).toString()));
        command.addAll(List.of(arguments));
        processes.add(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(program + ".log").toFile())
                .start());
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
                Optional<Process> dead =
                        processes.stream().filter(process -> !process.isAlive()).findFirst();
                if (dead.isPresent() || System.nanoTime() > end) {
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
    String logs() {
        StringBuilder text = new StringBuilder();
        for (String program : List.of("etcd", "kube-apiserver", "kube-scheduler")) {
            if (!Files.exists(folder.resolve(program + ".log"))) {
                continue;
            }
            try (Stream<String> lines = Files.lines(folder.resolve(program + ".log"))) {
                List<String> all = lines.toList();
                text.append(program).append(": ");
                text.append(String.join("\n", all.subList(Math.max(0, all.size() - 20), all.size())));
                text.append('\n');
            } catch (IOException e) {
                text.append(program).append(": ").append(e).append('\n');
            }
        }
        return text.toString();
    }

    /** Returns a client with every right; the caller closes it. */
    KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config().build()).build();
    }

    /** Returns a client with the rights of a service account; the caller closes it. */
    KubernetesClient clientOf(String namespace, String serviceAccount) {
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
    static Node addReady(KubernetesClient client, Node node) {
        Node created = client.nodes().resource(node).create();
        created.setStatus(node.getStatus());
        client.nodes().resource(created).updateStatus();
        return client.nodes().withName(node.getMetadata().getName()).edit(fresh -> {
            fresh.getSpec()
                    .setTaints(node.getSpec() == null ? null : node.getSpec().getTaints());
            return fresh;
        });
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops both and removes what they wrote. */
    @Override
    public void close() throws IOException {
        for (int i = processes.size() - 1; i >= 0; i--) {
            stop(processes.get(i));
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void stop(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
