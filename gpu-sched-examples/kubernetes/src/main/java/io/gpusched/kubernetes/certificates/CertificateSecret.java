package io.gpusched.kubernetes.certificates;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.http.PemKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Secret in which replicas share a certificate: {@code tls.crt}, {@code tls.key} and {@code ca.crt}, as
 * {@code kubernetes.io/tls} names them. Of two replicas that write at one time, the second is told so and reads what the first wrote.
 */
final class CertificateSecret {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateSecret.class);
    private static final int CONFLICT = 409;
    private static final String CERTIFICATES = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String AUTHORITIES = "ca.crt";

    private final KubernetesClient client;
    private final String namespace;
    private final String name;

    CertificateSecret(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
    }

    /** Returns the Secret, if it is there. */
    Optional<Secret> read() {
        return Optional.ofNullable(
                client.secrets().inNamespace(namespace).withName(name).get());
    }

    /** Returns what a Secret holds; nothing where that is no certificate, so that another is made. */
    static Optional<MadeCertificate> certificate(Secret secret) {
        try {
            Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
            if (!data.keySet().containsAll(Set.of(CERTIFICATES, KEY, AUTHORITIES))) {
                return Optional.empty();
            }
            MadeCertificate found =
                    new MadeCertificate(text(data, AUTHORITIES), new PemKey(text(data, CERTIFICATES), text(data, KEY)));
            MadeCertificate.certificates(found.authorities());
            MadeCertificate.certificates(found.key().certificates());
            return Optional.of(found);
        } catch (IllegalArgumentException e) {
            LOG.warn("secret {}: {}; a new one is made", secret.getMetadata().getName(), e.getMessage());
            return Optional.empty();
        }
    }

    private static String text(Map<String, String> data, String key) {
        return new String(Base64.getDecoder().decode(data.getOrDefault(key, "")), StandardCharsets.US_ASCII);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes a certificate where the Secret is still as it was read; returns whether it was. */
    boolean write(MadeCertificate certificate, Optional<Secret> before) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withType("kubernetes.io/tls")
                .addToData(CERTIFICATES, encoded(certificate.key().certificates()))
                .addToData(KEY, encoded(certificate.key().privateKey()))
                .addToData(AUTHORITIES, encoded(certificate.authorities()))
                .build();
        try {
            if (before.isEmpty()) {
                client.secrets().inNamespace(namespace).resource(secret).create();
            } else {
                secret.getMetadata()
                        .setResourceVersion(before.get().getMetadata().getResourceVersion());
                client.secrets().inNamespace(namespace).resource(secret).update();
            }
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT) {
                return false;
            }
            throw e;
        }
    }
}
