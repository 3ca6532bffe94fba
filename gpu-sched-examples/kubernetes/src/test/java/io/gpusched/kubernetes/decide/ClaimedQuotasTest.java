package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.kubernetes.DeviceObjects;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.QueueObjects;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.PodId;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Devices that jobs have by claims count for their queues as any GPUs do, are preempted as these, and every plan is checked. */
class ClaimedQuotasTest {
    private final FakeApi api = new FakeApi();
    private final List<Change> watch = api.watch();
    private final SchedulerState state = new SchedulerState(
            new DialectSet(List.of(Dialects.find("nvidia").orElseThrow())),
            Scope.of("gpu-sched"),
            new Backoff(1_000, 10_000),
            600_000,
            Clock.fixed(Instant.ofEpochSecond(1_777_636_800), ZoneOffset.UTC),
            QueueSettings.of(QueueVocabulary.GPU_SCHED).verifying());
    private long now;

    @BeforeEach
    void putNode() {
        put(DeviceObjects.CLASS);
        put(DeviceObjects.slice("d0", 4));
        api.put(Manifests.node("d0", Map.of(), Map.of()));
    }

    private void put(String yaml) {
        watch.add(new Change.DevicesPut(YamlReader.parse("object", yaml).get(0), true));
    }

    private void queue(String name, int deserved, int limit) {
        watch.add(new Change.QueuePut(QueueVocabulary.GPU_SCHED.read(QueueObjects.queue(
                QueueVocabulary.GPU_SCHED,
                name,
                Map.of("resources", Map.of("gpu", Map.of("deserved", deserved, "limit", limit)))))));
    }

    private static Pod pod(String name, String queue, String claim) {
        return new PodBuilder(Manifests.labelled(Manifests.pod(name, Map.of()), QueueVocabulary.QUEUE, queue))
                .editSpec()
                .withPriority(0)
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec()
                .build();
    }

    private void create(String name, String queue, int gpus) {
        put(DeviceObjects.claim(name, gpus));
        api.create(pod(name, queue, name));
    }

    private Decisions decide() {
        now += 11_000;
        state.apply(List.copyOf(watch), now);
        watch.clear();
        Decisions decisions = state.decide(now);
        for (Binding binding : decisions.bindings()) {
            binding.devices()
                    .forEach(claim -> claim.devices()
                            .ifPresent(devices -> put(DeviceObjects.allocated(
                                    DeviceObjects.claim(
                                            claim.name(), devices.grants().size()),
                                    binding.placement().node(),
                                    devices.grants().stream()
                                            .map(grant -> grant.device().device())
                                            .toList()))));
            assertThat(api.bind(binding)).isEmpty();
        }
        return decisions;
    }

    private Set<String> started() {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            decide().bindings().forEach(binding -> names.add(binding.pod().id().name()));
        }
        return names;
    }

    private void end(String name, int gpus) {
        api.delete(name);
        put(DeviceObjects.claim(name, gpus));
    }

    @Test
    void aQueueHoldsNoMoreDevicesThanItsLimit_andWhatEndsIsReleased() {
        queue("q", 2, 2);
        create("a", "q", 1);
        create("b", "q", 1);
        create("c", "q", 1);
        assertThat(started()).hasSize(2);
        String first = api.pods.get("a").getSpec().getNodeName() == null ? "b" : "a";
        end(first, 1);
        assertThat(started()).hasSize(1);
    }

    @Test
    void devicesThatAGroupShares_countOnceForItsQueue() {
        queue("q", 3, 3);
        GroupKey key = new GroupKey(GroupVocabulary.COSCHEDULING, "default", "g");
        api.put(new GroupSpec(key, "u", 3, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), "").inQueue("q"));
        put(DeviceObjects.claim("shared", 2));
        for (String name : List.of("g0", "g1", "g2")) {
            api.create(Manifests.labelled(pod(name, "q", "shared"), "scheduling.x-k8s.io/pod-group", key.name()));
        }
        assertThat(started()).containsExactly("g0", "g1", "g2");
        create("one", "q", 1);
        create("two", "q", 1);
        assertThat(started()).hasSize(1);
    }

    @Test
    void podsOfAQueueThatHoldsMoreThanItDeserves_leaveTheirDevicesToAnother() {
        queue("rich", 1, 4);
        queue("poor", 3, 4);
        for (String name : List.of("a", "b", "c", "d")) {
            create(name, "rich", 1);
        }
        assertThat(started()).hasSize(4);
        create("mine", "poor", 2);
        List<PodId> victims = decide().rooms().stream()
                .flatMap(room -> room.victims().stream())
                .map(victim -> victim.pod())
                .toList();
        assertThat(victims).hasSize(2);
        for (PodId victim : victims) {
            end(victim.name(), 1);
        }
        assertThat(started()).containsExactly("mine");
        assertThat(state.cluster().node("d0").orElseThrow().idleGpus()).isZero();
    }

    /** The only GPU of a node draws this much of a counter that has one. */
    private void putDrawing(String node, int amount) {
        String slice =
                "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s-%2$s}, spec: {driver:"
                        + " gpu.nvidia.com, nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 2}, %3$s}}";
        put(slice.formatted(node, "0", "sharedCounters: [{name: set, counters: {power: {value: '1'}}}]"));
        put(slice.formatted(
                node,
                "1",
                "devices: [{name: gpu-0, attributes: {type: {string: gpu}, uuid: {string: U}, productName: {string:"
                        + " NVIDIA A100-SXM4-40GB}}, capacity: {memory: {value: 40Gi}}, consumesCounters:"
                        + " [{counterSet: set, counters: {power: {value: '" + amount + "'}}}]}]"));
        api.put(Manifests.node(node, Map.of(), Map.of()));
    }

    @Test
    void devicesThatBreakALawOfClaims_areNotWritten() {
        api.removeNode("d0");
        queue("q", 4, 4);
        create("a", "q", 1);
        putDrawing("over", 2);
        assertThat(started()).isEmpty();
        api.removeNode("over");
        putDrawing("within", 1);
        assertThat(started()).containsExactly("a");
    }
}
