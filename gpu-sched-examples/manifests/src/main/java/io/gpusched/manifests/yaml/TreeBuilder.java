package io.gpusched.manifests.yaml;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Turns tokens into {@link YamlNode}s: aliases are followed, {@code <<} is merged, names are unique. */
final class TreeBuilder {
    static final int MAX_DEPTH = 200;

    /**
     * How many values aliases may stand for, beside as many for each value that is written out; a file of a few lines could stand for
     * billions.
     */
    private static final int MAX_ALIASED = 20_000;

    private static final int ALIASED_PER_VALUE = 10;

    private static final String ITEMS = "items";

    /** What is not read here, and may be nested as deep as its author likes. */
    private static final String UNREAD = "managedFields";

    /** What is handed on to a driver, and may be nested as deep as its author likes: what is too deep is left out. */
    private static final String OPAQUE = "opaque";

    private final String file;
    private final Tokens tokens;
    private final DocumentSink sink;
    private long aliased;
    private long written;
    private int depth;
    private boolean isOpaque;

    TreeBuilder(String file, Tokens tokens, DocumentSink sink) {
        this.file = file;
        this.tokens = tokens;
        this.sink = sink;
    }

    /** Hands out all documents; returns how many. */
    int readAll() throws IOException {
        int documents = 0;
        for (Tokens.Type type = tokens.next(); type != null; type = tokens.next()) {
            YamlNode document = value(type, tokens.line(), "", true);
            if (document.isPresent()) {
                sink.document(document);
                documents++;
            }
        }
        return documents;
    }

    private Tokens.Type next() throws IOException {
        return Objects.requireNonNull(tokens.next(), "a value ends");
    }

    /**
     * The value that begins with the current token.
     *
     * @param isHandedOut whether elements that it lists are offered to the sink
     */
    private YamlNode value(Tokens.Type type, int line, String path, boolean isHandedOut) throws IOException {
        count(line, path);
        if (isOpaque && depth >= MAX_DEPTH && opens(type) > 0) {
            skip();
            return new YamlNode(file, line, path, YamlNode.Kind.NOTHING, null, null, null);
        }
        return switch (type) {
            case MAPPING -> {
                Map<String, YamlNode> members = new LinkedHashMap<>();
                deeper();
                members(path, members, isHandedOut);
                depth--;
                yield new YamlNode(file, line, path, YamlNode.Kind.MAPPING, members, null, null);
            }
            case LIST -> list(line, path, isHandedOut, Map.of());
            case NUMBER -> scalar(line, path, YamlNode.Kind.NUMBER);
            case TRUTH -> scalar(line, path, YamlNode.Kind.TRUTH);
            case NOTHING -> new YamlNode(file, line, path, YamlNode.Kind.NOTHING, null, null, null);
            case CYCLE -> throw new InputException(file, line, path, "must not contain itself");
            case END -> throw new IllegalStateException("a value begins with its end");
            case TEXT, MERGE -> scalar(line, path, YamlNode.Kind.TEXT);
        };
    }

    private void deeper() {
        depth++;
        if (depth > MAX_DEPTH) {
            throw tokens.tooDeep();
        }
    }

    private void count(int line, String path) {
        written += tokens.isAliased() ? 0 : 1;
        aliased += tokens.isAliased() ? 1 : 0;
        long most = MAX_ALIASED + ALIASED_PER_VALUE * written;
        if (aliased > most) {
            throw new InputException(file, line, path, "aliases must stand for at most " + most + " values here");
        }
    }

    private YamlNode scalar(int line, String path, YamlNode.Kind kind) throws IOException {
        return new YamlNode(file, line, path, kind, null, null, tokens.text());
    }

    private void members(String path, Map<String, YamlNode> members, boolean isHandedOut) throws IOException {
        Map<String, YamlNode> merged = new LinkedHashMap<>();
        for (Tokens.Type type = next(); type != Tokens.Type.END; type = next()) {
            int line = tokens.line();
            if (type == Tokens.Type.MERGE) {
                merge(next(), line, path, merged);
                continue;
            }
            if (type == Tokens.Type.MAPPING || type == Tokens.Type.LIST || type == Tokens.Type.CYCLE) {
                throw new InputException(file, line, path, "must have plain names, got a name that is no text");
            }
            String name = tokens.text();
            String child = path.isEmpty() ? name : path + "." + name;
            if (members.containsKey(name)) {
                throw new InputException(file, line, child, "occurs twice");
            }
            Tokens.Type of = next();
            if (name.equals(UNREAD) && opens(of) > 0) {
                skip();
                continue;
            }
            boolean isWithin = isOpaque;
            isOpaque |= name.equals(OPAQUE);
            boolean isItems = isHandedOut && of == Tokens.Type.LIST && name.equals(ITEMS);
            members.put(name, isItems ? list(line, child, true, members) : value(of, line, child, false));
            isOpaque = isWithin;
        }
        merged.forEach(members::putIfAbsent);
    }

    private static int opens(Tokens.Type type) {
        return type == Tokens.Type.MAPPING || type == Tokens.Type.LIST ? 1 : type == Tokens.Type.END ? -1 : 0;
    }

    /** Reads to the end of a list or mapping that has begun. */
    private void skip() throws IOException {
        for (int open = 1; open > 0; open += opens(next())) {
            // its values are not needed
        }
    }

    /** Adds the members of a mapping, or of several; the first that has a name counts. */
    private void merge(Tokens.Type type, int line, String path, Map<String, YamlNode> merged) throws IOException {
        if (type == Tokens.Type.LIST) {
            for (Tokens.Type each = next(); each != Tokens.Type.END; each = next()) {
                merge(each, line, path, merged);
            }
        } else if (type == Tokens.Type.MAPPING || type == Tokens.Type.CYCLE) {
            value(type, line, path, false).map().forEach(merged::putIfAbsent);
        } else {
            throw new InputException(file, line, path, "<< must name a mapping or a list of mappings");
        }
    }

    private YamlNode list(int line, String path, boolean isHandedOut, Map<String, YamlNode> around) throws IOException {
        List<YamlNode> elements = new ArrayList<>();
        deeper();
        int index = 0;
        for (Tokens.Type type = next(); type != Tokens.Type.END; type = next()) {
            YamlNode element = value(type, tokens.line(), path + "[" + index + "]", isHandedOut);
            if (!isHandedOut || !sink.item(element, around)) {
                elements.add(element);
            }
            index++;
        }
        depth--;
        return new YamlNode(file, line, path, YamlNode.Kind.LIST, null, elements, null);
    }
}
