package io.gpusched.kubernetes.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SSLOptions;

/**
 * A server's certificate and its private key in PEM. Its text never shows the key.
 *
 * @param certificates the server's certificate, then the certificates that lead to its root
 * @param privateKey the key in PKCS #8
 */
public record PemKey(String certificates, String privateKey) {
    /** Returns the options of Vert.x that serve it. */
    SSLOptions options() {
        return new SSLOptions()
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(certificates))
                        .addKeyValue(Buffer.buffer(privateKey)));
    }

    @Override
    public String toString() {
        return "a certificate and its key";
    }
}
