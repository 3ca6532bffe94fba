package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.view.DialectSet;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchedulerStateTest {
    private final Rounds rounds = new Rounds("t9k");
    private final FakeApi api = rounds.api;

    private static Pod gpus(String name, int count) {
        return Manifests.pod(name, T9kDialect.GPU, String.valueOf(count));
    }

    @Test
    void aGrant_carriesTheTimeByWhichTheDevicePluginOfGpuShareFindsPods() {
        SchedulerState gpuShare = FakeApi.scheduler("gpushare");
        api.put(Manifests.node("n", Map.of(), Map.of("aliyun.com/gpu-mem", "30", "aliyun.com/gpu-count", "2")));
        api.create(Manifests.pod("p", "aliyun.com/gpu-mem", "10"));

        gpuShare.apply(rounds.untold, rounds.now);

        assertThat(gpuShare.decide(rounds.now).bindings())
                .singleElement()
                .satisfies(binding -> assertThat(binding.write().annotations())
                        .containsEntry("ALIYUN_COM_GPU_MEM_ASSUME_TIME", "1777636800000000000")
                        .containsEntry("ALIYUN_COM_GPU_MEM_IDX", "0"));
    }

    @Test
    void podsOfOtherNamespaces_areCounted_andNotPlaced() {
        DialectSet dialects = new DialectSet(List.of(Dialects.find("t9k").orElseThrow()));
        Scope scope = new Scope("gpu-sched", Set.of("team"));
        SchedulerState narrow = new SchedulerState(
                dialects, scope, new Backoff(1_000, 10_000), 600_000, Clock.systemUTC(), QueueSettings.NONE);
        api.put(Manifests.t9kNode("n1", "xgn", 2));
        api.create(gpus("elsewhere", 1));
        api.create(gpus("runs", 1));
        api.create(new PodBuilder(gpus("ours", 2))
                .editMetadata()
                .withNamespace("team")
                .endMetadata()
                .build());
        Pod bound = api.bound("runs", "n1");
        rounds.untold.add(new Change.PodPut(bound));
        narrow.apply(List.copyOf(rounds.untold), rounds.now);

        Decisions decisions = narrow.decide(rounds.now);

        assertThat(decisions.bindings()).isEmpty();
        assertThat(decisions.refusals())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.pod().id()).hasToString("team/ours"));
    }

    @Test
    void overheadInAResourceThatNoContainerAsksFor_isCounted() {
        SchedulerState plain = FakeApi.scheduler("device-plugin");
        api.put(Manifests.node("n1", Map.of(), Map.of("ephemeral-storage", "10Gi")));
        for (String name : List.of("a", "b")) {
            Pod pod = Manifests.pod(name, Map.of());
            pod.getSpec().setOverhead(Map.of("ephemeral-storage", new Quantity("6Gi")));
            api.create(pod);
        }
        plain.apply(rounds.untold, rounds.now);

        assertThat(plain.decide(rounds.now).bindings())
                .singleElement()
                .satisfies(binding -> assertThat(binding.pod().id().name()).isEqualTo("a"));
        assertThat(plain.pendingByReason()).isEqualTo(Map.of(PendingReason.NO_ROOM, 1));
    }

    @Test
    void podsOfHigherPriority_areTriedFirst() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        rounds.untold.add(new Change.PriorityPut(new PriorityClassBuilder()
                .withNewMetadata()
                .withName("high")
                .endMetadata()
                .withValue(1_000)
                .build()));
        api.create(gpus("low", 1));
        api.create(new PodBuilder(gpus("high", 1))
                .editSpec()
                .withPriorityClassName("high")
                .endSpec()
                .build());
        assertThat(rounds.bindAll()).containsExactly("high");
    }

    @Test
    void aPodThatFoundNoRoom_isBoundOnceThereIsRoom() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        api.create(gpus("a", 1));
        api.create(gpus("b", 1));
        assertThat(rounds.bindAll()).containsExactly("a");
        rounds.now = 60_000;
        api.put(Manifests.t9kNode("shared", "sgn", 4));
        assertThat(rounds.decide().bindings()).isEmpty();

        api.delete("a");

        assertThat(rounds.bindAll()).containsExactly("b");
    }

    @Test
    void aLostRace_isTriedAgain_withTheNewVersion() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        api.create(gpus("a", 1));
        Decisions decisions = rounds.decide();
        api.relabel("a");
        api.bind(decisions.bindings().get(0)).ifPresent(rounds.untold::add);
        assertThat(rounds.decide().bindings()).isEmpty();
        rounds.now += 1_000;
        assertThat(rounds.bindAll()).containsExactly("a");
        assertThat(api.pods.get("a").getSpec().getNodeName()).isEqualTo("n1");
    }

    @Test
    void gatedPods_otherSchedulersPods_andPodsThatAreDeleted_areLeftAlone() {
        api.put(Manifests.t9kNode("n1", "xgn", 8));
        api.create(new PodBuilder(gpus("gated", 1))
                .editSpec()
                .addNewSchedulingGate("wait")
                .endSpec()
                .build());
        api.create(new PodBuilder(gpus("other", 1))
                .editSpec()
                .withSchedulerName("default-scheduler")
                .endSpec()
                .build());
        api.create(new PodBuilder(gpus("going", 1))
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build());
        assertThat(rounds.decide().isEmpty()).isTrue();
    }

    @Test
    void aPodThatItsDialectRefuses_saysTheRule() {
        api.put(Manifests.t9kNode("n1", "sgn", 8));
        api.create(Manifests.pod("p", T9kDialect.GPU_PERCENT, "130"));
        Refusal refusal = rounds.decide().refusals().get(0);
        assertThat(refusal.reason()).isEqualTo(PendingReason.REFUSED);
        assertThat(refusal.message().get()).contains("must be in 1..100, got 130");
        rounds.now = 60_000;
        api.put(Manifests.t9kNode("n2", "sgn", 8));
        assertThat(rounds.decide().bindings()).isEmpty();
        assertThat(rounds.state.pendingByReason()).containsExactly(Map.entry(PendingReason.REFUSED, 1));
    }
}
