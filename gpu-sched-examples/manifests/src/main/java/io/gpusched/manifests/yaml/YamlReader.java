package io.gpusched.manifests.yaml;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads files of one or several documents and of any size, JSON or YAML, also compressed by gzip. What begins as JSON does is read as
 * JSON, whatever the file is called.
 */
public final class YamlReader {
    /** The name that stands for standard input. */
    public static final String STANDARD_INPUT = "-";

    static final int MAX_DEPTH = 200;
    private static final Pattern EXPONENT = Pattern.compile("[-+]?[0-9]+[eE][-+]?[0-9]+");

    private static final Pattern JSON = Pattern.compile("\\s*(\\{\\s*[\"}]|\\[\\s*[\\[{\"\\]])");

    private static final Pattern YAML_NAME = Pattern.compile("(?i)[.]ya?ml([.]gz)?$");

    private YamlReader() {}

    /**
     * Returns the documents of a file, at least one; {@value #STANDARD_INPUT} is standard input.
     *
     * @throws InputException if it is missing, empty, or no YAML or JSON in UTF-8
     */
    public static List<YamlNode> read(Path file) {
        boolean isInput = file.toString().equals(STANDARD_INPUT);
        String name = isInput ? "standard input" : file.toString();
        try {
            return parse(name, decode(name, inflated(name, isInput ? allOf(System.in) : Files.readAllBytes(file))));
        } catch (NoSuchFileException e) {
            throw new InputException(name, 0, "", "no such file");
        } catch (IOException e) {
            String why = Files.isDirectory(file) ? "it is a directory" : String.valueOf(e.getMessage());
            throw new InputException(name, 0, "", "cannot be read: " + why);
        }
    }

    private static byte[] allOf(InputStream in) throws IOException {
        return in.readAllBytes();
    }

    /** The bytes themselves, or those that gzip made them of. */
    private static byte[] inflated(String name, byte[] bytes) throws IOException {
        if (bytes.length < 2 || bytes[0] != (byte) 0x1f || bytes[1] != (byte) 0x8b) {
            return bytes;
        }
        try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return plain.readAllBytes();
        } catch (ZipException | EOFException e) {
            throw new InputException(name, 0, "", "begins as gzip does and cannot be decompressed: " + e.getMessage());
        }
    }

    private static String decode(String name, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new InputException(name, lineOfBadByte(bytes), "", "must be text in UTF-8");
        }
    }

    /** The line of the first byte that is no UTF-8. */
    private static int lineOfBadByte(byte[] bytes) {
        String lenient = new String(bytes, StandardCharsets.UTF_8);
        return lineAt(lenient, lenient.indexOf('\uFFFD'));
    }

    private static int lineAt(String text, int end) {
        int line = 1;
        for (int i = 0; i < Math.min(end, text.length()); i++) {
            line += text.charAt(i) == '\n' ? 1 : 0;
        }
        return line;
    }

    /**
     * Returns the documents of a text, at least one.
     *
     * @param name that of its file; one that ends in {@code .json} holds JSON
     * @throws InputException if it is empty or no YAML, or no JSON
     */
    public static List<YamlNode> parse(String name, String text) {
        List<YamlNode> documents = isJson(name, text) ? json(name, text) : yaml(name, text);
        if (documents.isEmpty()) {
            throw new InputException(name, 0, "", "must hold at least one document");
        }
        return documents;
    }

    /** JSON begins with a mapping or list that is empty, or holds another or a quoted name. */
    private static boolean isJson(String name, String text) {
        return name.toLowerCase(Locale.ROOT).endsWith(".json")
                || JSON.matcher(text).lookingAt();
    }

    /** YAML, too, may begin like this and go on otherwise, if its name or a line between two documents says so. */
    private static List<YamlNode> json(String name, String text) {
        try {
            return JsonTree.documents(name, text);
        } catch (InputException e) {
            if (!YAML_NAME.matcher(name).find() && !text.contains("\n---")) {
                throw e;
            }
            try {
                return yaml(name, text);
            } catch (InputException neither) {
                throw e;
            }
        }
    }

    private static List<YamlNode> yaml(String name, String text) {
        List<YamlNode> documents = new ArrayList<>();
        try {
            Composer composer = composer(text);
            while (composer.checkNode()) {
                YamlNode document = new YamlTree(name).document(composer.getNode());
                if (document.isPresent()) {
                    documents.add(document);
                }
            }
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            throw InputException.at(
                    name,
                    mark == null ? 0 : mark.getLine() + 1,
                    mark == null ? 0 : mark.getColumn() + 1,
                    "must be YAML: " + problem(e));
        } catch (ReaderException e) {
            int end = text.offsetByCodePoints(0, Math.min(e.getPosition(), text.codePointCount(0, text.length())));
            throw new InputException(
                    name, lineAt(text, end), "", "must be YAML: special character U+%04X".formatted(e.getCodePoint()));
        } catch (YAMLException e) {
            throw new InputException(name, lineOfUnplacedError(text), "", "must be YAML: " + firstLine(e.getMessage()));
        }
        return documents;
    }

    private static Composer composer(String text) {
        return new Composer(parser(text), resolver(), options());
    }

    /** The numbers of YAML 1.1, and those with an exponent but no point, which YAML 1.2 and JSON have. */
    private static Resolver resolver() {
        Resolver resolver = new Resolver();
        resolver.addImplicitResolver(Tag.FLOAT, EXPONENT, "-+0123456789");
        return resolver;
    }

    private static ParserImpl parser(String text) {
        return new ParserImpl(new StreamReader(new StringReader(text)), options());
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setMaxAliasesForCollections(Integer.MAX_VALUE); // YamlTree bounds what they grow to
        return options;
    }

    /**
     * The line of an error that does not tell its place: where values are nested too deeply, or the last one that can be
     * parsed; 0 if there is none.
     */
    private static int lineOfUnplacedError(String text) {
        ParserImpl parser = parser(text);
        int line = 0;
        int depth = 0;
        try {
            while (depth <= MAX_DEPTH && parser.peekEvent() != null) {
                Event event = parser.getEvent();
                depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
                line = event.getStartMark().getLine() + 1;
            }
            return depth > MAX_DEPTH ? line : 0;
        } catch (YAMLException e) {
            return line;
        }
    }

    /** What is wrong, without the place, which stands before it. */
    private static String problem(MarkedYAMLException e) {
        String context = e.getContext() == null ? "" : firstLine(e.getContext()) + ", ";
        return context + firstLine(e.getProblem());
    }

    private static String firstLine(@Nullable String text) {
        return text == null
                ? "unknown problem"
                : text.lines().findFirst().orElse("").strip();
    }
}
