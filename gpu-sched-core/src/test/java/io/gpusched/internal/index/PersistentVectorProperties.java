package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PersistentVectorProperties {
    @Property(tries = 200)
    void holdsWhatAMapHolds_inAllVersions_andTellsWhereTheyDiffer(@ForAll Random random) {
        int most = 1 << random.nextInt(13);
        PersistentVector<String> vector = PersistentVector.empty();
        Map<Integer, String> map = new TreeMap<>();
        List<PersistentVector<String>> versions = new ArrayList<>();
        List<Map<Integer, String>> maps = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int position = random.nextInt(most);
            String element = random.nextInt(3) == 0 ? null : "e" + i;
            vector = vector.with(position, element);
            if (element == null) {
                map.remove(position);
            } else {
                map.put(position, element);
            }
            if (i % 40 == 0) {
                versions.add(vector);
                maps.add(new TreeMap<>(map));
            }
        }
        versions.add(vector);
        maps.add(map);
        for (int v = 0; v < versions.size(); v++) {
            assertHolds(versions.get(v), maps.get(v), most);
            assertChanges(versions.get(v), maps.get(v), vector, map);
        }
    }

    private static void assertHolds(PersistentVector<String> vector, Map<Integer, String> map, int most) {
        for (int position = 0; position < most + 40; position++) {
            assertThat(vector.get(position)).isSameAs(map.get(position));
        }
        List<String> all = new ArrayList<>();
        vector.forEach(all::add);
        assertThat(all).isEqualTo(List.copyOf(map.values()));
    }

    private static void assertChanges(
            PersistentVector<String> older,
            Map<Integer, String> olderMap,
            PersistentVector<String> newer,
            Map<Integer, String> newerMap) {
        List<String> expected = new ArrayList<>();
        for (int position = 0; position < 1 << 13; position++) {
            String before = olderMap.get(position);
            String after = newerMap.get(position);
            if (before != after) {
                expected.add(after + " for " + before);
            }
        }
        List<String> found = new ArrayList<>();
        newer.forEachChange(older, (after, before) -> found.add(after + " for " + before));
        assertThat(found).isEqualTo(expected);
    }
}
