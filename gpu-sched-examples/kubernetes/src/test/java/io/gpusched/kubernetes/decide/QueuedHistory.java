package io.gpusched.kubernetes.decide;

import static io.gpusched.kubernetes.QueueObjects.budget;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Bookings;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.QueueObjects;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.Trouble;
import io.gpusched.model.PodId;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.Eviction;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A random history of a cluster with queues, gangs and evictions, in which everything changes between a plan and its binding: pods come
 * again under the same name and ask for something else, nodes are lost, cordoned, tainted and come again, groups and queues change,
 * budgets and others come in between, and the scheduler is killed. The checker judges each plan, and this class each binding.
 */
final class QueuedHistory {
    private static final List<String> GANGS = List.of("g0", "g1", "g2");
    private static final List<String> QUEUES = List.of("", "a", "b", "c");

    final FakeApi api = new FakeApi();

    /** What was done that must not be. */
    final List<String> faults = new ArrayList<>();

    /** What happened, in its order. */
    final List<String> log = new ArrayList<>();

    private final Random random;
    private List<Change> changes = api.watch();
    private SchedulerState state;
    private final Map<String, Change> queues = new TreeMap<>();
    private final Map<String, Change> budgets = new TreeMap<>();
    private final Deque<Runnable> writes = new ArrayDeque<>();
    private final Set<String> evicted = new TreeSet<>();
    private long now;
    private int names;

    QueuedHistory(long seed) {
        random = new Random(seed);
        state = scheduler();
        for (int n = 0; n < 4; n++) {
            api.put(node("n" + n));
        }
    }

    private SchedulerState scheduler() {
        Clock clock = Clock.fixed(Instant.ofEpochSecond(1_777_636_800), ZoneOffset.UTC);
        return new SchedulerState(
                new DialectSet(List.of(Dialects.find("t9k").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(1_000, 10_000),
                600_000,
                clock,
                QueueSettings.of(QueueVocabulary.GPU_SCHED)
                        .withBackfill(random.nextBoolean() ? Backfill.PROMISED : Backfill.ANYONE)
                        .verifying());
    }

    private Node node(String name) {
        return Manifests.t9kNode(name, "xgn", 1 + random.nextInt(3), Map.of("rack", "r" + random.nextInt(2)));
    }

    private String any(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private Pod newPod(String name) {
        Pod pod = new PodBuilder(Manifests.pod(name, T9kDialect.GPU, String.valueOf(1 + random.nextInt(2))))
                .editMetadata()
                .withCreationTimestamp("2026-05-01T11:" + (10 + names++ % 50) + ":00Z")
                .addToLabels("app", "x" + random.nextInt(3))
                .endMetadata()
                .editSpec()
                .withPriority(10 * random.nextInt(4))
                .endSpec()
                .build();
        String queue = any(QUEUES);
        if (!queue.isEmpty()) {
            pod = Manifests.labelled(pod, QueueVocabulary.QUEUE, queue);
        }
        if (random.nextInt(6) == 0) {
            pod = Manifests.labelled(pod, QueueVocabulary.PREEMPTIBLE, "false");
        }
        if (random.nextInt(4) == 0) {
            pod.getSpec().setActiveDeadlineSeconds(60L + random.nextInt(1_000));
        }
        if (random.nextInt(5) == 0) {
            pod.getSpec().setNodeSelector(Map.of("rack", "r" + random.nextInt(2)));
        }
        if (random.nextInt(2) == 0) {
            pod = Manifests.labelled(pod, T9kDialect.GROUP_NAME, any(GANGS));
            if (random.nextInt(3) == 0) {
                pod = Manifests.labelled(pod, T9kDialect.ROLE, "ps");
            }
        }
        return pod;
    }

    private Optional<Pod> anyPod() {
        return api.pods.isEmpty()
                ? Optional.empty()
                : Optional.of(List.copyOf(api.pods.values()).get(random.nextInt(api.pods.size())));
    }

    void step() {
        int kind = random.nextInt(30);
        int at = log.size();
        switch (kind) {
            case 0, 1, 2, 3, 4 -> create("p" + random.nextInt(14));
            case 5 -> anyPod().ifPresent(pod -> api.delete(pod.getMetadata().getName()));
            case 6 ->
                anyPod().ifPresent(pod -> {
                    log.add("again " + pod.getMetadata().getName());
                    api.delete(pod.getMetadata().getName());
                    create(pod.getMetadata().getName());
                });
            case 7 -> anyPod().ifPresent(pod -> api.replace(Manifests.labelled(pod, "app", "y" + random.nextInt(3))));
            case 8, 9 -> group();
            case 10 -> queue();
            case 11 ->
                put(
                        budgets,
                        "x" + random.nextInt(3),
                        name -> new Change.BudgetPut(budget(name, "app", name, random.nextInt(3))));
            case 12 -> removeGroup();
            case 13 -> removeQueue();
            case 14 -> removeNode();
            case 15 -> api.put(node("n" + random.nextInt(5)));
            case 16, 17 -> change();
            case 18 -> foreign();
            case 19 -> restart();
            case 20 -> end();
            case 21 -> givenUp();
            case 22 ->
                anyPod().filter(pod -> pod.getSpec().getNodeName() != null)
                        .ifPresent(pod -> api.replace(new PodBuilder(pod)
                                .editOrNewStatus()
                                .withPhase(random.nextBoolean() ? "Succeeded" : "Failed")
                                .endStatus()
                                .build()));
            case 23, 24 -> {
                for (int i = random.nextInt(4); i > 0 && !writes.isEmpty(); i--) {
                    writes.remove().run();
                }
            }
            default -> decide();
        }
        if (log.size() == at) {
            log.add("step " + kind);
        }
    }

    private void put(Map<String, Change> objects, String name, Function<String, Change> change) {
        Change one = change.apply(name);
        objects.put(name, one);
        changes.add(one);
    }

    private void create(String name) {
        if (!api.pods.containsKey(name)) {
            api.create(newPod(name));
            Pod pod = api.pods.get(name);
            log.add("create " + name + " " + pod.getSpec().getPriority() + " "
                    + pod.getMetadata().getLabels() + " "
                    + pod.getSpec()
                            .getContainers()
                            .get(0)
                            .getResources()
                            .getLimits()
                            .get(T9kDialect.GPU));
        }
    }

    private void group() {
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", any(GANGS));
        GroupSpec spec = new GroupSpec(
                key,
                "u" + random.nextInt(2),
                1 + random.nextInt(3),
                random.nextInt(4) == 0 ? Map.of("ps", 1) : Map.of(),
                switch (random.nextInt(4)) {
                    case 0 -> GroupLocality.within("rack");
                    case 1 -> GroupLocality.of("", "rack");
                    default -> GroupLocality.ANYWHERE;
                },
                "",
                random.nextBoolean() ? Optional.empty() : Optional.of(10 * random.nextInt(5)),
                "");
        spec = spec.inQueue(any(QUEUES)).withEviction(Eviction.values()[random.nextInt(Eviction.values().length)]);
        if (random.nextInt(8) == 0) {
            spec = spec.withProblem("something");
        }
        log.add("group " + spec);
        api.put(spec);
    }

    private void removeGroup() {
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", any(GANGS));
        api.groups.remove(key);
        log.add("remove " + key);
        changes.add(new Change.GroupGone(key));
    }

    private void queue() {
        String name = any(QUEUES.subList(1, 4));
        Map<String, Object> spec = new TreeMap<>();
        int gpus = random.nextInt(4);
        spec.put(
                "resources",
                Map.of(
                        "gpu",
                                random.nextInt(3) == 0
                                        ? Map.of("deserved", gpus, "limit", gpus + 1)
                                        : Map.of("deserved", gpus),
                        "cpu", Map.of("deserved", 8),
                        "memory", Map.of("deserved", "8Gi")));
        if (random.nextInt(3) == 0) {
            spec.put("parent", any(List.of("a", "b", "c", "d")));
        }
        if (random.nextInt(5) == 0) {
            spec.put("closed", true);
        }
        if (random.nextInt(5) == 0) {
            spec.put("preemptible", false);
        }
        log.add("queue " + name + " " + spec);
        put(
                queues,
                name,
                any -> new Change.QueuePut(
                        QueueVocabulary.GPU_SCHED.read(QueueObjects.queue(QueueVocabulary.GPU_SCHED, any, spec))));
    }

    private void removeQueue() {
        String name = any(QUEUES.subList(1, 4));
        queues.remove(name);
        log.add("remove queue " + name);
        changes.add(new Change.QueueGone(name));
    }

    private void removeNode() {
        String name = "n" + random.nextInt(5);
        if (api.nodes.containsKey(name)) {
            log.add("remove node " + name);
            api.removeNode(name);
            if (random.nextBoolean()) {
                log.add("and add it again");
                api.put(node(name));
            }
        }
    }

    private void change() {
        if (api.nodes.isEmpty()) {
            return;
        }
        String name = any(List.copyOf(api.nodes.keySet()));
        Node node = api.nodes.get(name);
        UnaryOperator<NodeBuilder> edit = switch (random.nextInt(6)) {
            case 0 -> builder -> builder.editSpec().withUnschedulable(true).endSpec();
            case 1 ->
                builder ->
                        builder.editSpec().withUnschedulable(false).withTaints().endSpec();
            case 2 ->
                builder -> builder.editSpec()
                        .addNewTaint()
                        .withKey("node.kubernetes.io/unreachable")
                        .withEffect("NoExecute")
                        .endTaint()
                        .endSpec();
            case 3 ->
                builder -> builder.editSpec()
                        .addNewTaint()
                        .withKey("down")
                        .withEffect("NoSchedule")
                        .endTaint()
                        .endSpec();
            case 4 ->
                builder -> builder.editStatus()
                        .addToAllocatable(T9kDialect.GPU, new Quantity(String.valueOf(random.nextInt(3))))
                        .endStatus();
            default ->
                builder -> builder.editMetadata()
                        .addToLabels("rack", "r" + random.nextInt(3))
                        .endMetadata();
        };
        Node changed = edit.apply(new NodeBuilder(node)).build();
        log.add("node " + name + " " + changed.getSpec()
                + changed.getStatus().getAllocatable().get(T9kDialect.GPU)
                + changed.getMetadata().getLabels().get("rack"));
        api.put(changed);
    }

    /** Another scheduler binds a pod to a node on which nothing runs. */
    private void foreign() {
        String name = "foreign" + names++;
        String node = "n" + random.nextInt(5);
        if (!api.nodes.containsKey(node)
                || api.pods.values().stream()
                        .anyMatch(pod -> node.equals(pod.getSpec().getNodeName()))) {
            return;
        }
        Pod pod = Manifests.pod(name, T9kDialect.GPU, "1");
        pod.getSpec().setSchedulerName("another");
        pod.getSpec().setNodeName(node);
        log.add("foreign pod on " + node);
        api.create(pod);
    }

    private void restart() {
        log.add("restart");
        api.watchers.clear();
        changes = api.watch();
        changes.addAll(queues.values());
        changes.addAll(budgets.values());
        writes.clear();
        state = scheduler();
    }

    /** Evicted pods end. */
    private void end() {
        for (String name : List.copyOf(evicted)) {
            if (random.nextBoolean()) {
                evicted.remove(name);
                Pod pod = api.pods.get(name);
                if (pod != null && pod.getMetadata().getDeletionTimestamp() != null) {
                    log.add("ends " + name);
                    api.delete(name);
                }
            }
        }
    }

    private void givenUp() {
        anyPod().ifPresent(pod -> {
            Unit unit = Unit.of(PendingPod.of(pod));
            changes.add(new Change.RoomGivenUp(
                    JobBuilding.nameOf(unit),
                    random.nextBoolean() ? Optional.empty() : anyPod().map(Unit::idOf),
                    "no"));
        });
    }

    void decide() {
        now += 500 + random.nextInt(2_000);
        try {
            state.apply(List.copyOf(changes), now);
            changes.clear();
            Decisions decisions = state.decide(now);
            decisions
                    .refusals()
                    .forEach(refusal ->
                            check(refusal.pod().id() + ": " + refusal.message().get()));
            decisions.groups().forEach(group -> group.message().get());
            state.troubles().forEach(this::check);
            state.groupStates();
            decisions.bindings().forEach(this::check);
            checkGangs(decisions.bindings());
            decisions
                    .bindings()
                    .forEach(binding -> writes.add(() -> api.bind(binding).ifPresent(changes::add)));
            decisions.rooms().forEach(this::write);
            decisions.cancelled().forEach(job -> log.add("cancelled " + job));
            if (random.nextBoolean()) {
                writeAll();
            }
            state.cluster().validate();
            List<String> over = Bookings.overbooked(api.pods.values().stream()
                    .filter(pod -> pod.getSpec().getSchedulerName().equals("gpu-sched"))
                    .filter(pod -> pod.getStatus() == null
                            || !PodLives.ENDED.contains(
                                    String.valueOf(pod.getStatus().getPhase())))
                    .toList());
            if (!over.isEmpty()) {
                faults.add("over-booked: " + over);
            }
        } catch (RuntimeException e) {
            faults.add(e + " at " + List.of(e.getStackTrace()));
        }
    }

    private void writeAll() {
        while (!writes.isEmpty()) {
            writes.remove().run();
        }
    }

    private void check(String message) {
        if (message.contains("the scheduler failed") || message.contains("break a law")) {
            faults.add(message);
        }
    }

    /** Grants of GPUs that are gone cannot be read; nothing else is wrong. */
    private void check(Trouble trouble) {
        if (!trouble.reason().equals("GrantUnreadable")) {
            faults.add(trouble.toString());
        }
    }

    private void check(Binding binding) {
        String node = binding.placement().node();
        log.add("bind " + binding.pod().id() + " to " + node);
        Node there = api.nodes.get(node);
        if (there == null
                || Boolean.TRUE.equals(there.getSpec().getUnschedulable())
                || !there.getSpec().getTaints().isEmpty()) {
            faults.add("bound to a node that takes no pods: " + binding);
        }
    }

    private void checkGangs(List<Binding> bindings) {
        Map<GroupKey, Integer> starts = new HashMap<>();
        bindings.forEach(one -> one.pod().group().ifPresent(key -> starts.merge(key, 1, Integer::sum)));
        starts.forEach((key, count) -> {
            GroupSpec spec = api.groups.get(key);
            long there = api.pods.values().stream()
                    .filter(pod -> GroupVocabulary.groupOf(pod).equals(Optional.of(key)))
                    .filter(pod -> pod.getSpec().getNodeName() != null)
                    .count();
            if (spec == null || count + there < spec.minimum()) {
                faults.add("bound in part: " + key + " " + spec + " starts " + count + " there " + there);
            }
        });
    }

    private void write(Room room) {
        log.add("room " + room);
        for (Room.Place place : room.places()) {
            writes.add(() -> onPod(
                    place.pod(),
                    place.uid(),
                    pod -> api.replace(new PodBuilder(pod)
                            .editMetadata()
                            .addToAnnotations(NominationRecord.NOMINATION, place.record())
                            .endMetadata()
                            .editOrNewStatus()
                            .withNominatedNodeName(place.node())
                            .endStatus()
                            .build())));
        }
        for (NominationRecord.Victim victim : room.victims()) {
            writes.add(() -> onPod(victim.pod(), victim.uid(), pod -> {
                evicted.add(victim.pod().name());
                api.replace(new PodBuilder(pod)
                        .editMetadata()
                        .withDeletionTimestamp("2026-05-01T12:00:00Z")
                        .withDeletionGracePeriodSeconds(30L)
                        .endMetadata()
                        .build());
            }));
        }
    }

    private void onPod(PodId id, String uid, Consumer<Pod> then) {
        Pod pod = api.pods.get(id.name());
        if (pod != null && pod.getMetadata().getUid().equals(uid)) {
            then.accept(pod);
        }
    }

    /** Nothing else happens any more; the plans come to an end. */
    void settle() {
        for (int i = 0; i < 60; i++) {
            decide();
            writeAll();
            end();
        }
        int before = log.size();
        now += 1_000_000;
        for (int i = 0; i < 5; i++) {
            decide();
            writeAll();
        }
        if (log.size() > before) {
            faults.add("writes after all has settled: " + log.subList(before, log.size()));
        }
    }
}
