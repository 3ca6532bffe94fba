package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What a dialect writes for a pod that was placed, it reads again when the pod runs. */
class AnnotationProperties {
    private static final long ROUNDS = 6;

    /** Containers that ask for a random part of a GPU, for whole GPUs or for nothing. */
    private interface Asking {
        Map<String, String> limits(Random random);
    }

    @Property(tries = 150)
    void nanoGpu_readsTheGpusThatItWrote(@ForAll long seed, @ForAll boolean spread) {
        NanoGpuDialect dialect = NanoGpuDialect.of(spread ? NanoGpuPolicy.SPREAD : NanoGpuPolicy.BINPACK);
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of(NanoGpuDialect.PERCENT, "400")));
        check(
                dialect,
                node,
                seed,
                random -> random.nextInt(4) == 0
                        ? Map.of()
                        : Map.of(NanoGpuDialect.PERCENT, text(1 + random.nextInt(100))));
    }

    @Property(tries = 150)
    void gaiaGpu_readsTheGpusThatItWrote(@ForAll long seed) {
        GaiaGpuDialect dialect = GaiaGpuDialect.of();
        Node node = dialect.node(
                NodeManifest.of("n", Map.of(), Map.of(GaiaGpuDialect.CORE, "400", GaiaGpuDialect.MEMORY, "256")));
        check(
                dialect,
                node,
                seed,
                random -> parts(random, GaiaGpuDialect.CORE, GaiaGpuDialect.MEMORY, 1 + random.nextInt(64)));
    }

    @Property(tries = 150)
    void elasticGpu_readsTheGpusThatItWrote(@ForAll long seed) {
        ElasticGpuDialect dialect = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);
        Node node = dialect.node(NodeManifest.of(
                "n", Map.of(), Map.of(ElasticGpuDialect.CORE, "400", ElasticGpuDialect.MEMORY, "4000")));
        check(
                dialect,
                node,
                seed,
                random -> parts(random, ElasticGpuDialect.CORE, ElasticGpuDialect.MEMORY, 1 + random.nextInt(900)));
    }

    /** Nothing, a share with memory, or one or two whole GPUs. */
    private static Map<String, String> parts(Random random, String core, String memory, int amount) {
        return switch (random.nextInt(5)) {
            case 0 -> Map.of();
            case 1 -> Map.of(core, text(100 * (1 + random.nextInt(2))));
            default -> Map.of(core, text(1 + random.nextInt(99)), memory, text(amount));
        };
    }

    @Property(tries = 150)
    void aliyun_readsTheGpuThatItWroteForTheWholePod(@ForAll long seed) {
        AliyunGpuShareDialect dialect = AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.GIB);
        Node node = dialect.node(NodeManifest.of(
                "n", Map.of(), Map.of(AliyunGpuShareDialect.MEMORY, "64", AliyunGpuShareDialect.COUNT, "4")));
        Random random = new Random(seed);
        Cluster cluster = Cluster.of(List.of(node));
        for (int i = 0; i < ROUNDS; i++) {
            PodManifest pod =
                    pod("p" + i, random, any -> Map.of(AliyunGpuShareDialect.MEMORY, text(1 + random.nextInt(8))));
            if (DialectScheduler.of(dialect).schedule(cluster, pod) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                PodManifest written = written(dialect, pod, node, placed.placement());
                assertThat(dialect.heldGpus(written, 0, node))
                        .hasSize(1)
                        .isEqualTo(placed.placement().gpus());
            }
        }
    }

    private static void check(Dialect dialect, Node node, long seed, Asking asking) {
        Random random = new Random(seed);
        DialectScheduler scheduler = DialectScheduler.of(dialect);
        Cluster cluster = Cluster.of(List.of(node));
        for (int i = 0; i < ROUNDS; i++) {
            PodManifest pod = pod("p" + i, random, asking);
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                PodManifest written = written(dialect, pod, node, placed.placement());
                List<ContainerGrant> grants = placed.placement().containers();
                for (int c = 0; c < grants.size(); c++) {
                    assertThat(dialect.heldGpus(written, c, node))
                            .as("container %d of %s", c, placed.placement())
                            .isEqualTo(grants.get(c).gpus().indexes());
                }
                assertThat(dialect.heldGpus(pod, 0, node))
                        .as("before it is written")
                        .isEmpty();
            }
        }
    }

    private static PodManifest pod(String name, Random random, Asking asking) {
        List<ContainerManifest> containers = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int c = 0; c < count; c++) {
            containers.add(ContainerManifest.limits("c" + c, asking.limits(random)));
        }
        return PodManifest.of(name, containers);
    }

    private static PodManifest written(Dialect dialect, PodManifest pod, Node node, Placement placement) {
        return new PodManifest(
                PodId.of(pod.id().name()),
                pod.labels(),
                dialect.write(pod, node, placement).annotations(),
                pod.containers(),
                pod.nodeSelector(),
                pod.tolerations());
    }

    private static String text(int number) {
        return Integer.toString(number);
    }
}
