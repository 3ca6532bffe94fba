package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.kubernetes.HamiObjects;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.dialect.HamiAnnotations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods whose GPUs go by the pair scores that HAMi's device plugin writes onto nodes. */
class HamiPairScoresTest {
    private static final String REGISTERED = "GPU-a,10,16000,100,NVIDIA-T4,0,true:GPU-b,10,16000,100,NVIDIA-T4,0,true:"
            + "GPU-c,10,16000,100,NVIDIA-T4,0,true:";

    private final FakeApi api = new FakeApi();
    private final SchedulerState state = FakeApi.scheduler("hami");
    private final List<Change> untold = api.watch();
    private long now;

    /** Two of the three GPUs are near each other. */
    private void putNode(String one, String other) {
        Map<String, String> annotations = new HashMap<>(Map.of(HamiDialect.REGISTRATION, REGISTERED));
        annotations.put(
                HamiAnnotations.PAIR_SCORES,
                "[{\"uuid\":\"" + one + "\",\"score\":{\"" + other + "\":300}},{\"uuid\":\"" + other
                        + "\",\"score\":{\"" + one + "\":300}}]");
        api.put(HamiObjects.node(annotations, Map.of("nvidia.com/gpu", "30")));
    }

    private void createTopologyAware(String name) {
        Pod pod = Manifests.pod(name, Map.of("nvidia.com/gpu", "2", "nvidia.com/gpumem", "1000"));
        pod.getMetadata().setAnnotations(Map.of("hami.io/gpu-scheduler-policy", "topology-aware"));
        api.create(pod);
    }

    private Decisions round() {
        now += 1_000_000;
        state.apply(List.copyOf(untold), now);
        untold.clear();
        return state.decide(now);
    }

    private String grant() {
        List<Binding> bindings = round().bindings();
        assertThat(bindings).hasSize(1);
        return bindings.get(0).write().annotations().get(HamiObjects.GRANT);
    }

    @Test
    void aTopologyAwarePod_getsTheGpusThatTheScoresSayAreNear() {
        putNode("GPU-a", "GPU-c");
        createTopologyAware("p");

        assertThat(grant()).contains("GPU-a,").contains("GPU-c,").doesNotContain("GPU-b,");
    }

    @Test
    void scoresThatChange_countForTheNextPod() {
        putNode("GPU-a", "GPU-c");
        round();
        putNode("GPU-b", "GPU-c");
        createTopologyAware("p");

        assertThat(grant()).contains("GPU-b,").contains("GPU-c,").doesNotContain("GPU-a,");
    }

    @Test
    void aNodeWhoseScoresCannotBeRead_takesNoPods_untilTheyCan() {
        api.put(HamiObjects.node(
                Map.of(HamiDialect.REGISTRATION, REGISTERED, HamiAnnotations.PAIR_SCORES, "[{"),
                Map.of("nvidia.com/gpu", "30")));
        createTopologyAware("p");

        assertThat(round().bindings()).isEmpty();
        assertThat(state.troubles())
                .anySatisfy(trouble -> assertThat(trouble.message()).contains(HamiAnnotations.PAIR_SCORES));

        putNode("GPU-a", "GPU-b");
        assertThat(grant()).contains("GPU-a,").contains("GPU-b,").doesNotContain("GPU-c,");
    }
}
