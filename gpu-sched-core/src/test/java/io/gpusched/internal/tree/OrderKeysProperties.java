package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Items inserted into an order kept by a counted tree, as an index does it, and how many keys that changes. */
class OrderKeysProperties {
    /** A list of numbered items. */
    private static final class Order {
        private BufferedTree<Integer> tree;
        private long relabeled;

        Order(int items) {
            Object[] leaves = new Object[items];
            for (int i = 0; i < items; i++) {
                leaves[i] = i;
            }
            tree = BufferedTree.of(KeyedTree.of(SummaryFormat.counting(), OrderKeys.spread(items), leaves));
        }

        void insert(int index, int item) {
            long left = index == 0 ? 0 : tree.keyAt(index - 1);
            long right = index == tree.size() ? OrderKeys.END : tree.keyAt(index);
            OptionalLong key = OrderKeys.between(left, right);
            if (key.isPresent()) {
                assertThat(key.getAsLong()).isGreaterThan(left).isLessThan(right);
                tree = tree.with(key.getAsLong(), item);
            } else {
                relabel(index, left, item);
            }
        }

        private void relabel(int index, long left, int item) {
            OrderKeys.Relabeling relabeling = OrderKeys.relabeling(left, tree::sum);
            List<Integer> items = new ArrayList<>();
            Long2ObjectMap<@Nullable Integer> updates = new Long2ObjectOpenHashMap<>();
            tree.forEach(relabeling.from(), relabeling.to(), (key, leaf) -> {
                items.add(leaf);
                updates.put(key, null);
            });
            items.add(index - (int) tree.rank(relabeling.from()), item);
            long[] keys = relabeling.keys();
            assertThat(keys).hasSize(items.size());
            for (int i = 0; i < keys.length; i++) {
                assertThat(keys[i]).isBetween(Math.max(1, relabeling.from()), relabeling.to() - 1);
                updates.put(keys[i], items.get(i));
            }
            relabeled += keys.length;
            tree = tree.withAll(updates);
        }
    }

    /** Where items are inserted. */
    private enum Place {
        LAST,
        FIRST,
        MIDDLE,
        BEHIND_THE_FIRST,
        AROUND_ONE,
        RANDOM;

        int index(int size, int round, Random random) {
            return switch (this) {
                case LAST -> size;
                case FIRST -> 0;
                case MIDDLE -> size / 2;
                case BEHIND_THE_FIRST -> Math.min(1, size);
                case AROUND_ONE -> Math.min(size, size / 3 + round % 2);
                case RANDOM -> random.nextInt(size + 1);
            };
        }
    }

    @Provide
    Arbitrary<Place> places() {
        return Arbitraries.of(Place.class);
    }

    @Property(tries = 30)
    void itemsStayInOrder_whereverOthersAreInserted(@ForAll Random random) {
        Order order = new Order(random.nextInt(3) == 0 ? 0 : random.nextInt(400));
        List<Integer> expected = new ArrayList<>();
        order.tree.forEach(expected::add);
        Place place = Place.RANDOM;
        for (int i = 0; i < 1_500; i++) {
            if (i % 300 == 0) {
                place = Place.values()[random.nextInt(Place.values().length)];
            }
            int index = place.index(expected.size(), i, random);
            order.insert(index, 10_000 + i);
            expected.add(index, 10_000 + i);
        }
        List<Integer> items = new ArrayList<>();
        order.tree.forEach(items::add);
        assertThat(items).isEqualTo(expected);
        order.tree.validate();
    }

    @Property(tries = 12)
    void anInsertionChangesFewKeysOnAverage_whereverItemsAreInserted(
            @ForAll("places") Place place, @ForAll Random random) {
        int start = random.nextInt(3_000);
        int inserted = 6_000;
        Order order = new Order(start);
        for (int i = 0; i < inserted; i++) {
            order.insert(place.index(order.tree.size(), i, random), i);
        }
        double perInsertion = (double) order.relabeled / inserted;
        double log = Math.log(start + inserted) / Math.log(2);
        assertThat(perInsertion).isLessThan(2 * log);
    }

    @Example
    void keysOfAnyNumberOfItemsAreSpreadOverTheWholeRange() {
        for (int items : new int[] {0, 1, 2, 3, 100, 65_537}) {
            long[] keys = OrderKeys.spread(items);
            assertThat(keys).hasSize(items);
            for (int i = 0; i < items; i++) {
                long before = i == 0 ? 0 : keys[i - 1];
                long next = i == items - 1 ? OrderKeys.END : keys[i + 1];
                assertThat(keys[i] - before).isGreaterThanOrEqualTo(OrderKeys.END / (items + 1) / 2);
                assertThat(next - keys[i]).isGreaterThanOrEqualTo(OrderKeys.END / (items + 1) / 2);
            }
        }
    }

    @Example
    void thereIsNoKeyBetweenNeighbours_andTheOrderOfTheTwoMatters() {
        assertThat(OrderKeys.between(5, 6)).isEmpty();
        assertThat(OrderKeys.between(5, 7)).hasValue(6);
        assertThat(OrderKeys.between(0, OrderKeys.END)).hasValue(OrderKeys.END / 2);
        assertThatThrownBy(() -> OrderKeys.between(6, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keys must be 0 <= left < right <= 4611686018427387904, got 6 and 5");
    }
}
