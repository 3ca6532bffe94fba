package io.gpusched.testkit;

import io.gpusched.model.ContainerKind;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random requests that fit the machines of {@link Nodes}: every kind of request, selectors, init containers, sidecars. */
public final class Pods {
    private Pods() {}

    /** Pods of one to three containers, init containers and sidecars among them; each is called "pod" and has to be renamed. */
    public static Arbitrary<Pod> pods() {
        Arbitrary<List<Container>> several =
                containers().list().ofMinSize(1).ofMaxSize(3).map(Pods::tidy);
        Arbitrary<List<Container>> one =
                container(Arbitraries.just(ContainerKind.ORDINARY)).map(List::of);
        return Combinators.combine(
                        Arbitraries.frequencyOf(Tuple.of(1, one), Tuple.of(1, several)), selectors(), tolerations())
                .as((list, selector, tolerations) -> new Pod(PodId.of("pod"), list, selector, tolerations));
    }

    /** Pods of one container that go to any node without taints: what searches have short cuts for. */
    public static Arbitrary<Pod> plain() {
        return container(Arbitraries.just(ContainerKind.ORDINARY))
                .map(only -> new Pod(PodId.of("pod"), List.of(only), NodeSelector.ANY, List.of()));
    }

    private static Arbitrary<Container> containers() {
        return container(Arbitraries.frequency(
                Tuple.of(4, ContainerKind.ORDINARY),
                Tuple.of(1, ContainerKind.INIT),
                Tuple.of(1, ContainerKind.SIDECAR)));
    }

    private static Arbitrary<Container> container(Arbitrary<ContainerKind> kinds) {
        Arbitrary<Long> amounts = Arbitraries.frequency(
                Tuple.of(4, 0L), Tuple.of(3, 500L), Tuple.of(2, 1_000L), Tuple.of(1, 2_005L), Tuple.of(1, 4_000L));
        return Combinators.combine(kinds, Combinators.combine(amounts, amounts).as(Resources::of), named(), requests())
                .as((kind, plain, named, request) ->
                        new Container("c", kind, new Resources(plain.cpuMillis(), plain.memoryMib(), named), request));
    }

    /** Mostly none of the resources of {@link Nodes}, sometimes one that no node has. */
    private static Arbitrary<NamedAmounts> named() {
        return Arbitraries.frequency(
                Tuple.of(20, NamedAmounts.NONE),
                Tuple.of(3, NamedAmounts.NONE.with("example.com/nic", 1)),
                Tuple.of(1, NamedAmounts.NONE.with("example.com/nic", 2).with("ephemeral-storage", 7)),
                Tuple.of(2, NamedAmounts.NONE.with("ephemeral-storage", 11)),
                Tuple.of(1, NamedAmounts.NONE.with("rdma/hca", 1).with("example.com/nic", 1)));
    }

    /** Gives the containers their names, and nothing to the others where one takes the whole node. */
    private static List<Container> tidy(List<Container> drawn) {
        boolean whole = drawn.stream().anyMatch(container -> container.gpu() instanceof GpuRequest.WholeNode);
        List<Container> tidy = new ArrayList<>();
        for (Container container : drawn) {
            boolean silent = whole
                    && (!(container.gpu() instanceof GpuRequest.WholeNode)
                            || tidy.stream().anyMatch(c -> c.gpu() instanceof GpuRequest.WholeNode));
            GpuRequest request = silent ? GpuRequest.none() : container.gpu();
            tidy.add(new Container("c" + tidy.size(), container.kind(), container.resources(), request));
        }
        return tidy;
    }

    /** Requests of every kind. */
    public static Arbitrary<GpuRequest> requests() {
        return Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(GpuRequest.none())),
                Tuple.of(
                        4,
                        Combinators.combine(Arbitraries.of(1, 1, 1, 2, 3), gpuSelectors())
                                .as(GpuRequest::exclusive)),
                Tuple.of(4, percents()),
                Tuple.of(5, shares()),
                Tuple.of(1, gpuSelectors().map(GpuRequest.WholeNode::new)));
    }

    private static Arbitrary<GpuRequest.Share> percents() {
        return Arbitraries.of(1, 10, 25, 30, 33, 34, 50, 60, 67, 99, 100).map(GpuRequest::percent);
    }

    private static Arbitrary<GpuRequest.Share> shares() {
        return Combinators.combine(
                        Arbitraries.of(1, 1, 1, 2, 3),
                        Arbitraries.of(0, 0, 1, 250, 300, 333, 500, 700, 1_000, 1_500),
                        memories(),
                        Arbitraries.of(1, 1, 1, 2),
                        gpuSelectors())
                .as(GpuRequest.Share::new);
    }

    private static Arbitrary<GpuMemory> memories() {
        Arbitrary<GpuMemory> fixed =
                Arbitraries.of(0L, 1L, 100L, 166L, 333L, 500L, 1_000L).map(GpuMemory::mib);
        Arbitrary<GpuMemory> parts = Arbitraries.of(1, 10, 33, 50, 51, 100).map(GpuMemory::percent);
        return Arbitraries.oneOf(fixed, parts);
    }

    private static Arbitrary<GpuSelector> gpuSelectors() {
        Arbitrary<GpuSelector> choosy = Combinators.combine(
                        someOf("A100", "T4"),
                        someOf("T4", "MI8"),
                        someOf("n0-gpu-0", "n0-gpu-1", "n1-gpu-1", "n2-gpu-2"),
                        someOf("n0-gpu-1", "n1-gpu-0"),
                        Arbitraries.of(0L, 0L, 333L, 334L),
                        Arbitraries.of(GpuAffinity.ANY, GpuAffinity.requiring(Bond.NUMA_NODE)))
                .as(GpuSelector::new);
        Arbitrary<GpuSelector> numa =
                Arbitraries.just(GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE)));
        return Arbitraries.frequencyOf(
                Tuple.of(7, Arbitraries.just(GpuSelector.ANY)), Tuple.of(1, numa), Tuple.of(3, choosy));
    }

    private static Arbitrary<Set<String>> someOf(String... values) {
        return Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.just(Set.of())),
                Tuple.of(1, Arbitraries.of(values).set().ofMaxSize(values.length)));
    }

    private static Arbitrary<NodeSelector> selectors() {
        Arbitrary<NodeRequirement> requirement = Combinators.combine(
                        Arbitraries.of("rank", "size", "gone"), Arbitraries.of(Operator.class))
                .flatAs((key, operator) -> requirement(key, operator));
        Arbitrary<NodeSelector> some = requirement
                .list()
                .ofMinSize(1)
                .ofMaxSize(2)
                .map(NodeSelector.Term::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(2)
                .map(NodeSelector::new);
        return Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(NodeSelector.ANY)), Tuple.of(1, some));
    }

    private static Arbitrary<NodeRequirement> requirement(String key, Operator operator) {
        Arbitrary<List<String>> values = switch (operator) {
            case IN, NOT_IN ->
                Arbitraries.of("gold", "1", "2", "10").list().ofMinSize(1).ofMaxSize(3);
            case EXISTS, DOES_NOT_EXIST -> Arbitraries.just(List.of());
            case GT, LT -> Arbitraries.of("1", "9", "-5").map(List::of);
        };
        return values.map(list -> new NodeRequirement(key, operator, list));
    }

    private static Arbitrary<List<Toleration>> tolerations() {
        Arbitrary<Toleration> one = Combinators.combine(
                        Arbitraries.of("gpu", "team"),
                        Arbitraries.of(Optional.<String>empty(), Optional.of("a"), Optional.of("b")),
                        Arbitraries.of(
                                Optional.<Taint.Effect>empty(),
                                Optional.of(Taint.Effect.NO_SCHEDULE),
                                Optional.of(Taint.Effect.NO_EXECUTE)))
                .as(Toleration::new);
        return Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(List.of())),
                Tuple.of(1, Arbitraries.just(List.of(Toleration.everything()))),
                Tuple.of(2, one.list().ofMaxSize(2)));
    }
}
