package io.gpusched.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one document: what several of its values have in common is written once, and named by its number. Where a number
 * stands the whole may stand instead, which is how documents of a single value are written.
 */
final class Tables {
    private final boolean written;
    private final Map<String, Map<Object, Integer>> numbers = new HashMap<>();
    private final Map<String, List<JsonNode>> rows = new LinkedHashMap<>();
    private final Map<String, List<Object>> read = new HashMap<>();
    private final @Nullable Place document;

    private final boolean strict;

    private Tables(boolean written, boolean strict, @Nullable Place document) {
        this.written = written;
        this.strict = strict;
        this.document = document;
    }

    /** For a document that is written, with tables or without. */
    static Tables writing(boolean withTables) {
        return new Tables(withTables, false, null);
    }

    /** For a document that is read; strictly, if fields that are not known are refused. */
    static Tables reading(Place document, boolean strict) {
        return new Tables(false, strict, document);
    }

    boolean isStrict() {
        return strict;
    }

    /** Adds the tables to a document. */
    void addTo(ObjectNode document) {
        rows.forEach((table, all) -> document.set(
                table, JsonNodeFactory.instance.arrayNode(all.size()).addAll(all)));
    }

    <T> JsonNode write(String table, T value, Codec<T> codec) {
        if (!written) {
            return codec.write(value, this);
        }
        Map<Object, Integer> known = numbers.computeIfAbsent(table, name -> new HashMap<>());
        Integer number = known.get(value);
        if (number == null) {
            JsonNode row = codec.write(value, this); // may fill the table itself
            List<JsonNode> all = rows.computeIfAbsent(table, name -> new ArrayList<>());
            number = all.size();
            all.add(row);
            known.put(value, number);
        }
        return IntNode.valueOf(number);
    }

    <T> T read(String table, Place place, Codec<T> codec) {
        if (place.value().isObject()) {
            return codec.read(place, this);
        }
        List<Object> known = rows(table, codec);
        if (known.isEmpty()) {
            throw place.mustBe("an object, or a number of the table \"" + table + "\", which the document lacks");
        }
        int number = (int) place.number(0, known.size() - 1);
        @SuppressWarnings("unchecked") // a table holds values of one type
        T value = (T) known.get(number);
        return value;
    }

    private List<Object> rows(String table, Codec<?> codec) {
        List<Object> known = read.get(table);
        if (known == null) {
            known = new ArrayList<>();
            read.put(table, known);
            Place whole = document == null ? null : document.field(table);
            for (int i = 0; whole != null && i < whole.requireList().value().size(); i++) {
                known.add(codec.read(new Place(whole.value().get(i), null, table + "[" + i + "]"), this));
            }
        }
        return known;
    }
}
