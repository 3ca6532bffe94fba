package io.gpusched.kubernetes.certificates;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.http.WebServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a server's own certificate good: makes one where there is none, renews it after two thirds of its time, shares it
 * with other replicas in a Secret, and tells the API server which authorities to trust.
 *
 * <p>The authority of a new certificate is trusted before it is served, and the authority of the old one is trusted
 * until that has expired; so at no moment does a replica serve what the API server does not trust. Looks once a minute.
 * Thread-safe.
 */
public final class CertificateKeeper implements AutoCloseable {
    /** How long a certificate is valid. */
    public static final Duration TIME = Duration.ofDays(90);

    private static final Logger LOG = LoggerFactory.getLogger(CertificateKeeper.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);
    private static final int ATTEMPTS = 10;

    private final KubernetesClient client;
    private final CertificateSecret secret;
    private final String configuration;
    private final List<String> names;
    private final Clock clock;
    private final CertificateMaker maker;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "certificates");
        thread.setDaemon(true);
        return thread;
    });
    private Optional<MadeCertificate> served = Optional.empty();

    private CertificateKeeper(
            KubernetesClient client,
            CertificateSecret secret,
            String configuration,
            List<String> names,
            Clock clock,
            Duration time) {
        this.client = client;
        this.secret = secret;
        this.configuration = configuration;
        this.names = List.copyOf(names);
        this.clock = clock;
        this.maker = new CertificateMaker(clock, time);
    }

    /**
     * Returns a keeper that has a good certificate, and whom the API server trusts.
     *
     * @param client the API server; the caller closes it
     * @param namespace the namespace of the Secret
     * @param secretName the name of the Secret
     * @param configuration the name of the MutatingWebhookConfiguration that gets the authorities to trust, empty for none
     * @param names the server's names and addresses, at least one
     */
    public static CertificateKeeper of(
            KubernetesClient client, String namespace, String secretName, String configuration, List<String> names) {
        return of(client, namespace, secretName, configuration, names, Clock.systemUTC(), TIME);
    }

    static CertificateKeeper of(
            KubernetesClient client,
            String namespace,
            String secretName,
            String configuration,
            List<String> names,
            Clock clock,
            Duration time) {
        CertificateSecret secret = new CertificateSecret(client, namespace, secretName);
        CertificateKeeper keeper = new CertificateKeeper(client, secret, configuration, names, clock, time);
        keeper.renew();
        return keeper;
    }

    /** Makes a server serve HTTPS with the certificate. */
    public WebServer.Builder secure(WebServer.Builder server) {
        return server.https(served().key());
    }

    /** Returns in PEM the authorities that callers of the server have to trust. */
    public String authorities() {
        return served().authorities();
    }

    private synchronized MadeCertificate served() {
        return served.orElseThrow();
    }

    /** Lets a server follow the certificate until this is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // what goes wrong is logged, and tried again
    public void follow(WebServer server) {
        long seconds = BETWEEN_LOOKS.toSeconds();
        ScheduledFuture<?> unused =
                timer.scheduleWithFixedDelay(() -> look(server), seconds, seconds, TimeUnit.SECONDS);
    }

    /** Makes a server serve a new certificate where there is one; what fails now is tried again at the next look. */
    void look(WebServer server) {
        try {
            if (renew()) {
                server.renew(served().key());
                LOG.info("{}: serving a new certificate", server);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: keeping the old certificate: {}", server, e.getMessage());
        }
    }

    /** Takes the certificate of the Secret, a new one where that is due; returns whether it is another one than before. */
    private synchronized boolean renew() {
        MadeCertificate good = good();
        trust(good);
        boolean changed = !Optional.of(good).equals(served);
        served = Optional.of(good);
        return changed;
    }

    private MadeCertificate good() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Secret> before = secret.read();
            Optional<MadeCertificate> found = before.flatMap(CertificateSecret::certificate);
            if (found.isPresent() && found.get().isGoodFor(names, clock.instant())) {
                return found.get();
            }
            MadeCertificate made = maker.make(names);
            String former = found.map(old -> MadeCertificate.stillValid(old.authorities(), clock.instant()))
                    .orElse("");
            MadeCertificate trusted = new MadeCertificate(made.authorities() + former, made.key());
            if (secret.write(trusted, before)) {
                return trusted;
            }
        }
        throw new IllegalStateException("certificate: others write the secret again and again");
    }

    /** Writes the authorities to trust into the webhooks that do not have them yet. */
    private void trust(MadeCertificate certificate) {
        if (configuration.isEmpty()) {
            return;
        }
        String bundle =
                Base64.getEncoder().encodeToString(certificate.authorities().getBytes(StandardCharsets.US_ASCII));
        var webhooks = client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(configuration);
        MutatingWebhookConfiguration now = webhooks.get();
        if (now == null) {
            throw new IllegalStateException("there is no MutatingWebhookConfiguration \"" + configuration + "\"");
        }
        if (!now.getWebhooks().stream().allMatch(webhook -> trusts(webhook, bundle))) {
            webhooks.edit(fresh -> {
                fresh.getWebhooks().forEach(webhook -> webhook.getClientConfig().setCaBundle(bundle));
                return fresh;
            });
        }
    }

    private static boolean trusts(MutatingWebhook webhook, String bundle) {
        return bundle.equals(webhook.getClientConfig().getCaBundle());
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
