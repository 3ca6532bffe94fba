package io.gpusched.manifests.yaml;

import java.io.Reader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** The tokens of YAML. Of what an anchor names the events are kept, and played again at each of its aliases. */
final class YamlTokens implements Tokens {
    private static final Pattern EXPONENT = Pattern.compile("[-+]?[0-9]+[eE][-+]?[0-9]+");

    private final String file;
    private final ParserImpl parser;
    private final Resolver resolver = resolver();

    /** By anchor its events, up to the end of the document; null while the last of them is still to come. */
    private final Map<String, @Nullable List<Event>> anchors = new HashMap<>();

    /** The anchors whose events are being read, the innermost first. */
    private final Deque<Recording> open = new ArrayDeque<>();

    /** The events that aliases stand for, the innermost first. */
    private final Deque<Iterator<Event>> aliases = new ArrayDeque<>();

    private @Nullable Event current;
    private int line;

    private static final class Recording {
        private final String anchor;
        private final List<Event> events = new ArrayList<>();
        private int depth;

        Recording(String anchor) {
            this.anchor = anchor;
        }

        /** Adds an event; returns whether it is the last. */
        boolean add(Event event) {
            events.add(event);
            depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
            return depth == 0;
        }
    }

    YamlTokens(String file, Reader text) {
        this.file = file;
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        this.parser = new ParserImpl(new StreamReader(text), options);
    }

    /** The numbers of YAML 1.1, and those with an exponent but no point, which YAML 1.2 and JSON have. */
    private static Resolver resolver() {
        Resolver resolver = new Resolver();
        resolver.addImplicitResolver(Tag.FLOAT, EXPONENT, "-+0123456789");
        return resolver;
    }

    @Override
    public @Nullable Type next() {
        Event event = event();
        while (event != null && !(event instanceof NodeEvent) && !(event instanceof CollectionEndEvent)) {
            if (event instanceof DocumentStartEvent) {
                anchors.clear();
            }
            event = event();
        }
        current = event;
        return event == null ? null : type(event);
    }

    private Type type(Event event) {
        if (event instanceof AliasEvent alias) {
            if (!anchors.containsKey(alias.getAnchor())) {
                throw broken(alias.getStartMark(), "found undefined alias " + alias.getAnchor());
            }
            List<Event> events = anchors.get(alias.getAnchor());
            if (events == null) {
                return Type.CYCLE;
            }
            aliases.push(events.iterator());
            Event first = aliased(aliases.element());
            current = first;
            return type(first);
        }
        if (event instanceof ScalarEvent scalar) {
            return type(scalar);
        }
        return event instanceof CollectionEndEvent
                ? Type.END
                : event instanceof MappingStartEvent ? Type.MAPPING : Type.LIST;
    }

    private Type type(ScalarEvent scalar) {
        String tag = scalar.getTag();
        Tag resolved = tag == null || tag.equals("!")
                ? resolver.resolve(
                        NodeId.scalar, scalar.getValue(), scalar.getImplicit().canOmitTagInPlainScalar())
                : new Tag(tag);
        if (resolved.equals(Tag.MERGE)) {
            return Type.MERGE;
        }
        if (resolved.equals(Tag.NULL)) {
            return Type.NOTHING;
        }
        if (resolved.equals(Tag.INT) || resolved.equals(Tag.FLOAT)) {
            return Type.NUMBER;
        }
        return resolved.equals(Tag.BOOL) ? Type.TRUTH : Type.TEXT;
    }

    private @Nullable Event event() {
        while (!aliases.isEmpty() && !aliases.element().hasNext()) {
            aliases.pop();
        }
        return aliases.isEmpty() ? parsed() : aliased(aliases.element());
    }

    private Event aliased(Iterator<Event> events) {
        Event event = events.next();
        line = event.getStartMark().getLine() + 1;
        return event;
    }

    private @Nullable Event parsed() {
        try {
            Event event = parser.getEvent();
            if (event == null) {
                return null;
            }
            line = event.getStartMark().getLine() + 1;
            record(event);
            return event;
        } catch (MarkedYAMLException e) {
            throw broken(e.getProblemMark(), problem(e));
        } catch (ReaderException e) {
            throw e; // only a reader that can read the text again finds its line
        } catch (YAMLException e) {
            throw e.getCause() == null
                    ? new InputException(file, line, "", "must be YAML: " + firstLine(e.getMessage()))
                    : e;
        }
    }

    private void record(Event event) {
        if (event instanceof NodeEvent node && !(event instanceof AliasEvent) && node.getAnchor() != null) {
            anchors.put(node.getAnchor(), null);
            open.push(new Recording(node.getAnchor()));
        }
        if (event instanceof NodeEvent || event instanceof CollectionEndEvent) {
            open.removeIf(recording -> {
                boolean isWhole = recording.add(event);
                if (isWhole) {
                    anchors.put(recording.anchor, recording.events);
                }
                return isWhole;
            });
        }
    }

    private InputException broken(@Nullable Mark mark, String problem) {
        return InputException.at(
                file,
                mark == null ? 0 : mark.getLine() + 1,
                mark == null ? 0 : mark.getColumn() + 1,
                "must be YAML: " + problem);
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

    @Override
    public String text() {
        return current instanceof ScalarEvent scalar ? scalar.getValue() : "";
    }

    @Override
    public int line() {
        return line;
    }

    @Override
    public boolean isAliased() {
        return !aliases.isEmpty();
    }

    @Override
    public InputException tooDeep() {
        return new InputException(file, line, "", "must be YAML nested at most " + TreeBuilder.MAX_DEPTH + " deep");
    }
}
