package io.gpusched.manifests.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Levels that nest and levels that do not, while nodes and pods come, go and move. */
class LevelsOfLabelsProperties {
    private static final List<String> LABELS = List.of("zone", "rack", "clique", "nowhere");

    private final ClusterBook book =
            new ClusterBook(new DialectSet(List.of(Dialects.find("t9k").orElseThrow())));
    private final Map<String, Map<String, String>> nodes = new TreeMap<>();

    @Property(tries = 200)
    void aDomain_isAllNodesOfOneValue_andHoldsWhatTheClusterHolds(@ForAll long seed) {
        new LevelsOfLabelsProperties().live(new Random(seed));
    }

    private void live(Random random) {
        boolean crossing = random.nextBoolean();
        for (int i = 0; i < 60; i++) {
            step(random, crossing);
            if (random.nextInt(3) == 0) {
                check(LABELS.get(random.nextInt(LABELS.size())));
            }
        }
        LABELS.forEach(this::check);
    }

    private void step(Random random, boolean crossing) {
        String name = "n" + random.nextInt(8);
        switch (random.nextInt(6)) {
            case 0, 1 -> put(name, labels(random, crossing));
            case 2 -> {
                nodes.remove(name);
                book.removeNode(name);
            }
            case 3 -> book.removePod(new PodId("default", "p" + random.nextInt(8)));
            default -> book.putPod(running("p" + random.nextInt(8), name, random.nextInt(4)));
        }
    }

    private void put(String name, Map<String, String> labels) {
        nodes.put(name, labels);
        book.putNode(Manifests.t9kNode(name, "xgn", 4, labels));
    }

    private static Map<String, String> labels(Random random, boolean crossing) {
        int rack = random.nextInt(4);
        Map<String, String> labels = new HashMap<>();
        labels.put("rack", "r" + rack);
        labels.put("zone", "z" + (crossing ? random.nextInt(2) : rack / 2));
        if (random.nextBoolean()) {
            labels.put("clique", "c" + (crossing ? random.nextInt(4) : rack));
        }
        return labels;
    }

    private static RunningPod running(String name, String node, int gpu) {
        Pod pod = Manifests.pod(name, T9kDialect.GPU, "1");
        pod.getMetadata().setUid("uid-" + name);
        pod.getMetadata()
                .setAnnotations(Map.of(
                        "gpu-sched.io/grant",
                        "{\"version\":1,\"node\":\"" + node + "\",\"containers\":{\"main\":{\"gpus\":[\"" + node
                                + "-gpu-" + gpu + "\"]}}}"));
        pod.getSpec().setNodeName(node);
        return RunningPod.of(pod);
    }

    private void check(String label) {
        Cluster view = book.cluster(label);
        view.validate();
        Map<String, Long> expected = nodes.values().stream()
                .filter(labels -> labels.containsKey(label))
                .collect(Collectors.groupingBy(labels -> labels.get(label), TreeMap::new, Collectors.counting()));
        Map<String, Long> domains = new TreeMap<>();
        view.domains(label)
                .forEach((path, nodes) -> domains.merge(
                        path.domains().get(path.domains().size() - 1).name(), (long) nodes, Long::sum));
        assertThat(view.domains(label)).hasSize(expected.size());
        assertThat(domains).isEqualTo(expected);
        Cluster cluster = book.cluster();
        assertThat(view.size()).isEqualTo(cluster.size());
        cluster.nodes()
                .forEach(state -> assertThat(
                                view.node(state.name()).orElseThrow().placements())
                        .as("pods of %s", state.name())
                        .isEqualTo(state.placements()));
    }

    /** Racks that span zones and zones that span racks; after each pod, groups ask for one and for the other. */
    @Example
    void levelsThatDoNotNest_costOnlyTheNodesThatChanged() {
        for (int i = 0; i < 1_000; i++) {
            put("n" + i, Map.of("rack", "r" + i % 40, "zone", "z" + i / 500));
        }
        Map<String, Cluster> known = new HashMap<>();
        List.of("rack", "zone").forEach(label -> known.put(label, book.cluster(label)));
        assertThat(List.of(book.viewOf("rack"), book.viewOf("zone"))).containsExactly("", "zone");
        for (int i = 0; i < 10; i++) {
            book.putPod(running("p" + i, "n" + 7 * i, 0));
            for (String label : List.of("rack", "zone")) {
                Cluster now = book.cluster(label);
                assertThat(made(known.put(label, now), now))
                        .as("nodes made anew")
                        .isEqualTo(1);
                assertThat(now.domains(label)).hasSize(label.equals("rack") ? 40 : 2);
            }
        }
        put("late", Map.of("rack", "r1", "zone", "z1"));
        for (String label : List.of("rack", "zone")) {
            assertThat(made(known.get(label), book.cluster(label))).isEqualTo(1);
        }
    }

    private static long made(Cluster before, Cluster after) {
        return after.nodes().stream().filter(state -> !isSame(state, before)).count();
    }

    private static boolean isSame(NodeState state, Cluster before) {
        return before.node(state.name()).filter(old -> old == state).isPresent();
    }
}
