package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The pod index against a map from hashes to nodes, over many forks. */
class PodIndexProperties {
    private record Version(PodIndex index, Map<Long, Integer> nodes) {
        Version plus(long hash, int node) {
            Map<Long, Integer> more = new HashMap<>(nodes);
            more.put(hash, node);
            return new Version(index.plus(hash, node), more);
        }

        Version minus(long hash) {
            Map<Long, Integer> fewer = new HashMap<>(nodes);
            int node = fewer.remove(hash);
            return new Version(index.minus(hash, node), fewer);
        }

        void assertHolds(int hashes) {
            index.validate();
            assertThat(index.size()).isEqualTo(nodes.size());
            for (long hash = 0; hash < hashes; hash++) {
                if (nodes.containsKey(hash)) {
                    assertThat(index.nodes(hash)).contains(nodes.get(hash));
                }
            }
        }
    }

    @Property(tries = 60)
    void whereAPodRunsIsAlwaysAmongWhatIsOffered_inEachFork(@ForAll Random random) {
        int hashes = 1 + random.nextInt(150);
        List<Version> versions = new ArrayList<>(List.of(new Version(PodIndex.of(new long[0]), Map.of())));
        Version version = versions.get(0);
        for (int i = 0; i < 300; i++) {
            long hash = random.nextInt(hashes);
            version = version.nodes().containsKey(hash) ? version.minus(hash) : version.plus(hash, random.nextInt(9));
            if (random.nextInt(40) == 0) {
                versions.add(version);
                version = versions.get(random.nextInt(versions.size()));
            }
        }
        versions.forEach(each -> each.assertHolds(hashes));
        version.assertHolds(hashes);
    }

    @Example
    void aPodThatCameAndWentWithinTheBuffer_leavesNothingBehind() {
        PodIndex index = PodIndex.of(new long[0]);
        for (int i = 0; i < 3 * PodIndex.MOST; i++) {
            index = index.plus(7, i).minus(7, i);
        }
        assertThat(index.size()).isZero();
        index.validate();
    }
}
