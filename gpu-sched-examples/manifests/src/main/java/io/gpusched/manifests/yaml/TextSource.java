package io.gpusched.manifests.yaml;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * A text that can be read from its beginning more than once: where a parser does not tell the place of what is wrong, it is found by
 * reading again.
 *
 * @param name of its file
 * @param opener opens its bytes, which gzip may have compressed: UTF-8, or UTF-16 if they begin as Windows marks it
 */
record TextSource(String name, Opener opener) {
    private static final int BUFFER = 1 << 16;

    /** Opens a file at its beginning. */
    interface Opener {
        InputStream open() throws IOException;
    }

    /** What is done with a text. */
    interface Use<T> {
        T on(BufferedReader text) throws IOException;
    }

    static TextSource of(String name, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new TextSource(name, () -> new ByteArrayInputStream(bytes));
    }

    /** A file, or standard input, whose bytes are kept. */
    static TextSource of(Path file) {
        if (!file.toString().equals(YamlReader.STANDARD_INPUT)) {
            return new TextSource(file.toString(), () -> Files.newInputStream(file));
        }
        String name = "standard input";
        try {
            byte[] bytes = System.in.readAllBytes();
            return new TextSource(name, () -> new ByteArrayInputStream(bytes));
        } catch (IOException e) {
            throw new InputException(name, 0, "", "cannot be read: " + e.getMessage());
        }
    }

    /** Returns the bytes as they were before gzip compressed them, if it did. */
    static InputStream unpacked(InputStream given) throws IOException {
        InputStream raw = new BufferedInputStream(given, BUFFER);
        try {
            return begins(raw, 0x1f, 0x8b) ? new GZIPInputStream(raw, BUFFER) : raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private InputStream plain() throws IOException {
        InputStream unpacked = unpacked(opener.open());
        return unpacked.markSupported() ? unpacked : new BufferedInputStream(unpacked, BUFFER);
    }

    private static CharsetDecoder decoder(InputStream plain) throws IOException {
        boolean isUtf16 = begins(plain, 0xff, 0xfe) || begins(plain, 0xfe, 0xff);
        return (isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8).newDecoder();
    }

    private static boolean begins(InputStream bytes, int first, int second) throws IOException {
        bytes.mark(2);
        boolean begins = bytes.read() == first && bytes.read() == second;
        bytes.reset();
        return begins;
    }

    /**
     * Uses the text, without the mark of its byte order.
     *
     * @throws InputException if it cannot be read, or is no text
     */
    <T> T read(Use<T> use) {
        try (InputStream plain = plain();
                BufferedReader text = new BufferedReader(new InputStreamReader(plain, decoder(plain)), BUFFER)) {
            text.mark(1);
            if (text.read() != '\uFEFF') {
                text.reset();
            }
            return use.on(text);
        } catch (ReaderException e) {
            throw new InputException(
                    name,
                    lineOf(e.getCodePoint()),
                    "",
                    "must be YAML: special character U+%04X".formatted(e.getCodePoint()));
        } catch (YAMLException e) {
            throw e.getCause() instanceof IOException cause ? unreadable(cause) : e;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private RuntimeException unreadable(IOException e) {
        if (e instanceof NoSuchFileException) {
            return new InputException(name, 0, "", "no such file");
        }
        if (e instanceof CharacterCodingException) {
            return new InputException(name, lineOf(-1), "", "must be text in UTF-8");
        }
        if (e instanceof ZipException || e instanceof EOFException) {
            return new InputException(name, 0, "", "begins as gzip does and cannot be decompressed: " + e.getMessage());
        }
        String why = Files.isDirectory(Path.of(name)) ? "it is a directory" : String.valueOf(e.getMessage());
        return new InputException(name, 0, "", "cannot be read: " + why);
    }

    /** The line of the first such code point, or of the first bytes that are no text; 0 if there are none. */
    private int lineOf(int codePoint) {
        int line = 1;
        try (InputStream plain = plain()) {
            CharsetDecoder decoder = decoder(plain);
            CharBuffer decoded = CharBuffer.allocate(BUFFER);
            byte[] chunk = new byte[BUFFER];
            ByteBuffer left = ByteBuffer.allocate(0);
            for (int read = plain.read(chunk); read >= 0; read = plain.read(chunk)) {
                ByteBuffer bytes = ByteBuffer.allocate(left.remaining() + read);
                bytes.put(left).put(chunk, 0, read).flip();
                boolean isText = !decoder.decode(bytes, decoded.clear(), false).isError();
                String text = decoded.flip().toString();
                int at = codePoint < 0 ? -1 : text.indexOf(codePoint);
                line += (int) text.chars()
                        .limit(at < 0 ? text.length() : at)
                        .filter(one -> one == '\n')
                        .count();
                if (at >= 0 || !isText) {
                    return line;
                }
                left = bytes;
            }
            return codePoint < 0 ? line : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
