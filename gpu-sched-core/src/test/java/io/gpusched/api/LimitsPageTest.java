package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The ranges of docs/limits.md are those that the library enforces. */
class LimitsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "limits.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| ([^|]+) \\| (-?[\\d,]+)\\.\\.([\\d,]+) \\|$", Pattern.MULTILINE);
    private static final GpuModel MODEL = GpuModel.of("nvidia", "A100", 81_920);
    private static final Gpu GPU = Gpu.of(0, "uuid", MODEL);

    /** By the words of the page: each makes something of this size. */
    private static final Map<String, List<LongConsumer>> MAKERS = makers();

    private record Range(String what, long least, long greatest) {}

    private static Map<String, List<LongConsumer>> makers() {
        Map<String, List<LongConsumer>> makers = new LinkedHashMap<>();
        makers.put(
                "GPUs of a node",
                List.of(n -> Node.builder("n").gpus((int) n, MODEL).build()));
        makers.put("compute of a GPU", List.of(n -> GPU.withComputeMillis((int) n)));
        makers.put("memory of a GPU", List.of(n -> GPU.withMemoryMib(n)));
        makers.put(
                "slots of a GPU",
                List.of(n -> GPU.withSlots((int) n), n -> GpuRequest.percent(1).withSlots((int) n)));
        makers.put("NUMA node of a GPU", List.of(n -> GPU.withNumaNode((int) n)));
        makers.put(
                "pods of a node",
                List.of(n -> Node.builder("n").maxPods((int) n).build()));
        makers.put(
                "CPU of a node or a container",
                List.of(
                        n -> Node.builder("n").capacity(n, 0).build(),
                        n -> Node.builder("n").capacity(0, n).build(),
                        n -> Container.of("c", Resources.of(n, 0), GpuRequest.none()),
                        n -> Container.of("c", Resources.of(0, n), GpuRequest.none())));
        makers.put(
                "CPU and memory of a sum over many nodes or pods",
                List.of(n -> Resources.of(n, 0), n -> Resources.of(0, n), n -> Resources.NONE.with("rdma/hca", n)));
        makers.put("containers of a pod", List.of(n -> podOf((int) n)));
        makers.put(
                "terms of a pod's affinity or anti-affinity",
                List.of(n -> affinityOf((int) n), n -> preferring((int) n), n -> spreadOf((int) n)));
        makers.put(
                "whole GPUs that a container asks",
                List.of(
                        n -> GpuRequest.exclusive((int) n),
                        n -> GpuRequest.percent(1).withCount((int) n)));
        makers.put("percent of a GPU", List.of(n -> GpuRequest.percent((int) n)));
        makers.put("compute of a share on each GPU", List.of(n -> GpuRequest.share((int) n, GpuMemory.none())));
        makers.put("pods of a group", List.of(n -> groupOf((int) n)));
        return makers;
    }

    private static PodRules preferring(int terms) {
        NodeSelector.Term term = new NodeSelector.Term(List.of(NodeRequirement.exists("zone")));
        return PodRules.NONE.withPreferredNodes(
                Collections.nCopies(terms, new NodePreference(1, term)).toArray(NodePreference[]::new));
    }

    private static PodAffinity affinityOf(int terms) {
        PodAffinity.Term term = PodAffinity.Term.of(LabelSelector.ALL, "zone");
        PodAffinity demanded = new PodAffinity(Collections.nCopies(terms, term), List.of());
        List<PodAffinity.Weighted> preferred = Collections.nCopies(terms, new PodAffinity.Weighted(1, term));
        return new PodAffinity(demanded.required(), preferred);
    }

    private static PodRules spreadOf(int constraints) {
        TopologySpread one = TopologySpread.required("zone", 1, LabelSelector.ALL);
        return PodRules.NONE.withSpread(Collections.nCopies(constraints, one).toArray(TopologySpread[]::new));
    }

    private static Pod podOf(int containers) {
        Pod.Builder pod = Pod.builder("p");
        IntStream.range(0, containers)
                .forEach(i -> pod.container(Container.of("c" + i, Resources.NONE, GpuRequest.none())));
        return pod.build();
    }

    private static PodGroup groupOf(int pods) {
        return PodGroup.of(
                "g",
                IntStream.range(0, pods)
                        .mapToObj(i -> Pod.of("p" + i, Resources.NONE, GpuRequest.none()))
                        .toList());
    }

    private static Stream<Range> ranges() throws IOException {
        return ROW.matcher(Files.readString(PAGE).replace("\r\n", "\n"))
                .results()
                .map(row -> new Range(
                        row.group(1).replaceAll("[,(].*", "").strip(), number(row.group(2)), number(row.group(3))));
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }

    @Test
    void page_hasARowForEachRange() throws IOException {
        assertThat(ranges().map(Range::what)).containsExactlyElementsOf(MAKERS.keySet());
    }

    @TestFactory
    Stream<DynamicTest> range_isEnforcedAtBothEnds() throws IOException {
        return ranges().map(range -> DynamicTest.dynamicTest(range.what(), () -> {
            for (LongConsumer maker : MAKERS.get(range.what())) {
                maker.accept(range.least());
                maker.accept(range.greatest());
                assertThatThrownBy(() -> maker.accept(range.least() - 1)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> maker.accept(range.greatest() + 1))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }));
    }
}
