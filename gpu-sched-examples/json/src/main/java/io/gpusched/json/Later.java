package io.gpusched.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A codec that is made when it is first used: types may hold themselves. */
final class Later<T> implements Codec<T> {
    private final Supplier<Codec<?>> maker;
    private volatile @Nullable Codec<T> made;

    Later(Supplier<Codec<?>> maker) {
        this.maker = maker;
    }

    @SuppressWarnings("unchecked") // made for this type
    private Codec<T> codec() {
        Codec<T> codec = made;
        if (codec == null) {
            codec = (Codec<T>) maker.get();
            made = codec;
        }
        return codec;
    }

    @Override
    public JsonNode write(T value, Tables tables) {
        return codec().write(value, tables);
    }

    @Override
    public T read(Place place, Tables tables) {
        return codec().read(place, tables);
    }
}
