package io.gpusched.kubernetes.certificates;

import io.gpusched.kubernetes.http.PemKey;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A certificate that was made here.
 *
 * @param authorities in PEM its authorities, and the ones of the certificate before it as long as that may be in use
 * @param key the certificate and its key
 */
record MadeCertificate(String authorities, PemKey key) {
    /** Returns when the certificate is due to be renewed: after two thirds of its time. */
    Instant renewAt() {
        X509Certificate served = certificates(key.certificates()).get(0);
        Instant from = served.getNotBefore().toInstant();
        Duration time = Duration.between(from, served.getNotAfter().toInstant());
        return from.plus(time.multipliedBy(2).dividedBy(3));
    }

    /** Returns whether the certificate is good for a server of these names, and not yet due to be renewed. */
    boolean isGoodFor(Collection<String> names, Instant now) {
        return names().containsAll(names) && now.isBefore(renewAt());
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        try {
            Collection<List<?>> alternatives =
                    certificates(key.certificates()).get(0).getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(name -> names.add(String.valueOf(name.get(1))));
            }
        } catch (CertificateException e) {
            throw new IllegalArgumentException("certificate: its names cannot be read", e);
        }
        return names;
    }

    /** Returns those of some authorities whose time has not run out, in PEM. */
    static String stillValid(String authorities, Instant now) {
        StringBuilder valid = new StringBuilder();
        for (X509Certificate authority : certificates(authorities)) {
            if (now.isBefore(authority.getNotAfter().toInstant())) {
                valid.append(Pem.text(authority));
            }
        }
        return valid.toString();
    }

    /**
     * Reads certificates.
     *
     * @throws IllegalArgumentException if there is none, or they cannot be read
     */
    static List<X509Certificate> certificates(String pem) {
        try {
            List<X509Certificate> certificates = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
                    .forEach(one -> certificates.add((X509Certificate) one));
            if (certificates.isEmpty()) {
                throw new IllegalArgumentException("certificate: must be PEM, found none");
            }
            return certificates;
        } catch (CertificateException e) {
            throw new IllegalArgumentException("certificate: must be PEM: " + e.getMessage(), e);
        }
    }
}
