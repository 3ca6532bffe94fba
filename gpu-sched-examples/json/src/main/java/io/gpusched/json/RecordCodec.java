package io.gpusched.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as an object with a field for each component. A component that has the value that stands for it where it is absent is
 * not written. Fields that no component is called after are ignored.
 */
final class RecordCodec<T> implements Codec<T> {
    private final Constructor<T> constructor;
    private final List<Field> fields;

    /** A component; {@code absent} is null where it must be given. */
    private record Field(
            String name,
            Method accessor,
            Codec<Object> codec,
            @Nullable Object absent) {}

    private RecordCodec(Constructor<T> constructor, List<Field> fields) {
        this.constructor = constructor;
        this.fields = fields;
    }

    /** Returns the codec of a record; components may be absent that have a value here, or that are collections. */
    static <T> RecordCodec<T> of(Class<T> type, Map<String, Object> absent, Types types) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            Class<?>[] arguments =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return new RecordCodec<>(
                    type.getDeclaredConstructor(arguments),
                    Arrays.stream(components)
                            .map(one -> field(one, absent, types))
                            .toList());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field field(RecordComponent component, Map<String, Object> absent, Types types) {
        Object given = absent.get(component.getName());
        return new Field(
                Types.fieldName(component),
                component.getAccessor(),
                types.codec(component.getGenericType()),
                given != null ? given : Types.absent(component.getType()));
    }

    @Override
    public ObjectNode write(T value, Tables tables) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (Field field : fields) {
            Object component = component(field, value);
            if (!component.equals(field.absent())) {
                object.set(field.name(), field.codec().write(component, tables));
            }
        }
        return object;
    }

    private static Object component(Field field, Object value) {
        try {
            return field.accessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public T read(Place place, Tables tables) {
        place.requireObject();
        if (tables.isStrict()) {
            refuseUnknown(place);
        }
        Object[] arguments = new Object[fields.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = read(fields.get(i), place, tables);
        }
        return place.make(() -> constructor.newInstance(arguments));
    }

    private void refuseUnknown(Place place) {
        List<String> known = fields.stream().map(Field::name).toList();
        place.value().fieldNames().forEachRemaining(name -> {
            if (!known.contains(name) && !name.equals(SealedCodec.KIND)) {
                throw place.knowsOnly(name, known);
            }
        });
    }

    private static Object read(Field field, Place place, Tables tables) {
        Place given = place.field(field.name());
        if (given != null) {
            return field.codec().read(given, tables);
        }
        if (field.absent() == null) {
            throw place.lacks(field.name());
        }
        return field.absent();
    }
}
