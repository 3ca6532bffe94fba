package io.gpusched.internal.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The trie against a list of words, with good hashes and with such as an adversary would choose. */
class HandleTrieProperties {
    /** How keys are hashed. */
    private enum Hashing {
        MIXED(key -> (key + 1) * 0x9E37_79B9_7F4A_7C15L >>> 20),
        ALL_EQUAL(key -> 42),
        FEW(key -> (key % 7) * 0x9E37_79B9_7F4A_7C15L),
        LAST_BITS_DIFFER(key -> 0xAB_CDEF_0123L + key % 5),
        FIRST_BITS_DIFFER(key -> key << 32);

        private final LongUnaryOperator hash;

        Hashing(LongUnaryOperator hash) {
            this.hash = hash;
        }

        long word(int key) {
            return HandleTrie.word(hash.applyAsLong(key), key * 31 % 1000);
        }
    }

    @Provide
    Arbitrary<Hashing> hashings() {
        return Arbitraries.of(Hashing.class);
    }

    private static List<Integer> handles(HandleTrie trie, long wanted) {
        return Arrays.stream(trie.handles(wanted)).boxed().toList();
    }

    private static void assertHolds(HandleTrie trie, List<Long> expected) {
        trie.validate();
        assertThat(trie.size()).isEqualTo(expected.size());
        for (long word : expected) {
            List<Integer> same = expected.stream()
                    .filter(other -> HandleTrie.haveSameHash(word, other))
                    .map(HandleTrie::handle)
                    .toList();
            assertThat(handles(trie, word)).containsExactlyInAnyOrderElementsOf(same);
        }
    }

    private static long[] array(List<Long> words) {
        return words.stream().mapToLong(word -> word).toArray();
    }

    @Property(tries = 80)
    void randomChangesHoldWhatAListHolds_andOlderVersionsStayValid(
            @ForAll("hashings") Hashing hashing, @ForAll Random random) {
        List<Long> words = new ArrayList<>();
        HandleTrie trie = HandleTrie.empty();
        HandleTrie older = trie;
        List<Long> olderWords = List.of();
        int growth = 1 + random.nextInt(60);
        for (int i = 0; i < 30; i++) {
            List<Long> added = new ArrayList<>();
            List<Long> removed = new ArrayList<>();
            for (int k = random.nextInt(growth); k > 0; k--) {
                added.add(hashing.word(random.nextInt(100_000)));
            }
            words.addAll(added);
            for (int k = random.nextInt(i < 15 ? 10 : 2 * growth); k > 0 && !words.isEmpty(); k--) {
                removed.add(words.remove(random.nextInt(words.size())));
            }
            trie = trie.with(array(added), array(removed));
            trie.validate();
            if (random.nextInt(10) == 0) {
                older = trie;
                olderWords = List.copyOf(words);
            }
        }
        assertHolds(trie, words);
        assertHolds(older, olderWords);
    }

    @Property(tries = 40)
    void builtAtOnce_itIsAsBuiltByChanges_andEmptiesAgain(@ForAll("hashings") Hashing hashing, @ForAll Random random) {
        List<Long> words = new ArrayList<>();
        for (int i = random.nextInt(600); i > 0; i--) {
            words.add(hashing.word(i));
        }
        HandleTrie trie = HandleTrie.of(array(words));
        assertHolds(trie, words);
        HandleTrie without = trie.with(new long[0], array(words));
        without.validate();
        assertThat(without.size()).isZero();
        assertHolds(trie, words);
    }

    @Example
    void aHashThatIsNotThere_isNotFound() {
        long[] words = new long[10_000];
        Arrays.setAll(words, Hashing.MIXED::word);
        HandleTrie trie = HandleTrie.of(words);
        for (int key = 10_000; key < 20_000; key++) {
            assertThat(handles(trie, Hashing.MIXED.word(key))).isEmpty();
        }
    }

    @Example
    void removing_whatIsNotThere_isAnErrorThatNamesIt() {
        HandleTrie trie = HandleTrie.of(new long[] {HandleTrie.word(1, 2)});
        assertThatThrownBy(() -> trie.with(new long[0], new long[] {HandleTrie.word(1, 3)}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no word 1000003");
    }

    @Example
    void aWord_givesBackItsHandle_andTheHashThatCounts() {
        long word = HandleTrie.word(0xFFFF_FF12_3456_789AL, 0xFF_FFFF);
        assertThat(HandleTrie.handle(word)).isEqualTo(0xFF_FFFF);
        assertThat(HandleTrie.haveSameHash(word, HandleTrie.word(0x12_3456_789AL, 0)))
                .isTrue();
        assertThat(HandleTrie.haveSameHash(word, HandleTrie.word(0x12_3456_789BL, 0)))
                .isFalse();
    }
}
