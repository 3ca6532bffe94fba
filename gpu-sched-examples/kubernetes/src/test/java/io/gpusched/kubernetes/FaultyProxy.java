package io.gpusched.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocketFactory;

/**
 * Stands between clients and a real API server: passes on what they ask, one request for each connection, or answers in its place.
 * Clients speak HTTP with it.
 */
final class FaultyProxy implements AutoCloseable {
    /** What becomes of a request. */
    sealed interface Turn {
        /** It is passed on. */
        record Pass() implements Turn {}

        /** It is answered here, and the API server hears nothing of it. */
        record Refuse(int code, String headers, String body) implements Turn {}

        /** The connection ends; if it is passed on before, the answer is lost. */
        record Cut(boolean isDone) implements Turn {}
    }

    static final Turn PASS = new Turn.Pass();

    /** Nothing listens any more, and what is under way ends. */
    static final Turn DOWN = new Turn.Cut(false);

    /** The API server does it, and its answer is lost. */
    static final Turn DONE_AND_LOST = new Turn.Cut(true);

    /** Returns an answer that refuses a request. */
    static Turn refused(int code, String headers) {
        String status = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code + "}";
        return new Turn.Refuse(code, headers, status);
    }

    /** Returns a rule by which every second of some requests meets a fault, one after the other. */
    static Function<Asked, Turn> anyFault(Predicate<Asked> some) {
        List<Turn> faults =
                List.of(refused(429, "Retry-After: 1\r\n"), refused(500, ""), DONE_AND_LOST, refused(409, ""), DOWN);
        AtomicInteger asked = new AtomicInteger();
        return one -> {
            int turn = some.test(one) ? asked.getAndIncrement() : 1;
            return turn % 2 == 1 ? PASS : faults.get(turn / 2 % faults.size());
        };
    }

    /** What a client asks. */
    record Asked(String method, String path, String body) {
        boolean isWatch() {
            return path.contains("watch=true");
        }
    }

    private final ServerSocket server;
    private final Config config;
    private final SSLSocketFactory sockets;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "faulty-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final KubernetesClient client;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Function<Asked, Turn> rule = asked -> PASS;

    /** Starts a proxy to the API server of a client. */
    FaultyProxy(KubernetesClient client) throws IOException {
        config = client.getConfiguration();
        try {
            sockets = SSLUtils.sslContext(config).getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        this.client = client(config, server.getLocalPort());
        threads.execute(this::accept);
    }

    private static KubernetesClient client(Config config, int port) {
        Config through = new ConfigBuilder(config)
                .withMasterUrl("http://127.0.0.1:" + port)
                .withRequestTimeout(4_000)
                .withWatchReconnectInterval(100)
                .build();
        return new KubernetesClientBuilder().withConfig(through).build();
    }

    /** Returns a client that goes through it, with the same rights; it gives up as soon as that of {@code kube}. */
    KubernetesClient client() {
        return client;
    }

    /** Sets what becomes of each request from now on. */
    void on(Function<Asked, Turn> turns) {
        rule = turns;
    }

    /** Ends all connections, watches too. */
    void cut() {
        open.forEach(FaultyProxy::close);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        open.add(socket);
        try (socket) {
            InputStream in = socket.getInputStream();
            List<String> head = head(in);
            if (head.isEmpty()) {
                return;
            }
            String[] line = head.get(0).split(" ");
            byte[] body = body(head, in);
            Turn turn = rule.apply(new Asked(line[0], line[1], new String(body, StandardCharsets.UTF_8)));
            if (turn instanceof Turn.Refuse refuse) {
                String text = "HTTP/1.1 " + refuse.code() + " Refused\r\nConnection: close\r\n"
                        + "Content-Type: application/json\r\n" + refuse.headers() + "Content-Length: "
                        + refuse.body().length() + "\r\n\r\n" + refuse.body();
                socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            } else if (!turn.equals(DOWN)) {
                pass(head, body, socket, turn.equals(PASS));
            }
        } catch (IOException e) {
            // one side has ended the connection
        } finally {
            open.remove(socket);
        }
    }

    private void pass(List<String> head, byte[] body, Socket socket, boolean isAnswered) throws IOException {
        URI to = URI.create(config.getMasterUrl());
        try (Socket upstream = sockets.createSocket(to.getHost(), to.getPort())) {
            open.add(upstream);
            OutputStream out = upstream.getOutputStream();
            out.write(passedOn(head, body.length).getBytes(StandardCharsets.UTF_8));
            out.write(body);
            out.flush();
            if (isAnswered) {
                InputStream rest = socket.getInputStream();
                threads.execute(() -> copy(rest, out, upstream));
                upstream.getInputStream().transferTo(socket.getOutputStream());
            } else {
                upstream.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
            open.remove(upstream);
        }
    }

    /** What a client says after its request, as it does on a web socket. */
    private static void copy(InputStream from, OutputStream to, Socket ends) {
        try {
            from.transferTo(to);
        } catch (IOException e) {
            // the other side has ended
        } finally {
            close(ends);
        }
    }

    private static String passedOn(List<String> head, int length) {
        boolean isSocket = head.stream().anyMatch(line -> line.equalsIgnoreCase("upgrade: websocket"));
        StringBuilder text = new StringBuilder(head.get(0)).append("\r\n");
        for (String line : head.subList(1, head.size())) {
            String name = line.toLowerCase(Locale.ROOT);
            boolean isOfConnection = name.startsWith("connection:")
                    || name.startsWith("upgrade:")
                    || name.startsWith("http2-settings:")
                    || name.startsWith("content-length:")
                    || name.startsWith("transfer-encoding:");
            if (isSocket || !isOfConnection) {
                text.append(line).append("\r\n");
            }
        }
        if (!isSocket) {
            text.append("Connection: close\r\nContent-Length: ").append(length).append("\r\n");
        }
        return text.append("\r\n").toString();
    }

    private static List<String> head(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            lines.add(line);
        }
        return lines;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }

    private static byte[] body(List<String> head, InputStream in) throws IOException {
        int length = 0;
        for (String line : head) {
            String name = line.toLowerCase(Locale.ROOT);
            if (name.startsWith("content-length:")) {
                length = Integer.parseInt(name.substring(name.indexOf(':') + 1).strip());
            } else if (name.startsWith("transfer-encoding:")) {
                return chunks(in);
            }
        }
        return in.readNBytes(length);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
            all.write(in.readNBytes(size));
            line(in);
        }
        line(in);
        return all.toByteArray();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no more use
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        cut();
        threads.shutdownNow();
    }
}
