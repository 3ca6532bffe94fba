package io.gpusched.internal.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The trie against a HashMap, with good hashes and with such as an adversary would choose. */
class HashTrieProperties {
    private record Item(int key, int content) {}

    /** How keys are hashed. */
    private enum Hashing {
        MIXED(key -> mix(key)),
        ALL_EQUAL(key -> 42),
        FEW(key -> mix(key % 7)),
        LAST_BITS_DIFFER(key -> 0xABCD_EF01_2345_0000L + key % 5),
        FIRST_BITS_DIFFER(key -> (long) key << 56),
        BOTH(key -> (long) key << 60 | key % 3);

        private final java.util.function.IntToLongFunction hash;

        Hashing(java.util.function.IntToLongFunction hash) {
            this.hash = hash;
        }

        long of(int key) {
            return hash.applyAsLong(key);
        }
    }

    private static long mix(long key) {
        long x = (key + 1) * 0x9E37_79B9_7F4A_7C15L;
        x = (x ^ x >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return x ^ x >>> 32;
    }

    @Provide
    Arbitrary<Hashing> hashings() {
        return Arbitraries.of(Hashing.class);
    }

    private static void assertHolds(HashTrie<Integer, Item> trie, Map<Integer, Item> expected, Hashing hashing) {
        trie.validate();
        assertThat(trie.size()).isEqualTo(expected.size());
        Map<Integer, Item> visited = new HashMap<>();
        trie.forEach(item -> assertThat(visited.put(item.key(), item)).isNull());
        assertThat(visited).isEqualTo(expected);
        expected.forEach(
                (key, item) -> assertThat(trie.get(hashing.of(key), key)).isSameAs(item));
    }

    @Property(tries = 300)
    void randomPutsAndRemovalsHoldWhatAHashMapHolds_andForksOfOlderVersionsStayValid(
            @ForAll("hashings") Hashing hashing, @ForAll Random random) {
        int keys = 1 + random.nextInt(random.nextBoolean() ? 40 : 400);
        List<HashTrie<Integer, Item>> versions = new ArrayList<>(List.of(HashTrie.empty(Item::key)));
        List<Map<Integer, Item>> expected = new ArrayList<>(List.of(Map.of()));
        HashTrie<Integer, Item> trie = versions.get(0);
        Map<Integer, Item> map = new HashMap<>();
        int puts = 1 + random.nextInt(3);
        for (int i = 0; i < 400; i++) {
            int key = random.nextInt(keys);
            long hash = hashing.of(key);
            if (random.nextInt(4) < puts) {
                Item item = new Item(key, i);
                trie = trie.with(hash, item);
                map.put(key, item);
                assertThat(trie.get(hash, key)).isSameAs(item);
            } else {
                HashTrie<Integer, Item> rest = trie.without(hash, key);
                assertThat(rest == trie).isEqualTo(map.remove(key) == null);
                trie = rest;
                assertThat(trie.get(hash, key)).isNull();
            }
            trie.validate();
            assertThat(trie.size()).isEqualTo(map.size());
            if (random.nextInt(40) == 0) {
                versions.add(trie);
                expected.add(Map.copyOf(map));
                int fork = random.nextInt(versions.size());
                trie = versions.get(fork);
                map = new HashMap<>(expected.get(fork));
            }
        }
        for (int i = 0; i < versions.size(); i++) {
            assertHolds(versions.get(i), expected.get(i), hashing);
        }
    }

    @Property(tries = 100)
    void aMapBuiltAtOnceHoldsWhatOneBuiltStepByStepHolds_andCanBeEmptiedAgain(
            @ForAll("hashings") Hashing hashing, @ForAll Random random) {
        int n = random.nextInt(1_000);
        Map<Integer, Item> map = new HashMap<>();
        for (int i = 0; i < n; i++) {
            map.put(i, new Item(i, 0));
        }
        Item[] items = map.values().toArray(new Item[0]);
        long[] hashes = new long[n];
        for (int i = 0; i < n; i++) {
            hashes[i] = hashing.of(items[i].key());
        }
        HashTrie<Integer, Item> trie = HashTrie.of(Item::key, hashes, items);
        assertHolds(trie, map, hashing);
        HashTrie<Integer, Item> rest = trie;
        for (Item item : items) {
            rest = rest.without(hashing.of(item.key()), item.key());
            if (random.nextInt(20) == 0) {
                rest.validate();
            }
        }
        assertHolds(rest, Map.of(), hashing);
        assertHolds(trie, map, hashing);
    }

    @Example
    void lookingUpAKeyWithAHashOfItsOwnLooksAtNoEntry_andOneAmongCollidingKeysOnlyAtThose() {
        AtomicInteger looks = new AtomicInteger();
        HashTrie<Integer, Item> trie = HashTrie.empty(item -> {
            looks.incrementAndGet();
            return item.key();
        });
        for (int i = 0; i < 10_000; i++) {
            trie = trie.with(mix(i), new Item(i, 0));
        }
        for (int i = 0; i < 100; i++) {
            trie = trie.with(7, new Item(-1 - i, 0));
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
        looks.set(0);
        assertThat(trie.get(7, 12)).isNull();
        assertThat(looks).hasValue(100);
    }

    @Example
    void puttingTheSameObjectAgainIsTheSameMap() {
        Item item = new Item(1, 1);
        HashTrie<Integer, Item> trie = HashTrie.<Integer, Item>empty(Item::key).with(1, item);
        assertThat(trie.with(1, item)).isSameAs(trie);
        assertThat(trie.with(1, new Item(1, 2)).get(1, 1)).isEqualTo(new Item(1, 2));
        assertThat(trie.get(1, 1)).isSameAs(item);
    }

    @Example
    void twoValuesOfOneKeyAreRefused() {
        Item[] items = {new Item(1, 0), new Item(2, 0), new Item(1, 5)};
        assertThatThrownBy(() -> HashTrie.<Integer, Item>of(Item::key, new long[] {1, 2, 1}, items))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two values with the key 1");
        assertThatThrownBy(() -> HashTrie.<Integer, Item>of(Item::key, new long[] {1, 2}, items))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 hashes for 3 values");
    }
}
