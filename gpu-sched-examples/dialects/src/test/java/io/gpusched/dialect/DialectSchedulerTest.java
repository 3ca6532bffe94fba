package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups are decided by the rule of the system whose words their members use. */
class DialectSchedulerTest {
    private static PodManifest pod(String name, String resource, String amount) {
        return PodManifest.of(name, List.of(ContainerManifest.limits("c", Map.of(resource, amount))));
    }

    private static Map<PodId, PodManifest> byId(PodManifest... manifests) {
        Map<PodId, PodManifest> byId = new LinkedHashMap<>();
        for (PodManifest manifest : manifests) {
            byId.put(manifest.id(), manifest);
        }
        return byId;
    }

    private static PodGroup group(Dialect dialect, Map<PodId, PodManifest> manifests) {
        List<Pod> pods = manifests.values().stream().map(dialect::pod).toList();
        return PodGroup.of("g", pods);
    }

    private static GroupDecision schedule(Dialect dialect, Cluster cluster, Map<PodId, PodManifest> manifests) {
        return DialectScheduler.of(dialect).schedule(cluster, group(dialect, manifests), manifests);
    }

    private static List<List<Integer>> gpus(GroupDecision decision) {
        return ((GroupPlaced) decision)
                .placements().stream().map(Placement::gpus).toList();
    }

    @Test
    void membersOfAGroup_areSpreadOrPackedAsTheDialectDoes() {
        Map<PodId, PodManifest> manifests =
                byId(pod("a", NanoGpuDialect.PERCENT, "20"), pod("b", NanoGpuDialect.PERCENT, "20"));
        NanoGpuDialect spread = NanoGpuDialect.of(NanoGpuPolicy.SPREAD);
        NanoGpuDialect pack = NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
        Cluster cluster =
                Cluster.of(List.of(pack.node(NodeManifest.of("n", Map.of(), Map.of(NanoGpuDialect.PERCENT, "200")))));

        assertThat(gpus(schedule(pack, cluster, manifests))).containsExactly(List.of(0), List.of(0));
        assertThat(gpus(schedule(spread, cluster, manifests))).containsExactly(List.of(1), List.of(0));
    }

    @Test
    void membersThatNameDifferentPolicies_areRefused() {
        HamiDialect dialect = HamiDialect.of(HamiSettings.DEFAULT);
        Map<PodId, PodManifest> manifests = byId(choosing("a", "binpack"), choosing("b", "spread"));

        assertThatThrownBy(() -> schedule(dialect, Cluster.of(List.of()), manifests))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod group \"g\"")
                .hasMessageContaining("all members must name the same policy");
    }

    private static PodManifest choosing(String name, String policy) {
        PodManifest plain = pod(name, "nvidia.com/gpu", "1");
        return new PodManifest(
                plain.id(),
                Map.of(),
                Map.of("hami.io/node-scheduler-policy", policy),
                plain.containers(),
                plain.nodeSelector(),
                plain.tolerations());
    }

    @Test
    void aMemberWithoutManifest_isAnErrorThatNamesIt() {
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuPolicy.SPREAD);
        Map<PodId, PodManifest> manifests = byId(pod("a", NanoGpuDialect.PERCENT, "20"));

        assertThatThrownBy(() -> DialectScheduler.of(dialect)
                        .schedule(Cluster.of(List.of()), group(dialect, manifests), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pod group \"g\": pod \"")
                .hasMessageContaining("a\" has no manifest");
    }
}
