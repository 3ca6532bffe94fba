package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/architecture.md and docs/design-decisions.md say of the code is so. */
class ArchitecturePageTest {
    private static final Path PAGE = Path.of("..", "docs", "architecture.md");
    private static final Path DECISIONS = Path.of("..", "docs", "design-decisions.md");

    /** A class name in backticks, alone or before a member. */
    private static final Pattern CLASS_NAME = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.\\w+)?(?:\\([^`]*\\))?`");

    @Test
    void picture_showsTheDecisionThatIsMade() throws IOException {
        Cluster cluster = Cluster.of(List.of(node("n1"), node("n2"), node("n3"), node("n4")))
                .withAll(List.of(share("n1", 600, 30_000), share("n2", 700, 31_500), share("n3", 650, 24_000)));
        Pod pod = Pod.of("notebook", Resources.of(4_000, 8_192), GpuRequest.percent(30));
        assertThat(page(PAGE)).contains("\n" + GpuScheduler.create().schedule(cluster, pod) + "\n");
    }

    @Test
    void everyClassOnThePages_isThere() throws IOException {
        Set<String> named = new TreeSet<>();
        for (Path page : List.of(PAGE, DECISIONS)) {
            CLASS_NAME.matcher(page(page)).results().forEach(match -> named.add(match.group(1)));
        }
        assertThat(named).hasSizeGreaterThan(10);
        named.removeAll(sources());
        assertThat(named).as("classes that the pages name and nobody has").isEmpty();
    }

    private static Node node(String name) {
        return Node.builder(name)
                .mode(NodeMode.SHARED)
                .capacity(32_000, 131_072)
                .gpus(2, GpuModel.of("nvidia", "T4", 15_360))
                .build();
    }

    private static Placement share(String node, int computeMillis, long cpuMillis) {
        GpuShare share = new GpuShare(0, computeMillis, computeMillis * 15_360L / 1_000, 1);
        return new Placement(
                PodId.of("on-" + node),
                node,
                Resources.of(cpuMillis, 1_024),
                List.of(ContainerGrant.of("main", new GpuGrant.Shared(List.of(share)))));
    }

    private static String page(Path path) throws IOException {
        return Files.readString(path).replace("\r\n", "\n");
    }

    /** The names of all classes of core and of the benchmarks. */
    private static Set<String> sources() throws IOException {
        try (Stream<Path> core = Files.walk(Path.of("src/main/java"));
                Stream<Path> bench = Files.walk(Path.of("..", "gpu-sched-bench", "src/main/java"))) {
            return Stream.concat(core, bench)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
