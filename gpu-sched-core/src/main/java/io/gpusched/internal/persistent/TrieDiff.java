package io.gpusched.internal.persistent;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compares two versions of a {@link HashTrie} from the root down, and passes by what they share. */
final class TrieDiff<K, V> {
    private final Function<? super V, ? extends K> keyOf;
    private final BiConsumer<@Nullable V, @Nullable V> change;

    TrieDiff(Function<? super V, ? extends K> keyOf, BiConsumer<@Nullable V, @Nullable V> change) {
        this.keyOf = keyOf;
        this.change = change;
    }

    /** Compares two nodes at a level; the same object for both is passed by. */
    @SuppressWarnings("ReferenceEquality") // what both share is the same object
    void nodes(Object @Nullable [] before, Object @Nullable [] after, int shift) {
        if (before == after) {
            return;
        }
        if (before instanceof Object[][] was && after instanceof Object[][] is) {
            for (int i = 0; i < TrieNodes.FAN; i++) {
                if (was[i] != is[i]) { // most are shared
                    nodes(was[i], is[i], shift + TrieNodes.BITS);
                }
            }
        } else if (before != null && after != null && before[0] == after[0]) {
            values(before, after);
        } else {
            unlike(before, after, shift);
        }
    }

    /** Two buckets of the same keys in the same order. */
    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // what both share is the same object
    private void values(Object[] before, Object[] after) {
        for (int i = 1; i < before.length; i++) {
            if (before[i] != after[i]) {
                change.accept((V) before[i], (V) after[i]);
            }
        }
    }

    /** Two nodes of which at least one is a bucket or nothing: each value of the one is looked up in the other. */
    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // what both share is the same object
    private void unlike(Object @Nullable [] before, Object @Nullable [] after, int shift) {
        TrieNodes.forEach(before, (hash, value) -> {
            Object now = find(after, shift, hash, value);
            if (now != value) {
                change.accept((V) value, (V) now);
            }
        });
        TrieNodes.forEach(after, (hash, value) -> {
            if (find(before, shift, hash, value) == null) {
                change.accept(null, (V) value);
            }
        });
    }

    @SuppressWarnings("unchecked") // buckets hold values only
    private @Nullable Object find(Object @Nullable [] node, int shift, int hash, Object value) {
        return TrieNodes.find(node, shift, hash, keyOf.apply((V) value), keyOf);
    }
}
