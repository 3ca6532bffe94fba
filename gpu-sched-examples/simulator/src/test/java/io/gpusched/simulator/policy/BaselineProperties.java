package io.gpusched.simulator.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.testkit.PaperWorld;
import io.gpusched.testkit.PaperWorld.Way;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * The baselines of "Beware of Fragmentation" (USENIX ATC 2023) against their definitions, written down a second time: what
 * the definition calls better scores higher, and no way to place a pod is better than the one that is chosen.
 */
class BaselineProperties {
    private static final double EPSILON = 1e-9;

    /** Smaller is better. */
    private static double dotProduct(Way way) {
        return (way.before().freeCpuMillis() / 128_000.0 * way.cpuMillis() / 128_000.0
                        + way.before().freeComputeMillis() / 8_000.0 * way.gpuMillis() / 8_000.0)
                / 2;
    }

    /** Larger is better. */
    private static long packing(Way way) {
        if (way.gpuMillis() == 0) {
            return 0;
        }
        NodeState node = way.before();
        int idle = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            idle += node.freeComputeMillis(gpu) == 1_000 ? 1 : 0;
        }
        if (idle == node.gpuCount()) {
            return Math.max(33 - idle, idle);
        }
        long idleTaken = way.taken().stream()
                .filter(gpu -> node.freeComputeMillis(gpu) == 1_000)
                .count();
        if (idleTaken > 0) {
            return Math.max(50 - idleTaken, 33);
        }
        long percents = way.taken().stream()
                .mapToLong(gpu -> node.freeComputeMillis(gpu) * 100L / 1_000)
                .sum();
        return Math.max(100 - percents / 10, 50);
    }

    /** Larger is better. */
    private static long clustering(Way way) {
        if (way.gpuMillis() == 0) {
            return 0;
        }
        String mine = kind(way.placement());
        List<String> there = way.before().placements().stream()
                .map(BaselineProperties::kind)
                .filter(kind -> !kind.isEmpty())
                .distinct()
                .toList();
        long part = 25 * (8_000 - way.before().freeComputeMillis()) / 8_000;
        if (there.contains(mine)) {
            return part + (there.size() == 1 ? 75 : 50);
        }
        return part + (there.isEmpty() ? 25 : 0);
    }

    private static String kind(Placement placement) {
        ContainerGrant only = placement.containers().get(0);
        if (only.gpus() instanceof GpuGrant.Shared) {
            return "share";
        }
        return placement.gpus().isEmpty() ? "" : placement.gpus().size() + " whole";
    }

    @Property(tries = 150)
    void dotProduct_prefersTheSmallerProductThenTheFullerGpu(@ForAll long seed) {
        compare(seed, DotProduct.of(), way -> -dotProduct(way), Way::left);
    }

    @Property(tries = 150)
    void gpuPacking_followsThePapersPointsThenTheFullerGpu(@ForAll long seed) {
        compare(seed, GpuPacking.of(), BaselineProperties::packing, Way::left);
    }

    @Property(tries = 150)
    void gpuClustering_followsThePapersPointsThenTheFullerGpu(@ForAll long seed) {
        compare(seed, GpuClustering.of(), BaselineProperties::clustering, Way::left);
    }

    private static void compare(
            long seed, PlacementPolicy policy, ToDoubleFunction<Way> value, ToLongFunction<Way> left) {
        PaperWorld world = new PaperWorld(seed);
        Pod pod = world.pod("new");
        List<Way> ways = world.ways(pod);
        Comparator<Way> byDefinition = (one, other) -> {
            double difference = value.applyAsDouble(one) - value.applyAsDouble(other);
            return Math.abs(difference) > EPSILON
                    ? (int) Math.signum(difference)
                    : Long.compare(left.applyAsLong(other), left.applyAsLong(one));
        };
        for (Way one : ways) {
            for (Way other : ways) {
                assertThat(Integer.signum(Long.compare(score(policy, one, pod), score(policy, other, pod))))
                        .as("%s against %s", one.placement(), other.placement())
                        .isEqualTo(byDefinition.compare(one, other));
            }
        }
        if (!ways.isEmpty()) {
            Way chosen = PaperWorld.chosen(world.cluster(), policy, pod);
            assertThat(ways).allMatch(way -> byDefinition.compare(chosen, way) >= 0);
        }
    }

    private static long score(PlacementPolicy policy, Way way, Pod pod) {
        return policy.score(way.before(), way.after(), pod);
    }
}
