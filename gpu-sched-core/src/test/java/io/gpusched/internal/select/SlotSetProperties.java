package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Sets of slots as bitmaps and as lists, against a TreeSet. */
class SlotSetProperties {
    /** From a few in one word to some far apart. */
    private static int slot(Random random) {
        int bits = 3 + random.nextInt(17);
        return random.nextInt(1 << bits);
    }

    private static void assertHolds(SlotSet set, TreeSet<Integer> model, Random random) {
        assertThat(set.isEmpty()).isEqualTo(model.isEmpty());
        List<Integer> all = new ArrayList<>();
        for (int slot = set.next(0); slot >= 0; slot = set.next(slot + 1)) {
            all.add(slot);
        }
        assertThat(all).containsExactlyElementsOf(model);
        for (int i = 0; i < 20; i++) {
            int from = slot(random);
            Integer next = model.ceiling(from);
            assertThat(set.next(from)).isEqualTo(next == null ? -1 : next);
            assertThat(set.contains(from)).isEqualTo(model.contains(from));
        }
    }

    @Property(tries = 60)
    void aBitmapHoldsWhatATreeSetHolds(@ForAll Random random) {
        SlotSet set = new SlotSet();
        TreeSet<Integer> model = new TreeSet<>();
        for (int round = 0; round < 20; round++) {
            for (int i = random.nextInt(200); i > 0; i--) {
                int slot = slot(random);
                set.add(slot);
                model.add(slot);
            }
            for (Integer slot : List.copyOf(model)) {
                if (random.nextInt(3) == 0) {
                    set.remove(slot);
                    model.remove(slot);
                }
            }
            set.remove(1 << 24);
            assertHolds(set, model, random);
        }
        SlotSet both = new SlotSet();
        both.add(5);
        both.addAll(set);
        model.add(5);
        assertHolds(both, model, random);
        both.clear();
        assertHolds(both, new TreeSet<>(), random);
    }

    @Property(tries = 60)
    void nodesThatAreAlike_areHeldHoweverManyTheyAre(@ForAll Random random) {
        NodeSet nodes = new NodeSet(7);
        TreeSet<Integer> model = new TreeSet<>();
        int most = random.nextBoolean() ? 40 : 2_000;
        for (int i = 0; i < 1_500; i++) {
            int slot = random.nextInt(most);
            if (model.add(slot)) {
                nodes.add(slot);
            } else if (random.nextInt(3) == 0) {
                nodes.remove(slot);
                model.remove(slot);
            }
        }
        assertThat(nodes.size()).isEqualTo(model.size());
        List<Integer> visited = new ArrayList<>();
        nodes.forEach(visited::add);
        assertThat(visited).containsExactlyInAnyOrderElementsOf(model);
        SlotSet set = new SlotSet();
        set.add(1_999);
        nodes.addTo(set);
        model.add(1_999);
        assertHolds(set, model, random);
        assertThat(nodes.many() != null).as("a bitmap").isEqualTo(most > 40);
    }

    @Example
    void aNodeThatIsNotThere_cannotBeRemoved() {
        NodeSet nodes = new NodeSet(0);
        nodes.add(3);
        assertThatThrownBy(() -> nodes.remove(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("slot 4 is not where it is looked for");
    }
}
