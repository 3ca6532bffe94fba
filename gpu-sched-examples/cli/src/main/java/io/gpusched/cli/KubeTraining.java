package io.gpusched.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Has {@code kube} bind one pod of a stand-in for an API server, which listens on this machine alone, so that the JVM can archive the classes
 * that this loads. Both go on until the JVM ends.
 */
final class KubeTraining {
    private static final int PATIENCE_SECONDS = 60;

    private static final String NODE = """
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"n","uid":"n","resourceVersion":"1"},"status":{"allocatable":
             {"cpu":"8","memory":"8Gi","pods":"10","nvidia.com/gpu":"8"},"conditions":[{"type":"Ready","status":"True"}]}}""";

    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"default","uid":"p","resourceVersion":"1"},"spec":
             {"schedulerName":"gpu-sched","containers":[{"name":"main","resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}""";

    private final CountDownLatch bound = new CountDownLatch(1);

    private KubeTraining() {}

    /**
     * Runs it.
     *
     * @param command runs a command line, and does not return before it is interrupted
     * @return whether the pod was bound within a minute
     */
    static boolean run(Consumer<String[]> command) throws IOException, InterruptedException {
        KubeTraining training = new KubeTraining();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(KubeTraining::background));
        server.createContext("/", training::answer);
        background(server::start).start(); // so that its own thread keeps no JVM alive either
        System.setProperty(
                "kubernetes.master", "http://127.0.0.1:" + server.getAddress().getPort());
        System.setProperty("kubernetes.auth.tryKubeConfig", "false");
        String[] kube = {"kube", "--no-leader-elect", "--dialect", "device-plugin", "--health-port", "-1"};
        background(() -> command.accept(kube)).start();
        return training.bound.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static Thread background(Runnable task) {
        Thread thread = new Thread(task, "training");
        thread.setDaemon(true);
        return thread;
    }

    /** Lists one node and one pod, watches without a word, though not by a web socket, and takes whatever is written. */
    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().toString();
        if (path.contains("watch=true") && !exchange.getRequestHeaders().containsKey("Upgrade")) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            return; // it goes on
        }
        String items = path.startsWith("/api/v1/nodes") ? NODE : path.startsWith("/api/v1/pods") ? POD : "";
        byte[] list = ("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":["
                        + items + "]}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(exchange.getRequestMethod().equals("POST") ? 201 : 200, list.length);
        exchange.getResponseBody().write(list);
        exchange.close();
        if (path.endsWith("/binding")) {
            bound.countDown();
        }
    }
}
