package io.gpusched.kubernetes.certificates;

import io.gpusched.kubernetes.http.PemKey;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes a server's certificate, and an authority that vouches for this one alone: the authority's key is thrown away, so
 * that none other can be made in its name. Elliptic curve P-256, SHA-256. Thread-safe.
 */
final class CertificateMaker {
    private static final String ADDRESS = "[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*";

    /** Clocks of checkers may be behind. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private final Clock clock;
    private final Duration time;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates a maker.
     *
     * @param time how long its certificates are valid, at least 1 h
     */
    CertificateMaker(Clock clock, Duration time) {
        if (time.compareTo(Duration.ofHours(1)) < 0) {
            throw new IllegalArgumentException("certificate: its time must be at least 1 h, got " + time);
        }
        this.clock = clock;
        this.time = time;
    }

    /**
     * Makes a certificate.
     *
     * @param names the server's names and addresses, at least one
     * @throws IllegalArgumentException if there is no name
     */
    MadeCertificate make(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("certificate: at least one name is needed");
        }
        try {
            KeyPair authority = keys();
            KeyPair server = keys();
            X500Name issuer = new X500Name("CN=gpu-sched authority " + serial().toString(36));
            X509Certificate vouching = sign(
                    issuer, issuer, authority.getPublic(), authority, List.of(), new KeyUsage(KeyUsage.keyCertSign));
            X509Certificate served = sign(
                    issuer,
                    new X500Name("CN=gpu-sched"),
                    server.getPublic(),
                    authority,
                    names,
                    new KeyUsage(KeyUsage.digitalSignature));
            return new MadeCertificate(
                    Pem.text(vouching),
                    new PemKey(Pem.text(served) + Pem.text(vouching), Pem.text(server.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException("certificate: cannot be made: " + e.getMessage(), e);
        }
    }

    private KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private BigInteger serial() {
        return new BigInteger(120, random).add(BigInteger.ONE);
    }

    /** Signs a certificate; one without names is an authority. */
    private X509Certificate sign(
            X500Name issuer, X500Name subject, PublicKey key, KeyPair signer, List<String> names, KeyUsage usage)
            throws GeneralSecurityException, OperatorCreationException, CertIOException {
        Instant now = clock.instant();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer, serial(), Date.from(now.minus(SKEW)), Date.from(now.plus(time)), subject, key);
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(names.isEmpty()));
        builder.addExtension(Extension.keyUsage, true, usage);
        if (!names.isEmpty()) {
            add(builder, Extension.extendedKeyUsage, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
            add(builder, Extension.subjectAlternativeName, alternatives(names));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
    }

    private static void add(
            JcaX509v3CertificateBuilder builder, ASN1ObjectIdentifier id, org.bouncycastle.asn1.ASN1Encodable value)
            throws CertIOException {
        builder.addExtension(id, false, value);
    }

    private static GeneralNames alternatives(List<String> names) {
        return new GeneralNames(names.stream()
                .map(name -> new GeneralName(name.matches(ADDRESS) ? GeneralName.iPAddress : GeneralName.dNSName, name))
                .toArray(GeneralName[]::new));
    }
}
