package io.gpusched.simulator.trace;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Texts of lists, which gzip may have compressed: UTF-8, or UTF-16 if they begin as Windows marks it. */
final class TraceText {
    private static final int BUFFER = 1 << 16;

    private TraceText() {}

    /** Opens a text without the mark of its byte order. */
    static BufferedReader open(Path file) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        try {
            InputStream plain =
                    begins(raw, 0x1f, 0x8b) ? new BufferedInputStream(new GZIPInputStream(raw), BUFFER) : raw;
            boolean isUtf16 = begins(plain, 0xff, 0xfe) || begins(plain, 0xfe, 0xff);
            Charset charset = isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
            BufferedReader text = new BufferedReader(new InputStreamReader(plain, charset.newDecoder()), BUFFER);
            text.mark(1);
            if (text.read() != '\uFEFF') {
                text.reset();
            }
            return text;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private static boolean begins(InputStream bytes, int first, int second) throws IOException {
        bytes.mark(2);
        boolean begins = bytes.read() == first && bytes.read() == second;
        bytes.reset();
        return begins;
    }

    /** Returns the first line of a file; empty if it has none. */
    static String firstLine(Path file) {
        try (BufferedReader text = open(file)) {
            String line = text.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw TraceException.unreadable(file, e);
        }
    }

    /** Returns what stands between the columns of this first line: a comma, else a tab, a semicolon or a bar if it has one. */
    static char separator(String firstLine) {
        return Stream.of(",", "\t", ";", "|")
                .filter(firstLine::contains)
                .findFirst()
                .orElse(",")
                .charAt(0);
    }
}
