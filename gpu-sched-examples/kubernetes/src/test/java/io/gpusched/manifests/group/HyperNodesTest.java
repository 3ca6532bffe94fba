package io.gpusched.manifests.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.objects.ManifestReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HyperNodesTest {
    private final HyperNodes hyperNodes = new HyperNodes();
    private int puts;

    /** A hyper node of the model: nodes by name, by what their name begins with or by rack, and hyper nodes by name. */
    private record Model(int tier, List<String> names, List<String> starts, List<String> racks, List<String> children) {
        boolean holds(String node, String rack) {
            return names.contains(node) || starts.stream().anyMatch(node::startsWith) || racks.contains(rack);
        }

        Map<String, Object> spec() {
            List<Map<String, Object>> members = new ArrayList<>();
            names.forEach(name -> members.add(member("Node", Map.of("exactMatch", Map.of("name", name)))));
            starts.forEach(start ->
                    members.add(member("Node", Map.of("regexMatch", Map.of("pattern", "^" + Pattern.quote(start))))));
            racks.forEach(rack ->
                    members.add(member("Node", Map.of("labelMatch", Map.of("matchLabels", Map.of("rack", rack))))));
            children.forEach(child -> members.add(member("HyperNode", Map.of("exactMatch", Map.of("name", child)))));
            return Map.of("tier", tier, "members", members);
        }
    }

    private static Map<String, Object> member(String type, Map<String, Object> selector) {
        return Map.of("type", type, "selector", selector);
    }

    /** Puts a HyperNode whose status differs each time. */
    private boolean put(String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setMetadata(new ObjectMetaBuilder().withName(name).build());
        object.setAdditionalProperty("spec", spec);
        object.setAdditionalProperty("status", Map.of("nodeCount", puts++));
        return hyperNodes.put(object);
    }

    private Map<Integer, String> tiersOf(String node, String rack) {
        NodeManifest manifest = ManifestReader.node(Manifests.t9kNode(node, "xgn", 1, Map.of("rack", rack)));
        Map<Integer, String> tiers = new TreeMap<>();
        Map<String, String> labels = hyperNodes.extend(manifest).labels();
        for (int tier = 0; tier <= HyperNodes.HIGHEST_TIER; tier++) {
            if (labels.containsKey(HyperNodes.label(tier))) {
                tiers.put(tier, labels.get(HyperNodes.label(tier)));
            }
        }
        return tiers;
    }

    @Property(tries = 300)
    void eachTier_namesTheTopmostHyperNodeOfItOrLower_howeverItsMembersAreNamed(@ForAll long seed) {
        new HyperNodesTest().compare(new Random(seed));
    }

    private void compare(Random random) {
        Map<String, Model> model = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
            String name = "h" + random.nextInt(6);
            if (random.nextInt(5) == 0) {
                model.remove(name);
                hyperNodes.remove(name);
            } else {
                model.put(name, any(random));
                put(name, model.get(name).spec());
            }
            String node = (random.nextBoolean() ? "a" : "b") + random.nextInt(3);
            String rack = "r" + random.nextInt(3);
            assertThat(tiersOf(node, rack))
                    .as("%s of %s in %s", node, rack, model)
                    .isEqualTo(expected(node, rack, model));
        }
    }

    private static Model any(Random random) {
        return new Model(
                random.nextInt(4),
                some(random, "a0", "a1", "b2"),
                some(random, "a", "b"),
                some(random, "r0", "r1"),
                some(random, "h0", "h1", "h2", "h3"));
    }

    private static List<String> some(Random random, String... of) {
        return List.of(of).stream().filter(one -> random.nextInt(4) == 0).toList();
    }

    /** Grows the set of hyper nodes around the node until nothing is added. */
    private static Map<Integer, String> expected(String node, String rack, Map<String, Model> model) {
        TreeSet<String> around = new TreeSet<>();
        int before = -1;
        while (around.size() != before) {
            before = around.size();
            model.forEach((name, one) -> {
                if (one.holds(node, rack) || one.children().stream().anyMatch(around::contains)) {
                    around.add(name);
                }
            });
        }
        Map<Integer, String> tiers = new HashMap<>();
        for (Model tier : model.values()) {
            around.stream()
                    .filter(name -> model.get(name).tier() <= tier.tier())
                    .max(java.util.Comparator.<String>comparingInt(
                                    name -> model.get(name).tier())
                            .thenComparing(java.util.Comparator.reverseOrder()))
                    .ifPresent(name -> tiers.put(tier.tier(), name));
        }
        return tiers;
    }

    @Test
    void aHyperNodeWhoseStatusAloneIsNew_hasNotChanged() {
        Model leaf = new Model(1, List.of("a"), List.of(), List.of(), List.of());
        assertThat(put("leaf", leaf.spec())).isTrue();
        assertThat(put("leaf", leaf.spec())).isFalse();
        assertThat(tiersOf("a", "r")).isEqualTo(Map.of(1, "leaf"));
    }

    @Test
    void demandsOnLabels_mustAllBeMet_andNoneSelectNothing() {
        put("none", Map.of("tier", 1, "members", List.of(member("Node", Map.of("labelMatch", Map.of())))));
        put(
                "r1-but-old",
                Map.of(
                        "tier",
                        2,
                        "members",
                        List.of(member(
                                "Node",
                                Map.of(
                                        "labelMatch",
                                        Map.of(
                                                "matchLabels",
                                                Map.of("rack", "r1"),
                                                "matchExpressions",
                                                List.of(Map.of("key", "new", "operator", "DoesNotExist"))))))));
        put(
                "broken",
                Map.of("tier", 3, "members", List.of(member("Node", Map.of("regexMatch", Map.of("pattern", "["))))));
        assertThat(tiersOf("a", "r1")).isEqualTo(Map.of(2, "r1-but-old", 3, "r1-but-old"));
        assertThat(tiersOf("a", "r2")).isEmpty();
    }
}
