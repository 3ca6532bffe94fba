package io.gpusched.testkit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random placements that nobody has decided: most of them conflict with something. */
public final class Grants {
    private Grants() {}

    /** Placements of pods x0 to x5 on nodes n0 to n3. */
    public static Arbitrary<Placement> placements() {
        Arbitrary<ContainerGrant> container = Combinators.combine(
                        Arbitraries.frequency(Tuple.of(3, ContainerKind.ORDINARY), Tuple.of(1, ContainerKind.INIT)),
                        grants())
                .as((kind, grant) -> new ContainerGrant("c", kind, grant));
        Arbitrary<Long> amounts = Arbitraries.frequency(Tuple.of(5, 0L), Tuple.of(2, 1_000L), Tuple.of(1, 8_000L));
        return Combinators.combine(
                        Arbitraries.of("x0", "x1", "x2", "x3", "x4", "x5"),
                        Arbitraries.frequency(
                                Tuple.of(5, "n0"), Tuple.of(3, "n1"), Tuple.of(2, "n2"), Tuple.of(1, "n3")),
                        Combinators.combine(amounts, amounts).as(Resources::of),
                        container.list().ofMaxSize(3).filter(Grants::hasAtMostOneWholeNode))
                .as((pod, node, resources, containers) -> new Placement(PodId.of(pod), node, resources, containers));
    }

    private static boolean hasAtMostOneWholeNode(List<ContainerGrant> grants) {
        return grants.stream()
                        .filter(grant -> grant.gpus() instanceof GpuGrant.WholeNode)
                        .count()
                <= 1;
    }

    private static Arbitrary<GpuGrant> grants() {
        Arbitrary<GpuGrant> whole = indexes().map(GpuGrant.Whole::new);
        Arbitrary<GpuGrant> shared = Combinators.combine(indexes(), share())
                .as((gpus, part) -> new GpuGrant.Shared(gpus.stream()
                        .map(gpu -> new GpuShare(gpu, part.computeMillis(), part.memoryMib(), part.slots()))
                        .toList()));
        Arbitrary<GpuGrant> wholeNode = Arbitraries.of(1, 2, 3, 4).map(GpuGrant.WholeNode::new);
        return Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.just(GpuGrant.none())),
                Tuple.of(3, whole),
                Tuple.of(6, shared),
                Tuple.of(1, wholeNode));
    }

    private static Arbitrary<GpuShare> share() {
        return Combinators.combine(
                        Arbitraries.of(0, 300, 500, 501, 1_000, 2_000, 65_535),
                        Arbitraries.of(0L, 50L, 333L, 500L, 1_000L, 268_435_455L),
                        Arbitraries.of(1, 1, 1, 2, 999, 262_143))
                .as((compute, memory, slots) -> new GpuShare(0, compute, memory, slots));
    }

    private static Arbitrary<List<Integer>> indexes() {
        Arbitrary<Integer> index = Arbitraries.frequency(
                Tuple.of(6, 0), Tuple.of(4, 1), Tuple.of(3, 2), Tuple.of(2, 3), Tuple.of(1, 4), Tuple.of(1, 63));
        return index.set().ofMinSize(1).ofMaxSize(3).map(set -> List.copyOf(new TreeSet<>(set)));
    }
}
