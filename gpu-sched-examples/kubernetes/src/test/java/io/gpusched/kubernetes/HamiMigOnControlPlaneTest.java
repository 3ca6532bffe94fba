package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.kubernetes.process.SchedulerProcess;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scheduler process on a real API server, for a node with a GPU in MIG mode as HAMi's device plugin registers it. */
class HamiMigOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    private void create(String... names) {
        for (String name : names) {
            Map<String, String> limits = Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "9000");
            calls.create(Manifests.annotated(Manifests.pod(name, limits), "nvidia.com/vgpu-mode", "mig"));
        }
    }

    /** The instance that a pod was given, as HAMi's device plugin reads it. */
    private JsonNode instance(String name) {
        JsonNode granted = HostileJson.json(calls.annotation(name, HamiObjects.MIG_GRANT));
        assertThat(granted).as(name).hasSize(1);
        return granted.get(0);
    }

    @Test
    void podsThatAskForMemory_getInstances_whichARestartReadsBack() throws Exception {
        plane.addNodes(HamiObjects.migNode());
        create("a", "b");
        SchedulerProcess first = plane.run(TestPlane.settings("hami"));
        calls.awaitBound("a", "b");
        for (String name : List.of("a", "b")) {
            assertThat(instance(name).path("gpuUUID").asText()).isEqualTo("cut");
            assertThat(instance(name).path("profile").asText()).isEqualTo("2g.10gb");
            assertThat(calls.annotation(name, HamiObjects.GRANT)).contains("cut,NVIDIA,9856,29");
        }
        first.close();

        create("c", "d");
        SchedulerProcess second = plane.run(TestPlane.settings("hami"));
        Await.until("one of two is bound", () -> (calls.nodeOf("c") + calls.nodeOf("d")).equals("n1"));
        String third = calls.nodeOf("c").isEmpty() ? "d" : "c";
        String last = third.equals("c") ? "d" : "c";
        calls.awaitPendingBecause(last, "no room now");
        TreeSet<Integer> starts = new TreeSet<>();
        for (String name : List.of("a", "b", third)) {
            starts.add(instance(name).at("/placement/start").asInt());
        }
        assertThat(starts).as("three instances, each at a place of its own").containsExactly(0, 2, 4);
        Await.until("the scheduler has seen what it bound", () -> second.view().binding() == 0);

        calls.delete("a");
        calls.awaitBound(last);
        assertThat(instance(last).path("gpuUUID").asText()).isEqualTo("cut");
    }
}
