package io.gpusched.kubernetes.command;

import java.util.List;

/**
 * In which order ciphers are offered to the API server. AES-GCM is cheap where a JVM uses the instructions that the processor
 * has for it, and HotSpot's first compiler, with which these commands run, does not: there, a record costs three times what
 * ChaCha20-Poly1305 takes for it. A server written in Go chooses as the client prefers; one that knows no ChaCha20 chooses
 * AES-GCM from the same list.
 */
final class CipherOrder {
    /** The list of the JVM, read when its first TLS context is made. */
    static final String PROPERTY = "jdk.tls.client.cipherSuites";

    /** TLS 1.3, then 1.2. */
    static final List<String> SUITES = List.of(
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");

    private CipherOrder() {}

    /** Sets the list of this JVM, unless whoever started it did. */
    static void set() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, String.join(",", SUITES));
        }
    }
}
