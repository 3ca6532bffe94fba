package io.gpusched.kubernetes.certificates;

import io.gpusched.kubernetes.http.PemKey;
import io.gpusched.kubernetes.http.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's certificate and key in two PEM files, or none. While it is open, a server can follow the files: they are read
 * once a minute, and a new pair is served from then on. A pair that cannot be used, such as one half written, is logged and
 * the old one stays. Thread-safe.
 */
public final class KeyFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyFiles.class);
    private static final Duration BETWEEN_READS = Duration.ofMinutes(1);

    private final Optional<Path> certificates;
    private final Optional<Path> privateKey;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "certificate-files");
        thread.setDaemon(true);
        return thread;
    });
    private Optional<PemKey> served = Optional.empty();

    private KeyFiles(Optional<Path> certificates, Optional<Path> privateKey) {
        this.certificates = certificates;
        this.privateKey = privateKey;
    }

    /**
     * Returns the pair.
     *
     * @param certificates the certificates, or null for none
     * @param privateKey the key, or null for none
     * @throws IllegalArgumentException if only one of them is given
     * @throws IOException if they cannot be read
     */
    public static KeyFiles of(@Nullable Path certificates, @Nullable Path privateKey) throws IOException {
        if ((certificates == null) != (privateKey == null)) {
            throw new IllegalArgumentException("--tls-cert and --tls-key go together; only one of them is given");
        }
        KeyFiles files = new KeyFiles(Optional.ofNullable(certificates), Optional.ofNullable(privateKey));
        files.served = files.read();
        return files;
    }

    private Optional<PemKey> read() throws IOException {
        if (certificates.isEmpty() || privateKey.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new PemKey(Files.readString(certificates.get()), Files.readString(privateKey.get())));
    }

    /** Returns whether there is a pair. */
    public boolean isPresent() {
        return served.isPresent();
    }

    /** Makes a server serve HTTPS with the pair; without one it stays as it is. */
    public WebServer.Builder secure(WebServer.Builder server) {
        return served.map(server::https).orElse(server);
    }

    /** Lets a server follow the files until this is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // what goes wrong is logged, and tried again
    public void follow(WebServer server) {
        if (served.isPresent()) {
            long seconds = BETWEEN_READS.toSeconds();
            timer.scheduleWithFixedDelay(() -> renew(server), seconds, seconds, TimeUnit.SECONDS);
        }
    }

    /** Reads the files, and makes a server serve what they hold if that is new. */
    synchronized void renew(WebServer server) {
        try {
            Optional<PemKey> now = read();
            if (now.isPresent() && !now.equals(served)) {
                server.renew(now.get());
                served = now;
                LOG.info("{}: serving a new certificate", server);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: keeping the old certificate: {}", server, e.getMessage());
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
