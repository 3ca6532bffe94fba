package io.gpusched.kubernetes.decide;

import static io.gpusched.kubernetes.Manifests.annotated;
import static io.gpusched.kubernetes.Manifests.labelled;
import static io.gpusched.kubernetes.QueueObjects.budget;
import static io.gpusched.kubernetes.QueueObjects.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.decision.ReducedGuarantee;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.TestClock;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.grant.JobRecord;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.policy.CycleSettings.Backfill;
import io.gpusched.workload.Shape;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues that own cells, on two racks of two nodes of two GPUs, by a scheduler that may start again. */
class OwnedCellsTest {
    private static final String MODEL = "NVIDIA-A10";

    private final FakeApi api = new FakeApi();
    private final List<Change> others = new ArrayList<>();
    private final Set<String> evicted = new TreeSet<>();
    private List<Change> changes = api.watch();
    private SchedulerState state = scheduler();
    private long now;

    private static SchedulerState scheduler() {
        return new SchedulerState(
                new DialectSet(List.of(Dialects.find("t9k").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(1_000, 10_000),
                600_000,
                TestClock.at("2026-05-01T12:00:00Z"),
                Optional.of(QueueVocabulary.GPU_SCHED),
                Backfill.ANYONE);
    }

    /** What runs by default is within what its queue deserves, so that nobody else may take it back. */
    @BeforeEach
    void addNodesAndTheirUsers() {
        List.of("a0", "a1", "b0", "b1").forEach(name -> api.put(node(name)));
        Map<String, Integer> any = Map.of("deserved", -1);
        put("default", Map.of("resources", Map.of("gpu", any, "cpu", any, "memory", any)));
    }

    private static Node node(String name) {
        return Manifests.t9kNode(name, "xgn", 2, Map.of("rack", name.substring(0, 1)));
    }

    private static Map<String, Object> shape(int count, String level, int size) {
        return Map.of("count", count, "level", level, "size", size, "model", MODEL);
    }

    private void own(String name, Object... shapes) {
        put(name, Map.of("shapes", List.of(shapes)));
    }

    private void put(String name, Map<String, ?> spec) {
        Change put = new Change.QueuePut(QueueVocabulary.GPU_SCHED.read(queue(QueueVocabulary.GPU_SCHED, name, spec)));
        others.add(put);
        changes.add(put);
    }

    private void restart() {
        changes = api.watch();
        changes.addAll(0, others);
        state = scheduler();
    }

    private static Pod asking(String name, String queue, int gpus) {
        return labelled(Manifests.pod(name, T9kDialect.GPU, String.valueOf(gpus)), QueueVocabulary.QUEUE, queue);
    }

    /** Two pods of a node each, in one rack. */
    private void createGang(String name, String queue) {
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", name);
        GroupLocality rack = new GroupLocality(List.of("rack"), true);
        api.put(new GroupSpec(key, "u", 2, Map.of(), rack, "", Optional.empty(), "").inQueue(queue));
        for (int i = 0; i < 2; i++) {
            api.create(labelled(asking(name + "-" + i, queue, 2), T9kDialect.GROUP_NAME, name));
        }
    }

    /** Decides and writes until there is nothing more to write; those who are evicted are gone at once. */
    private void settle() {
        for (int i = 0; i < 20; i++) {
            tell();
            Decisions decisions = state.decide(now, 1);
            decisions.bindings().forEach(binding -> api.bind(binding).ifPresent(changes::add));
            decisions.rooms().stream().map(Room::victims).forEach(this::evict);
            if (changes.isEmpty()) {
                return;
            }
        }
        throw new AssertionError("the plans do not come to an end");
    }

    private void evict(List<NominationRecord.Victim> victims) {
        for (NominationRecord.Victim victim : victims) {
            evicted.add(victim.pod().name());
            api.delete(victim.pod().name());
        }
    }

    private String nodeOf(String name) {
        return String.valueOf(api.pods.get(name).getSpec().getNodeName());
    }

    private void fill() {
        for (int i = 0; i < 8; i++) {
            api.create(asking("low-" + i, "default", 1));
        }
        settle();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPodInANodeThatItsQueueOwns_startsByEvictingThoseWhoRunThere_andNobodyElse(boolean restarts) {
        own("owner", shape(1, "node", 2));
        fill();
        api.create(asking("first", "owner", 2));
        if (restarts) {
            restart();
        }
        settle();
        assertThat(evicted).hasSize(2);
        assertThat(nodeOf("first")).isNotEqualTo("null");
        if (restarts) {
            restart();
        }
        api.create(asking("second", "owner", 2));
        settle();
        assertThat(evicted).as("the queue owns one node").hasSize(2);
    }

    @Test
    void aGangOfAQueueThatOwnsARack_startsInOne_byTheLabelOfItsNodes() {
        own("owner", shape(1, "rack", 2));
        fill();
        createGang("gang", "owner");
        settle();
        assertThat(evicted).hasSize(4);
        assertThat(nodeOf("gang-0").charAt(0)).isEqualTo(nodeOf("gang-1").charAt(0));
        assertThat(JobRecord.of(api.pods.get("gang-0")).orElseThrow().cells())
                .containsExactly(
                        new ShapeCell(MODEL, "rack", "rack=" + nodeOf("gang-0").charAt(0)));
    }

    /** One rack is broken since: by where the pod runs alone, the other would be of the first queue. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoStartedInItsCell_keepsIt_alsoAfterARestart_whateverIsMissingElsewhere(boolean restarts) {
        own("a-older", shape(1, "rack", 2));
        own("b-younger", shape(1, "node", 2));
        api.create(asking("pod", "b-younger", 2));
        settle();
        String broken = nodeOf("pod").startsWith("a") ? "b0" : "a0";
        api.put(new NodeBuilder(node(broken))
                .editOrNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .build());
        if (restarts) {
            restart();
        }
        createGang("gang", "a-older");
        settle();
        assertThat(evicted).isEmpty();
        assertThat(nodeOf("gang-0")).isEqualTo("null");
    }

    @Test
    void aCellThatIsNotWhereItsPodRuns_isForgotten_andItsOwnIsFound() {
        own("a-older", shape(1, "rack", 2));
        own("b-younger", shape(1, "node", 2));
        api.create(asking("pod", "b-younger", 2));
        settle();
        JobRecord record = JobRecord.of(api.pods.get("pod")).orElseThrow();
        String elsewhere = nodeOf("pod").startsWith("a") ? "b0" : "a0";
        List<ShapeCell> wrong = List.of(new ShapeCell(MODEL, Shape.NODE, elsewhere));
        api.replace(annotated(
                api.pods.get("pod"),
                JobRecord.ANNOTATION,
                new JobRecord(record.queue(), record.group(), true, record.started(), wrong).write()));
        restart();
        createGang("gang", "a-older");
        settle();
        assertThat(evicted).isEmpty();
        assertThat(JobRecord.of(api.pods.get("gang-0")).orElseThrow().cells())
                .as("it is in the rack that its queue owns")
                .containsExactly(new ShapeCell(MODEL, "rack", "rack=" + elsewhere.charAt(0)));
    }

    @Test
    void whomABudgetProtects_staysInACellThatOthersOwn() {
        own("owner", shape(1, "node", 2));
        fill();
        for (String name : List.of("a0", "a1", "b0")) {
            String protectedPod = api.pods.values().stream()
                    .filter(pod -> name.equals(pod.getSpec().getNodeName()))
                    .findFirst()
                    .orElseThrow()
                    .getMetadata()
                    .getName();
            api.replace(labelled(api.pods.get(protectedPod), "app", "kept"));
        }
        changes.add(new Change.BudgetPut(budget("keep", "app", "kept", 0)));
        api.create(asking("first", "owner", 2));
        settle();
        assertThat(nodeOf("first")).isEqualTo("b1");
        assertThat(evicted).hasSize(2);
    }

    @Test
    void priorityBelowZero_startsByNobodysEviction() {
        own("owner", shape(4, "node", 2));
        fill();
        api.create(new PodBuilder(asking("spare", "owner", 2))
                .editSpec()
                .withPriority(-1)
                .endSpec()
                .build());
        settle();
        assertThat(evicted).isEmpty();
    }

    @Test
    void whatAQueueOwnsAndDoesNotHave_isFound_untilItIsThere() {
        own("owner", shape(2, "rack", 2));
        own("plain");
        settle();
        assertThat(state.queueCells()).containsExactly(new QueueCells("owner", List.of(), List.of()));
        api.removeNode("b0");
        settle();
        assertThat(state.queueCells())
                .containsExactly(new QueueCells(
                        "owner",
                        List.of(),
                        List.of(new ReducedGuarantee("owner", new Shape(2, "rack", 2, MODEL), 1, List.of()))));
        api.put(node("b0"));
        settle();
        assertThat(state.queueCells()).containsExactly(new QueueCells("owner", List.of(), List.of()));
    }

    /** Until it is known where it runs, it cannot be evicted. */
    @Test
    void whileAPodIsBeingBound_nothingIsSaidToBeMissing() {
        own("owner", shape(4, "node", 2));
        settle();
        api.create(asking("low", "default", 1));
        tell();
        assertThat(state.decide(now, 1).bindings()).hasSize(1);
        api.create(asking("other", "elsewhere", 1));
        tell();
        state.decide(now, 1);
        assertThat(state.queueCells()).containsExactly(new QueueCells("owner", List.of(), List.of()));
    }

    private void tell() {
        now += 1_000;
        state.apply(List.copyOf(changes), now);
        changes.clear();
    }

    @Test
    void aNodeThatIsNotToBeUsed_hasNoCells() {
        own("owner", shape(3, "node", 2));
        api.put(new NodeBuilder(node("a0"))
                .editOrNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .build());
        settle();
        assertThat(state.queueCells().get(0).missing()).isEmpty();
        api.put(new NodeBuilder(node("b0"))
                .editOrNewSpec()
                .addNewTaint()
                .withKey("node.kubernetes.io/not-ready")
                .withEffect("NoExecute")
                .endTaint()
                .endSpec()
                .build());
        settle();
        assertThat(state.queueCells().get(0).missing())
                .containsExactly(new ReducedGuarantee("owner", new Shape(3, "node", 2, MODEL), 1, List.of("a0", "b0")));
    }

    @Test
    void aLevelOrModelThatTheClusterDoesNotHave_isNamed_untilItHas() {
        own("owner", shape(1, "block", 1), Map.of("count", 1, "level", "gpu", "size", 2, "model", "H100"));
        settle();
        assertThat(state.queueCells().get(0).unhonoured())
                .containsExactly(
                        "spec.shapes[0].level: no node has label \"block\"",
                        "spec.shapes[1].model: no node has GPUs of model \"H100\"");
        assertThat(state.queueCells().get(0).missing()).hasSize(2);
        api.put(new NodeBuilder(node("a0"))
                .editMetadata()
                .addToLabels("block", "1")
                .endMetadata()
                .build());
        settle();
        assertThat(state.queueCells().get(0).unhonoured())
                .containsExactly("spec.shapes[1].model: no node has GPUs of model \"H100\"");
        assertThat(state.queueCells().get(0).missing()).hasSize(1);
    }
}
