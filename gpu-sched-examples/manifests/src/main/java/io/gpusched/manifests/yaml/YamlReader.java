package io.gpusched.manifests.yaml;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.CharBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads files of one or several documents and of any size, JSON or YAML, also compressed by gzip. What begins as JSON does is read as
 * JSON, whatever the file is called.
 *
 * <p>A {@link DocumentSink}, which takes what is read while it is read, has one item of a list in memory at a time.
 */
public final class YamlReader {
    /** The name that stands for standard input. */
    public static final String STANDARD_INPUT = "-";

    private static final Pattern YAML_NAME = Pattern.compile("(?i)[.]ya?ml([.]gz)?$");

    private static final Pattern JSON = Pattern.compile("\\s*(\\{\\s*[\"}]|\\[\\s*[\\[{\"\\]])");

    /** Opens a file for a parser of one's own, without the compression of gzip. */
    public static InputStream open(Path file) throws IOException {
        return TextSource.unpacked(Files.newInputStream(file));
    }

    /** So much of a text tells whether it is JSON. */
    private static final int BEGINNING = 1 << 13;

    private YamlReader() {}

    /**
     * Returns the documents of a file, at least one; {@value #STANDARD_INPUT} is standard input.
     *
     * @throws InputException if it is missing, empty, or no YAML or JSON in UTF-8
     */
    public static List<YamlNode> read(Path file) {
        return documents(TextSource.of(file));
    }

    /**
     * Returns the documents of a text, at least one.
     *
     * @param name that of its file; one that ends in {@code .json} holds JSON
     * @throws InputException if it is empty or no YAML, or no JSON
     */
    public static List<YamlNode> parse(String name, String text) {
        return documents(TextSource.of(name, text));
    }

    private static List<YamlNode> documents(TextSource source) {
        return read(source, () -> new Collected(new ArrayList<>())).documents();
    }

    private record Collected(List<YamlNode> documents) implements DocumentSink {
        @Override
        public void document(YamlNode document) {
            documents.add(document);
        }
    }

    /**
     * Hands out the documents of a file, at least one, as {@link #read(Path)} returns them.
     *
     * @param fresh returns a sink; asked twice where the file begins as JSON does and turns out to be YAML
     * @return the sink that took them
     * @throws InputException as {@link #read(Path)} does
     */
    public static <S extends DocumentSink> S read(Path file, Supplier<S> fresh) {
        return read(TextSource.of(file), fresh);
    }

    /**
     * Hands out the documents of a text, as {@link #read(Path, Supplier)} does those of a file.
     *
     * @throws InputException as {@link #parse(String, String)} does
     */
    public static <S extends DocumentSink> S parse(String name, String text, Supplier<S> fresh) {
        return read(TextSource.of(name, text), fresh);
    }

    private static <S extends DocumentSink> S read(TextSource source, Supplier<S> fresh) {
        if (!source.read(text -> isJson(source.name(), text))) {
            return read(source, fresh.get(), false);
        }
        try {
            return read(source, fresh.get(), true);
        } catch (InputException e) {
            if (!YAML_NAME.matcher(source.name()).find() && !source.read(YamlReader::hasLineBetweenDocuments)) {
                throw e;
            }
            try {
                return read(source, fresh.get(), false);
            } catch (InputException neither) {
                throw e;
            }
        }
    }

    /** YAML, too, may begin as JSON does and go on otherwise, if its name or a line between two documents says so. */
    private static boolean hasLineBetweenDocuments(BufferedReader text) throws IOException {
        for (String line = text.readLine(); line != null; line = text.readLine()) {
            if (line.startsWith("---")) {
                return true;
            }
        }
        return false;
    }

    /** JSON begins with a mapping or list that is empty, or holds another or a quoted name. */
    private static boolean isJson(String name, BufferedReader text) throws IOException {
        CharBuffer beginning = CharBuffer.allocate(BEGINNING);
        boolean isMore = true;
        while (isMore && beginning.hasRemaining()) {
            isMore = text.read(beginning) >= 0;
        }
        return name.toLowerCase(Locale.ROOT).endsWith(".json")
                || JSON.matcher(beginning.flip()).lookingAt();
    }

    private static <S extends DocumentSink> S read(TextSource source, S sink, boolean isJson) {
        int documents = source.read(text -> {
            Tokens tokens = isJson ? new JsonTokens(source.name(), text) : new YamlTokens(source.name(), text);
            return new TreeBuilder(source.name(), tokens, sink).readAll();
        });
        if (documents == 0) {
            throw new InputException(source.name(), 0, "", "must hold at least one document");
        }
        return sink;
    }
}
