package io.gpusched.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The simple codecs. */
final class Codecs {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Codecs() {}

    /** What is written as one value, and read from it. */
    private record Simple<T>(Function<T, JsonNode> writer, Function<Place, T> reader) implements Codec<T> {
        @Override
        public JsonNode write(T value, Tables tables) {
            return writer.apply(value);
        }

        @Override
        public T read(Place place, Tables tables) {
            return reader.apply(place);
        }
    }

    static final Codec<String> TEXT = new Simple<>(TextNode::valueOf, Place::text);
    static final Codec<Boolean> TRUTH = new Simple<>(BooleanNode::valueOf, Place::truth);
    static final Codec<Long> LONG =
            new Simple<>(LongNode::valueOf, place -> place.number(Long.MIN_VALUE, Long.MAX_VALUE));
    static final Codec<Integer> INT = new Simple<>(
            number -> LongNode.valueOf(number), place -> (int) place.number(Integer.MIN_VALUE, Integer.MAX_VALUE));

    static final Codec<Double> DECIMAL = new Simple<>(DoubleNode::valueOf, Place::decimal);

    /** A constant by its name; unknown ones are refused. */
    static <E extends Enum<E>> Codec<E> constant(Class<E> type) {
        E[] all = type.getEnumConstants();
        return new Simple<>(
                constant -> TextNode.valueOf(constant.name()),
                place -> Arrays.stream(all)
                        .filter(one -> one.name().equals(place.text()))
                        .findFirst()
                        .orElseThrow(() -> place.mustBe("one of " + Arrays.toString(all(all)))));
    }

    private static <E extends Enum<E>> String[] all(E[] constants) {
        return Arrays.stream(constants).map(Enum::name).toArray(String[]::new);
    }

    /** A value that has a form of its own, written as another. */
    static <T, S> Codec<T> as(Codec<S> form, Function<T, S> save, Function<S, T> load) {
        return new Codec<>() {
            @Override
            public JsonNode write(T value, Tables tables) {
                return form.write(save.apply(value), tables);
            }

            @Override
            public T read(Place place, Tables tables) {
                S saved = form.read(place, tables);
                return place.make(() -> load.apply(saved));
            }
        };
    }

    /** A value that many of a document may have in common, see {@link Tables}. */
    static <T> Codec<T> shared(String table, Codec<T> codec) {
        return new Codec<>() {
            @Override
            public JsonNode write(T value, Tables tables) {
                return tables.write(table, value, codec);
            }

            @Override
            public T read(Place place, Tables tables) {
                return tables.read(table, place, codec);
            }
        };
    }

    static <E> Codec<List<E>> list(Codec<E> elements) {
        return new Codec<>() {
            @Override
            public JsonNode write(List<E> value, Tables tables) {
                return array(value, elements, tables);
            }

            @Override
            public List<E> read(Place place, Tables tables) {
                int size = place.requireList().value().size();
                List<E> all = new ArrayList<>(size);
                for (int i = 0; i < size; i++) {
                    all.add(elements.read(place.element(i), tables));
                }
                return all;
            }
        };
    }

    /** Sets are written in the order of their texts, so that equal ones are written alike. */
    static <E> Codec<Set<E>> set(Codec<E> elements) {
        Codec<List<E>> list = list(elements);
        return new Codec<>() {
            @Override
            public JsonNode write(Set<E> value, Tables tables) {
                List<JsonNode> all = new ArrayList<>();
                array(value, elements, tables).forEach(all::add);
                all.sort(Comparator.comparing(JsonNode::toString));
                return NODES.arrayNode(all.size()).addAll(all);
            }

            @Override
            public Set<E> read(Place place, Tables tables) {
                return new LinkedHashSet<>(list.read(place, tables));
            }
        };
    }

    private static <E> ArrayNode array(Collection<E> value, Codec<E> elements, Tables tables) {
        ArrayNode array = NODES.arrayNode(value.size());
        value.forEach(element -> array.add(elements.write(element, tables)));
        return array;
    }

    static <E> Codec<Map<String, E>> map(Codec<E> values) {
        return new Codec<>() {
            @Override
            public JsonNode write(Map<String, E> value, Tables tables) {
                ObjectNode object = NODES.objectNode();
                new TreeMap<>(value).forEach((key, one) -> object.set(key, values.write(one, tables)));
                return object;
            }

            @Override
            public Map<String, E> read(Place place, Tables tables) {
                Map<String, E> all = new LinkedHashMap<>();
                place.requireObject()
                        .value()
                        .properties()
                        .forEach(entry -> all.put(
                                entry.getKey(),
                                values.read(new Place(entry.getValue(), place, "." + entry.getKey()), tables)));
                return all;
            }
        };
    }

    static <E> Codec<Optional<E>> optional(Codec<E> values) {
        return new Codec<>() {
            @Override
            public JsonNode write(Optional<E> value, Tables tables) {
                return value.map(one -> values.write(one, tables)).orElse(NullNode.instance);
            }

            @Override
            public Optional<E> read(Place place, Tables tables) {
                return Optional.of(values.read(place, tables));
            }
        };
    }
}
