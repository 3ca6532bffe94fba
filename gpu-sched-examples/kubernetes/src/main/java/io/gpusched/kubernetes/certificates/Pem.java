package io.gpusched.kubernetes.certificates;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.PrivateKey;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Certificates and keys as texts. */
final class Pem {
    private Pem() {}

    /** Returns a certificate in PEM. */
    static String text(Object certificate) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(certificate);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Returns a key in PKCS #8, without a password. */
    static String text(PrivateKey key) {
        try {
            return text((Object) new JcaPKCS8Generator(key, null).generate());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
