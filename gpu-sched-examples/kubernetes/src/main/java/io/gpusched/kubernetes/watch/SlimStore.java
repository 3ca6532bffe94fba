package io.gpusched.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps of each object its name, identity and version: what an informer needs to tell what is new and what is gone. What
 * else is needed of an object is kept once, by the listener that is told of it.
 */
public final class SlimStore<T extends HasMetadata> implements ItemStore<T> {
    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final Supplier<T> empty;

    /**
     * Creates an empty store.
     *
     * @param empty makes an object without anything
     */
    public SlimStore(Supplier<T> empty) {
        this.empty = empty;
    }

    @Override
    public String getKey(T object) {
        ObjectMeta metadata = object.getMetadata();
        return Objects.requireNonNullElse(metadata.getNamespace(), "") + "/" + metadata.getName();
    }

    @Override
    public @Nullable T put(String key, T object) {
        return items.put(key, slim(object));
    }

    private T slim(T object) {
        T slim = empty.get();
        slim.setMetadata(outline(object.getMetadata()));
        return slim;
    }

    /** Returns the name, identity and version of an object. */
    public static ObjectMeta outline(ObjectMeta metadata) {
        return new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .withResourceVersion(metadata.getResourceVersion())
                .build();
    }

    @Override
    public @Nullable T remove(String key) {
        return items.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable T get(String key) {
        return items.get(key);
    }

    @Override
    public boolean isFullState() {
        return false;
    }
}
