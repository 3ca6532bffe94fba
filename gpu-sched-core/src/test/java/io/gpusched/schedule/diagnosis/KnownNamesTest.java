package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Change;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Fact.Unknown.Kind;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A name that is mistyped is told with those that are known; no remedy is a machine that nobody makes. */
class KnownNamesTest {
    private static final Cluster CLUSTER = Cluster.of(List.of(Node.builder("n1")
            .capacity(8_000, 8_000)
            .gpu(Gpu.of(0, "u0", GpuModel.of("nvidia", "A100", 40_960))
                    .withPartitions(MigGeometry.A100_40GB.geometry()))
            .label("zone", "a")
            .build()));

    private static Pod pod(GpuRequest request) {
        return Pod.of("p", Resources.of(100, 100), request);
    }

    private static Diagnosis refusal(Pod pod) {
        return ((Unschedulable) GpuScheduler.create().schedule(CLUSTER, pod)).diagnosis();
    }

    private static void assertUnknown(Diagnosis diagnosis, Fact.Unknown fact) {
        assertThat(diagnosis.reasons().get(0).facts()).contains(fact);
        assertThat(diagnosis.reasons().get(0).detail()).contains("known here are " + String.join(", ", fact.known()));
    }

    @Test
    void aModel() {
        Diagnosis diagnosis = refusal(pod(GpuRequest.exclusive(1, GpuSelector.models("A10O"))));

        assertUnknown(diagnosis, new Fact.Unknown(Kind.GPU_MODEL, "A10O", List.of("A100")));
        assertThat(diagnosis.remedy().changes())
                .containsExactly(new Change.ChooseKnown(Kind.GPU_MODEL, "A10O", List.of("A100")));
    }

    @Test
    void aProfileThatNoGeometryHas_isNoNodeToAdd() {
        Diagnosis diagnosis = refusal(pod(GpuRequest.partition("9g.40gb", 2)));

        List<String> known =
                MigGeometry.A100_40GB.geometry().names().stream().sorted().toList();
        assertThat(diagnosis.reasons().get(0).facts())
                .containsExactly(new Fact.Unknown(Kind.PARTITION_PROFILE, "9g.40gb", known));
        assertThat(diagnosis.remedy().changes())
                .containsExactly(new Change.ChooseKnown(Kind.PARTITION_PROFILE, "9g.40gb", known));
        assertThat(diagnosis.remedy().nodes()).isEmpty();
        PodGroup group = PodGroup.of("g", List.of(pod(GpuRequest.partition("9g.40gb", 2))));
        Unschedulable refused = (Unschedulable) GpuScheduler.create().schedule(CLUSTER, group);
        assertThat(refused.diagnosis().remedy()).isEqualTo(diagnosis.remedy());
        Unschedulable nowhere = (Unschedulable) GpuScheduler.create()
                .schedule(Cluster.of(List.of()), group.pods().get(0));
        assertThat(nowhere.diagnosis().remedy().changes()).isEmpty();
    }

    @Test
    void aLabel() {
        Pod pod = new Pod(
                pod(GpuRequest.none()).id(),
                pod(GpuRequest.none()).containers(),
                NodeSelector.all(NodeRequirement.in("zonee", "a")),
                List.of());

        assertUnknown(refusal(pod), new Fact.Unknown(Kind.LABEL_KEY, "zonee", List.of("zone")));
    }

    @Test
    void aLevel() {
        Cluster cluster = CLUSTER.withNode(Node.builder("n2")
                .capacity(1, 1)
                .topology(Topology.of("rack", "r"))
                .build());
        PodGroup group = PodGroup.of("g", List.of(pod(GpuRequest.none()))).withLocality(Locality.within("rakc"));

        Diagnosis diagnosis = ((Unschedulable) GpuScheduler.create().schedule(cluster, group)).diagnosis();

        assertUnknown(diagnosis, new Fact.Unknown(Kind.TOPOLOGY_LEVEL, "rakc", List.of("rack")));
    }

    @Test
    void noNodeTakesMoreGpusThanANodeCanHave() {
        List<Pod> nine = java.util.stream.IntStream.range(0, 9)
                .mapToObj(i -> Pod.of("p" + i, Resources.of(1, 1), GpuRequest.exclusive(8)))
                .toList();

        Unschedulable refused = (Unschedulable)
                GpuScheduler.create().schedule(CLUSTER, PodGroup.of("g", nine).withLocality(Locality.oneNode()));

        assertThat(refused.diagnosis().remedy().nodes()).isEmpty();
        assertThat(refused.diagnosis().remedy().changes()).noneMatch(Change.AddNodes.class::isInstance);
    }
}
