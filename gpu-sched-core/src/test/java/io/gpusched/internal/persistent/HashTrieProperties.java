package io.gpusched.internal.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The trie against a HashMap, with good hashes and with such as an adversary would choose. */
class HashTrieProperties {
    private record Item(int key, int content) {}

    /** How keys are hashed. */
    private enum Hashing {
        MIXED(HashTrieProperties::mix),
        ALL_EQUAL(key -> 42),
        FEW(key -> mix(key % 7)),
        FIRST_BITS_DIFFER(key -> key << 28),
        LAST_BITS_DIFFER(key -> 0xABCD_0000 | key % 5),
        BOTH(key -> key << 28 | key % 3);

        private final IntUnaryOperator hash;

        Hashing(IntUnaryOperator hash) {
            this.hash = hash;
        }

        int of(int key) {
            return hash.applyAsInt(key);
        }
    }

    private static int mix(int key) {
        int x = (key + 1) * 0x9E37_79B9;
        x = (x ^ x >>> 16) * 0x85EB_CA6B;
        return x ^ x >>> 13;
    }

    /** A version of the trie and what it must hold. */
    private record Version(HashTrie<Integer, Item> trie, Map<Integer, Item> expected) {
        void check(Hashing hashing) {
            trie.validate(hashing::of);
            assertThat(trie.size()).isEqualTo(expected.size());
            Map<Integer, Item> visited = new HashMap<>();
            trie.forEach(item -> assertThat(visited.put(item.key(), item)).isNull());
            assertThat(visited).isEqualTo(expected);
        }

        void checkDiff(Version older) {
            Set<Integer> told = new HashSet<>();
            trie.forEachChange(older.trie, (before, after) -> {
                int key =
                        Objects.requireNonNull(before == null ? after : before).key();
                assertThat(told.add(key)).as("told once").isTrue();
                assertThat(before).isSameAs(older.expected.get(key));
                assertThat(after).isSameAs(expected.get(key));
                assertThat(before).isNotSameAs(after);
            });
            Set<Integer> differing = new HashSet<>(expected.keySet());
            differing.addAll(older.expected.keySet());
            differing.removeIf(key -> expected.get(key) == older.expected.get(key));
            assertThat(told).isEqualTo(differing);
            assertThat(trie.equals(older.trie)).isEqualTo(expected.equals(older.expected));
        }
    }

    @Property(tries = 300)
    void randomChanges_holdWhatAHashMapHolds_andOlderVersionsStay(@ForAll Hashing hashing, @ForAll Random random) {
        int keys = 1 + random.nextInt(random.nextBoolean() ? 40 : 400);
        List<Version> versions = new ArrayList<>(List.of(new Version(HashTrie.empty(Item::key), Map.of())));
        HashTrie<Integer, Item> trie = versions.get(0).trie();
        Map<Integer, Item> map = new HashMap<>();
        int puts = 1 + random.nextInt(3);
        for (int i = 0; i < 400; i++) {
            int key = random.nextInt(keys);
            if (random.nextInt(4) < puts) {
                Item item = new Item(key, random.nextInt(3));
                trie = trie.with(hashing.of(key), item);
                map.put(key, item);
                assertThat(trie.get(hashing.of(key), key)).isSameAs(item);
            } else {
                HashTrie<Integer, Item> rest = trie.without(hashing.of(key), key);
                assertThat(rest == trie).isEqualTo(map.remove(key) == null);
                trie = rest;
                assertThat(trie.get(hashing.of(key), key)).isNull();
            }
            assertThat(trie.size()).isEqualTo(map.size());
            if (random.nextInt(40) == 0) {
                versions.add(new Version(trie, Map.copyOf(map)));
                Version fork = versions.get(random.nextInt(versions.size()));
                trie = fork.trie();
                map = new HashMap<>(fork.expected());
            }
        }
        for (Version version : versions) {
            version.check(hashing);
            version.checkDiff(versions.get(random.nextInt(versions.size())));
        }
    }

    @Property(tries = 100)
    void aMapBuiltAtOnce_equalsOneBuiltStepByStep_andCanBeEmptiedAgain(@ForAll Hashing hashing, @ForAll Random random) {
        Item[] items = new Item[random.nextInt(1_000)];
        int[] hashes = new int[items.length];
        HashTrie<Integer, Item> grown = HashTrie.empty(Item::key);
        Map<Integer, Item> map = new HashMap<>();
        for (int i = 0; i < items.length; i++) {
            items[i] = new Item(i, 0);
            hashes[i] = hashing.of(i);
            grown = grown.with(hashes[i], items[i]);
            map.put(i, items[i]);
        }
        HashTrie<Integer, Item> built = HashTrie.of(Item::key, hashes, items);
        new Version(built, map).check(hashing);
        assertThat(built).isEqualTo(grown).hasSameHashCodeAs(grown);
        new Version(built, map).checkDiff(new Version(grown, map));
        HashTrie<Integer, Item> rest = built;
        for (Item item : items) {
            rest = rest.without(hashing.of(item.key()), item.key());
        }
        new Version(rest, Map.of()).check(hashing);
        assertThat(rest).isEqualTo(HashTrie.empty(Item::key));
        new Version(built, map).check(hashing);
    }

    @Example
    void lookingUpAKey_looksAtTheValuesOfItsHashOnly() {
        AtomicInteger looks = new AtomicInteger();
        HashTrie<Integer, Item> trie = HashTrie.empty(item -> {
            looks.incrementAndGet();
            return item.key();
        });
        for (int i = 0; i < 10_000; i++) {
            trie = trie.with(mix(i), new Item(i, 0));
        }
        looks.set(0);
        for (int i = 10_000; i < 20_000; i++) {
            assertThat(trie.get(mix(i), i)).isNull();
        }
        assertThat(looks).hasValue(0);
        for (int i = 0; i < 10_000; i++) {
            assertThat(trie.get(mix(i), i)).isEqualTo(new Item(i, 0));
        }
        assertThat(looks).hasValue(10_000);
    }

    @Example
    void comparingVersions_passesByWhatTheyShare() {
        AtomicInteger looks = new AtomicInteger();
        HashTrie<Integer, Item> trie = HashTrie.empty(item -> {
            looks.incrementAndGet();
            return item.key();
        });
        for (int i = 0; i < 100_000; i++) {
            trie = trie.with(mix(i), new Item(i, 0));
        }
        HashTrie<Integer, Item> other = trie.with(mix(5), new Item(5, 1)).with(mix(200_000), new Item(200_000, 0));
        looks.set(0);
        AtomicInteger changes = new AtomicInteger();
        other.forEachChange(trie, (before, after) -> changes.incrementAndGet());
        assertThat(changes).hasValue(2);
        assertThat(looks.get()).isLessThan(100);
    }
}
