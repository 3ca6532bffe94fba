package io.gpusched.examples.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.kubernetes.Manifests;
import io.gpusched.examples.kubernetes.group.Closeness;
import io.gpusched.examples.kubernetes.group.GroupKey;
import io.gpusched.examples.kubernetes.group.GroupSpec;
import io.gpusched.examples.kubernetes.group.GroupVocabulary;
import io.gpusched.examples.kubernetes.queue.Backoff;
import io.gpusched.examples.kubernetes.view.DialectSet;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchedulerStateTest {
    private final FakeApi api = new FakeApi();
    private final SchedulerState state = FakeApi.scheduler("t9k");
    private final List<Change> untold = api.watch();
    private long now;

    private Decisions round() {
        state.apply(List.copyOf(untold), now);
        untold.clear();
        return state.decide(now, 100);
    }

    private List<String> bindAll() {
        Decisions decisions = round();
        decisions.bindings().forEach(binding -> api.bind(binding).ifPresent(untold::add));
        return decisions.bindings().stream()
                .map(binding -> binding.pod().id().name())
                .toList();
    }

    private static Pod gpus(String name, int count) {
        return Manifests.pod(name, T9kDialect.GPU, String.valueOf(count));
    }

    @Test
    void aGrant_carriesTheTimeByWhichTheDevicePluginOfGpuShareFindsPods() {
        SchedulerState gpuShare = FakeApi.scheduler("gpushare");
        api.put(Manifests.node("n", Map.of(), Map.of("aliyun.com/gpu-mem", "30", "aliyun.com/gpu-count", "2")));
        api.create(Manifests.pod("p", "aliyun.com/gpu-mem", "10"));

        gpuShare.apply(untold, now);

        assertThat(gpuShare.decide(now, 1).bindings())
                .singleElement()
                .satisfies(binding -> assertThat(binding.write().annotations())
                        .containsEntry("ALIYUN_COM_GPU_MEM_ASSUME_TIME", "1777636800000000000")
                        .containsEntry("ALIYUN_COM_GPU_MEM_IDX", "0"));
    }

    @Test
    void podsOfOtherNamespaces_areCounted_andNotPlaced() {
        DialectSet dialects = new DialectSet(List.of(Dialects.find("t9k").orElseThrow()));
        Scope scope = new Scope("gpu-sched", Set.of("team"));
        SchedulerState narrow = new SchedulerState(dialects, scope, new Backoff(1_000, 10_000), Clock.systemUTC());
        api.put(Manifests.t9kNode("n1", "xgn", 2));
        api.create(gpus("elsewhere", 1));
        api.create(gpus("runs", 1));
        api.create(new PodBuilder(gpus("ours", 2))
                .editMetadata()
                .withNamespace("team")
                .endMetadata()
                .build());
        Pod bound = api.bound("runs", "n1");
        untold.add(new Change.PodPut(bound));
        narrow.apply(List.copyOf(untold), now);

        Decisions decisions = narrow.decide(now, 10);

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
        plain.apply(untold, now);

        assertThat(plain.decide(now, 10).bindings())
                .singleElement()
                .satisfies(binding -> assertThat(binding.pod().id().name()).isEqualTo("a"));
        assertThat(plain.pendingByReason()).isEqualTo(Map.of(PendingReason.NO_ROOM, 1));
    }

    @Test
    void podsOfHigherPriority_areTriedFirst() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        untold.add(new Change.PriorityPut(new PriorityClassBuilder()
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
        assertThat(bindAll()).containsExactly("high");
    }

    @Test
    void aPodThatFoundNoRoom_isNotTriedAgain_beforeSomethingMayHelpIt() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        api.create(gpus("a", 1));
        api.create(gpus("b", 1));
        assertThat(bindAll()).containsExactly("a");
        now = 60_000;
        api.put(Manifests.t9kNode("shared", "sgn", 4));
        assertThat(round().isEmpty()).isTrue();

        api.delete("a");

        assertThat(bindAll()).containsExactly("b");
    }

    @Test
    void aLostRace_isTriedAgain_withTheNewVersion() {
        api.put(Manifests.t9kNode("n1", "xgn", 1));
        api.create(gpus("a", 1));
        Decisions decisions = round();
        api.relabel("a");
        api.bind(decisions.bindings().get(0)).ifPresent(untold::add);
        assertThat(round().isEmpty()).isTrue();
        now = 1_000;
        assertThat(bindAll()).containsExactly("a");
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
        assertThat(round().isEmpty()).isTrue();
    }

    @Test
    void aPodThatItsDialectRefuses_saysTheRule_andIsNotTriedAgain() {
        api.put(Manifests.t9kNode("n1", "sgn", 8));
        api.create(Manifests.pod("p", T9kDialect.GPU_PERCENT, "130"));
        Refusal refusal = round().refusals().get(0);
        assertThat(refusal.reason()).isEqualTo(PendingReason.REFUSED);
        assertThat(refusal.message().get()).contains("must be in 1..100, got 130");
        now = 60_000;
        api.put(Manifests.t9kNode("n2", "sgn", 8));
        assertThat(round().isEmpty()).isTrue();
        assertThat(state.pendingByReason()).containsExactly(Map.entry(PendingReason.REFUSED, 1));
    }

    private static final GroupKey KEY = new GroupKey(GroupVocabulary.T9K, "default", "g");

    private static Pod member(String name, String role) {
        return Manifests.labelled(Manifests.labelled(gpus(name, 1), T9kDialect.GROUP_NAME, "g"), T9kDialect.ROLE, role);
    }

    private void group(int minimum, Map<String, Integer> roles) {
        api.put(new GroupSpec(KEY, "u", minimum, roles, Closeness.ANYWHERE, "", Optional.empty(), ""));
    }

    @Test
    void aGroup_waitsForItsObject_forItsMembers_andForEachRole() {
        api.put(Manifests.t9kNode("n1", "xgn", 8));
        api.create(member("w0", "worker"));
        api.create(member("w1", "worker"));
        assertThat(round().refusals().get(0).message().get())
                .contains("PodGroup \"g\"")
                .contains("not found");
        now += 1_000;
        group(2, Map.of("ps", 1));
        assertThat(round().refusals().get(0).message().get()).contains("minimum of role \"ps\" is 1");
        now += 10_000;
        api.create(member("ps0", "ps"));
        assertThat(bindAll()).containsExactlyInAnyOrder("w0", "w1", "ps0");
    }

    /** A large group takes seconds to arrive; each pod of it is not a reason to look at all of them. */
    @Test
    void aGroupThatLacksPods_isLookedAtAtMostTwiceASecond_andAtOnceWhenTheyAreThere() {
        api.put(Manifests.t9kNode("n1", "xgn", 4));
        group(4, Map.of());
        api.create(member("m0", "worker"));
        assertThat(round().refusals()).hasSize(1);
        api.create(member("m1", "worker"));
        api.create(member("m2", "worker"));
        assertThat(round().refusals()).isEmpty();
        now += 500;
        assertThat(round().refusals()).hasSize(3);
        api.create(member("m3", "worker"));
        assertThat(bindAll()).hasSize(4);
    }

    @Test
    void membersBeyondTheMinimum_followWhenThereIsRoom() {
        api.put(Manifests.t9kNode("n1", "xgn", 2));
        group(2, Map.of());
        for (int i = 0; i < 3; i++) {
            api.create(member("m" + i, ""));
        }
        assertThat(bindAll()).hasSize(2);
        now += 1_000;
        api.put(Manifests.t9kNode("n2", "xgn", 2));
        assertThat(bindAll()).hasSize(1);
    }

    @Test
    void aGroupThatWasInterrupted_isCompletedBeforeOthersTakeItsRoom() {
        api.put(Manifests.t9kNode("n1", "xgn", 2));
        group(2, Map.of());
        api.create(gpus("older", 1));
        api.create(member("m0", ""));
        api.create(member("m1", ""));
        Pod half = api.bound("m0", "n1");
        untold.add(new Change.PodPut(half));
        assertThat(round().bindings()).extracting(one -> one.pod().id().name()).containsExactly("m1");
    }

    private void group(Closeness closeness) {
        api.put(new GroupSpec(KEY, "u", 4, Map.of(), closeness, "", Optional.empty(), ""));
    }

    private void members(int count) {
        for (int i = 0; i < count; i++) {
            api.create(member("m" + i, ""));
        }
    }

    private List<String> nodes() {
        return api.pods.values().stream()
                .map(pod -> pod.getSpec().getNodeName())
                .filter(java.util.Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    private void node(String name, int gpus, String zone, String rack) {
        api.put(Manifests.t9kNode(name, "xgn", gpus, Map.of("zone", zone, "rack", rack)));
    }

    @Test
    void aRackThatSpansZones_isOneRack_alsoBesideGroupsThatAskForZones() {
        node("a", 2, "z1", "r1");
        node("b", 2, "z2", "r1");
        node("c", 2, "z2", "r2");
        node("d", 8, "z3", "r3");
        api.put(new GroupSpec(
                new GroupKey(GroupVocabulary.T9K, "default", "other"),
                "v",
                2,
                Map.of(),
                Closeness.within("zone"),
                "",
                Optional.empty(),
                ""));
        api.create(Manifests.labelled(gpus("filler-0", 4), T9kDialect.GROUP_NAME, "other"));
        api.create(Manifests.labelled(gpus("filler-1", 4), T9kDialect.GROUP_NAME, "other"));
        assertThat(bindAll()).containsExactlyInAnyOrder("filler-0", "filler-1");
        assertThat(nodes()).containsExactly("d");

        group(Closeness.within("rack"));
        members(4);
        now += 10_000;
        assertThat(bindAll()).hasSize(4);
        assertThat(nodes()).containsExactly("a", "b", "d");
    }

    @Test
    void aGroup_goesToTheNarrowestDomainWithRoom_andNoFurtherThanTheWidestThatItMay() {
        node("a", 2, "z1", "r1");
        node("b", 2, "z1", "r2");
        node("c", 3, "z2", "r3");
        group(new Closeness(List.of("rack", "zone"), true));
        members(4);
        assertThat(bindAll()).hasSize(4);
        assertThat(nodes()).containsExactly("a", "b");
        node("e", 4, "z2", "r4");
        for (int i = 0; i < 4; i++) {
            api.delete("m" + i);
        }
        members(4);
        now += 10_000;
        assertThat(bindAll()).hasSize(4);
        assertThat(nodes()).containsExactly("e");
    }

    @Test
    void aDomainThatIsOnlyPreferred_isLeftForOthers_whereThereIsNoRoom() {
        node("a", 3, "z1", "r1");
        node("b", 1, "z2", "r2");
        group(Closeness.within("rack"));
        members(4);
        assertThat(round().bindings()).isEmpty();
        now += 10_000;
        group(new Closeness(List.of("rack"), false));
        assertThat(bindAll()).hasSize(4);
    }
}
