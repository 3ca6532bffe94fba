package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TaintTableProperties {
    @Provide
    Arbitrary<List<List<Taint>>> taints() {
        Arbitrary<Taint> taint = Combinators.combine(
                        Arbitraries.of("a", "b", "c"), Arbitraries.of("", "x", "y"), Arbitraries.of(Taint.Effect.class))
                .as(Taint::new);
        return taint.list().ofMaxSize(3).list().ofMinSize(1).ofMaxSize(20);
    }

    @Provide
    Arbitrary<List<Toleration>> tolerations() {
        Arbitrary<Toleration> toleration = Combinators.combine(
                        Arbitraries.of("", "a", "b", "d"),
                        Arbitraries.of("", "x").optional(),
                        Arbitraries.of(Taint.Effect.class).optional())
                .as((key, value, effect) -> new Toleration(key, key.isEmpty() ? Optional.empty() : value, effect));
        return toleration.list().ofMaxSize(3);
    }

    private static boolean isTolerated(List<Taint> taints, List<Toleration> tolerations) {
        return taints.stream()
                .filter(taint -> taint.effect().forbids())
                .allMatch(taint -> tolerations.stream().anyMatch(toleration -> toleration.tolerates(taint)));
    }

    @Property(tries = 300)
    void everyClassThatAPodToleratesIsFound_howeverNodesCameAndWent(
            @ForAll("taints") List<List<Taint>> taints, @ForAll("tolerations") List<Toleration> tolerations) {
        Cluster cluster = Cluster.of(List.of());
        for (int i = 0; i < taints.size(); i++) {
            Node.Builder node = Node.builder("n" + i);
            taints.get(i).forEach(node::taint);
            cluster = cluster.withNode(node.build());
        }
        for (int i = 0; i < taints.size(); i += 3) {
            cluster = cluster.withoutNode("n" + i);
        }
        cluster.validate();
        ClusterIndex index = ClusterIndex.of(cluster);
        List<ClassIndex> found = index.classes(tolerations);
        assertThat(found).doesNotHaveDuplicates();
        Set<List<Taint>> expected = cluster.nodes().stream()
                .map(state -> state.node().taints())
                .filter(set -> isTolerated(set, tolerations))
                .collect(Collectors.toSet());
        assertThat(found.stream().map(tree -> tree.nodeClass().taints()).collect(Collectors.toSet()))
                .containsAll(expected);
        assertThat(index.classes(List.of(Toleration.everything()))).hasSameSizeAs(index.classes());
    }

    @Example
    void ofAThousandPools_aPodSeesThoseItTolerates() {
        List<Node> nodes = IntStream.range(0, 1_000)
                .mapToObj(i -> Node.builder("n" + i)
                        .taint(Taint.noSchedule(i % 2 == 0 ? "pool" : "pool-" + i, "team-" + i))
                        .build())
                .collect(Collectors.toCollection(ArrayList::new));
        nodes.add(Node.builder("free").build());
        ClusterIndex index = ClusterIndex.of(Cluster.of(nodes));
        assertThat(index.classes()).hasSize(1_001);
        assertThat(index.classes(List.of())).hasSize(1);
        assertThat(index.classes(List.of(Toleration.equal("pool", "team-4"), Toleration.equal("pool", "team-8"))))
                .hasSize(3);
        assertThat(index.classes(List.of(Toleration.exists("pool-7"), Toleration.equal("pool-7", "team-7"))))
                .hasSize(2);
        assertThat(index.classes(List.of(Toleration.exists("pool")))).hasSize(501);
    }
}
