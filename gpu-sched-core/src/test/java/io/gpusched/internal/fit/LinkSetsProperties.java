package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Nic;
import io.gpusched.model.GpuLinks.Path;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.testkit.Wiring;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuAffinity.Choice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LinkSetsProperties {
    private static final GpuModel MODEL = GpuModel.of("NVIDIA", "A100", 40_960);

    /** Sets as NVIDIA's rules and ours define them, looked at one by one. */
    private record Naive(Node node, Bond bond) {
        boolean holds(List<Integer> set) {
            return Wiring.holds(bond, node, set);
        }

        private int numa(int gpu) {
            return node.gpus().get(gpu).numaNode();
        }

        /** Link scores, ways to cards, pairs on one NUMA node. */
        List<Integer> worth(List<Integer> set) {
            int links = linkScore(set);
            int nics = 0;
            int near = 0;
            for (int i = 0; i < set.size(); i++) {
                nics += node.links().nicScore(set.get(i));
                for (int j = 0; j < i; j++) {
                    near += numa(set.get(i)) == numa(set.get(j)) ? 1 : 0;
                }
            }
            return set.size() < 2 ? List.of(0, 0, 0) : List.of(links, nics, near);
        }

        int linkScore(List<Integer> set) {
            return Wiring.score(node.links(), set);
        }

        List<Integer> best(List<Integer> available, List<Integer> included, int count) {
            List<Integer> best = List.of();
            for (List<Integer> set : sets(available, count)) {
                if (set.containsAll(included)
                        && holds(set)
                        && (best.isEmpty() || Arrays.compare(array(worth(set)), array(worth(best))) > 0)) {
                    best = set;
                }
            }
            return best;
        }
    }

    private static int[] array(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    /** All sets of a size, in the order of their places; of equal values (empty places) each combination is met. */
    private static List<List<Integer>> sets(List<Integer> from, int size) {
        if (size == 0) {
            return List.of(List.of());
        }
        List<List<Integer>> all = new ArrayList<>();
        for (int i = 0; i + size <= from.size(); i++) {
            for (List<Integer> rest : sets(from.subList(i + 1, from.size()), size - 1)) {
                List<Integer> set = new ArrayList<>(List.of(from.get(i)));
                set.addAll(rest);
                all.add(set);
            }
        }
        return all;
    }

    private static Node node(Random random, int gpus, boolean linked) {
        Node.Builder node = Node.builder("n");
        for (int g = 0; g < gpus; g++) {
            node.gpu(Gpu.of(g, "gpu-" + g, MODEL).withNumaNode(random.nextInt(3) - 1));
        }
        if (!linked) {
            return node.build();
        }
        List<Nic> nics = new ArrayList<>();
        for (int n = random.nextInt(3); n > 0; n--) {
            List<Path> paths = new ArrayList<>();
            for (int g = 0; g < gpus; g++) {
                paths.add(Path.values()[random.nextInt(7)]);
            }
            nics.add(new Nic("nic" + n, 0, paths));
        }
        GpuLinks bare = Wiring.random(random, gpus);
        List<List<Link>> matrix = new ArrayList<>();
        for (int a = 0; a < gpus; a++) {
            matrix.add(new ArrayList<>());
            for (int b = 0; b < gpus; b++) {
                matrix.get(a).add(bare.link(a, b));
            }
        }
        return node.links(GpuLinks.of(matrix, nics)).build();
    }

    private static List<Integer> pick(Node node, GpuAffinity affinity, List<Integer> free, List<Integer> in, int n) {
        SearchSteps steps = SearchSteps.of(0);
        long mask = LinkSets.pick(NodeClass.of(node), affinity, mask(free), mask(in), n, steps);
        assertThat(steps.isReached()).isFalse();
        List<Integer> picked = new ArrayList<>();
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            picked.add(Long.numberOfTrailingZeros(rest));
        }
        return picked;
    }

    private static long mask(List<Integer> gpus) {
        return gpus.stream().mapToLong(gpu -> 1L << gpu).sum();
    }

    private static List<Integer> some(Random random, List<Integer> from, int size) {
        List<Integer> shuffled = new ArrayList<>(from);
        Collections.shuffle(shuffled, random);
        return shuffled.stream().limit(size).sorted().toList();
    }

    @Property(tries = 1_500)
    void bestSet_isTheFirstOfTheBestOfAllSets(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int gpus, @ForAll Bond bond) {
        Random random = new Random(seed);
        Node node = node(random, gpus, true);
        List<Integer> all = java.util.stream.IntStream.range(0, gpus).boxed().toList();
        List<Integer> free = some(random, all, 1 + random.nextInt(gpus));
        int count = 1 + random.nextInt(free.size());
        List<Integer> included = some(random, free, random.nextInt(4) == 0 ? random.nextInt(count + 1) : 0);
        assertThat(pick(node, GpuAffinity.requiring(bond), free, included, count))
                .isEqualTo(new Naive(node, bond).best(free, included, count));
    }

    @Property(tries = 500)
    void lowestIndexes_areTheFirstSetThatHasTheBond(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int gpus, @ForAll Bond bond) {
        Random random = new Random(seed);
        Node node = node(random, gpus, random.nextBoolean());
        List<Integer> all = java.util.stream.IntStream.range(0, gpus).boxed().toList();
        int count = 1 + random.nextInt(gpus);
        Naive naive = new Naive(node, bond);
        List<Integer> first =
                sets(all, count).stream().filter(naive::holds).findFirst().orElse(List.of());
        GpuAffinity affinity = GpuAffinity.requiring(bond).withChoice(Choice.LOWEST_INDEXES);
        assertThat(pick(node, affinity, all, List.of(), count)).isEqualTo(first);
    }

    @Property(tries = 200)
    void pick_ofManyGpus_hasTheBondAndIsAsGoodAsTheLowestSet(
            @ForAll long seed, @ForAll @IntRange(min = 17, max = 40) int gpus) {
        Random random = new Random(seed);
        Node node = node(random, gpus, true);
        int count = 2 + random.nextInt(6);
        long all = (1L << gpus) - 1;
        long set = LinkSets.pick(NodeClass.of(node), GpuAffinity.ANY, all, count, SearchSteps.of(LinkSets.MOST_STEPS));
        assertThat(Long.bitCount(set)).isEqualTo(count);
        Naive naive = new Naive(node, Bond.NONE);
        List<Integer> picked = new ArrayList<>();
        for (long rest = set; rest != 0; rest &= rest - 1) {
            picked.add(Long.numberOfTrailingZeros(rest));
        }
        List<Integer> lowest =
                java.util.stream.IntStream.range(0, count).boxed().toList();
        assertThat(naive.linkScore(picked)).isGreaterThanOrEqualTo(naive.linkScore(lowest));
    }

    @Example
    void sixteenGpus_behindOneSwitch_endAtTheFirstSet() {
        Node.Builder node = Node.builder("n").gpus(16, MODEL);
        Node hgx = node.links(GpuLinks.uniform(16, Link.of(Path.UNKNOWN, 18))).build();
        List<Integer> all = java.util.stream.IntStream.range(0, 16).boxed().toList();
        assertThat(pick(hgx, GpuAffinity.requiring(Bond.NVLINK_CLIQUE), all, List.of(), 8))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }
}
