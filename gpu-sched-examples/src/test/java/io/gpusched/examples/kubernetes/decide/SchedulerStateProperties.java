package io.gpusched.examples.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.kubernetes.Bookings;
import io.gpusched.examples.kubernetes.Manifests;
import io.gpusched.examples.kubernetes.group.Closeness;
import io.gpusched.examples.kubernetes.group.GroupKey;
import io.gpusched.examples.kubernetes.group.GroupSpec;
import io.gpusched.examples.kubernetes.group.GroupVocabulary;
import io.gpusched.examples.kubernetes.queue.Backoff;
import io.gpusched.examples.kubernetes.view.DialectSet;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random histories of a cluster, with everything that can come between a scheduler and the API server: changes told late or
 * twice, writes refused, answers lost, the scheduler killed between any two writes and started again.
 */
class SchedulerStateProperties {
    private static final GroupKey GANG = new GroupKey(GroupVocabulary.KUBERNETES, "default", "gang");

    private final FakeApi api = new FakeApi();
    private Random random = new Random(0);
    private SchedulerState state = newState();
    private List<Change> untold = api.watch();
    private final List<Binding> unwritten = new ArrayList<>();
    private long now;
    private int created;

    /** What was read when all was read anew last, each by its identity. */
    private final Set<Change> listing = Collections.newSetFromMap(new IdentityHashMap<>());

    /** How much had been told when all was read the last time: no watch goes back behind that. */
    private int listedAt;

    private static SchedulerState newState() {
        return new SchedulerState(
                new DialectSet(List.of(Dialects.find("t9k").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(10, 100),
                Clock.systemUTC());
    }

    @Property(tries = 200)
    void whateverHappens_noGpuIsGivenTwice_andInTheEndEveryPodThatFitsIsBound(@ForAll long seed) {
        // Each try has a cluster of its own, where jqwik would use one instance of this class for all.
        new SchedulerStateProperties().liveThrough(seed);
    }

    private void liveThrough(long seed) {
        random = new Random(seed);
        api.put(Manifests.t9kNode("whole", "xgn", 4));
        api.put(Manifests.t9kNode("shared", "sgn", 2));
        for (int i = 0; i < 120; i++) {
            step(random.nextInt(20));
            assertThat(Bookings.overbooked(List.copyOf(api.pods.values()))).isEmpty();
        }
        settle();
        state.cluster().validate();
        assertThat(Bookings.overbooked(List.copyOf(api.pods.values()))).isEmpty();
        assertThat(waiting().filter(this::fits).map(pod -> pod.getMetadata().getName()))
                .as("pods that fit and are not bound")
                .isEmpty();
        assertThat(api.bindings).as("bindings written").isLessThanOrEqualTo(created);
        assertThat(state.bindingCount()).isZero();
    }

    private void step(int kind) {
        switch (kind) {
            case 0, 1 -> create(T9kDialect.GPU, 1 + random.nextInt(4));
            case 2, 3 -> create(T9kDialect.GPU_PERCENT, 10 * (1 + random.nextInt(10)));
            case 4 -> create(T9kDialect.GPU_NODE, 1);
            case 5 -> any().ifPresent(api::delete);
            case 6 -> any().ifPresent(api::relabel);
            case 7 -> again();
            case 8 -> kill();
            case 9 -> addNode();
            case 10, 11 -> write();
            case 12 -> swap();
            case 13 -> resume();
            case 14 -> relist();
            case 15 -> removeNode();
            default -> {
                tell(random.nextInt(8));
                decide();
            }
        }
        now += random.nextInt(30);
    }

    /** Once, and again with more labels. */
    private void addNode() {
        Map<String, String> label = Map.of("seen", String.valueOf(now));
        api.put(Manifests.t9kNode("more", "xgn", 2, label));
    }

    /** Sooner or later the garbage collector deletes the pods that ran there. */
    private void removeNode() {
        if (api.nodes.containsKey("more")) {
            api.removeNode("more");
        } else {
            List<String> orphans = api.pods.values().stream()
                    .filter(pod -> "more".equals(pod.getSpec().getNodeName()))
                    .map(pod -> pod.getMetadata().getName())
                    .toList();
            orphans.forEach(api::delete);
        }
    }

    private void create(String resource, int amount) {
        String name = "p" + random.nextInt(40);
        // Now and then one of the same name takes its place, and nobody is told that the first is gone.
        if (!api.pods.containsKey(name) || random.nextInt(8) == 0) {
            created++;
            api.create(Manifests.pod(name, resource, String.valueOf(amount)));
        }
    }

    private Optional<String> any() {
        return api.pods.isEmpty()
                ? Optional.empty()
                : Optional.of(List.copyOf(api.pods.keySet()).get(random.nextInt(api.pods.size())));
    }

    /** A watch tells a change twice; what became of a write of our own is told once. */
    private void again() {
        if (!untold.isEmpty() && !(untold.get(0) instanceof Change.NotBound)) {
            untold.add(1, untold.get(0));
        }
    }

    /** Of two objects, the later change is told first. */
    private void swap() {
        if (untold.size() > 1 && !object(untold.get(0)).equals(object(untold.get(1)))) {
            untold.add(0, untold.remove(1));
        }
    }

    private static String object(Change change) {
        return change instanceof Change.PodPut put
                ? put.pod().getMetadata().getName()
                : change instanceof Change.PodGone gone ? gone.id().name() : "another";
    }

    /** The watch was dropped and goes on from a version that it had told before. */
    private void resume() {
        // A watch goes on only from a list that was told to its end.
        if (untold.stream().anyMatch(listing::contains)) {
            return;
        }
        int from = Math.max(listedAt, api.told.size() - untold.size() - random.nextInt(20));
        watchAgain(api.told.subList(from, api.told.size()));
    }

    /** The watch was dropped for too long: it reads all anew. */
    private void relist() {
        List<Change> all = api.list();
        listing.clear();
        listing.addAll(all);
        watchAgain(all);
        listedAt = api.told.size();
    }

    /** What became of our own writes does not come from the watch, and is not lost with it. */
    private void watchAgain(List<Change> changes) {
        untold.removeIf(change -> !(change instanceof Change.NotBound));
        untold.addAll(changes);
    }

    private void tell(int most) {
        List<Change> told = new ArrayList<>(untold.subList(0, Math.min(most, untold.size())));
        untold.subList(0, told.size()).clear();
        state.apply(told, now);
    }

    private void decide() {
        unwritten.addAll(state.decide(now, 3).bindings());
    }

    private void write() {
        if (!unwritten.isEmpty()) {
            api.bind(unwritten.remove(random.nextInt(unwritten.size()))).ifPresent(untold::add);
        }
    }

    /** Killed between two writes; another reads all from the API server. */
    private void kill() {
        unwritten.clear();
        api.watchers.clear();
        state = newState();
        untold = api.watch();
        listedAt = api.told.size();
        tell(Integer.MAX_VALUE);
    }

    private void settle() {
        for (int i = 0; i < 40; i++) {
            tell(Integer.MAX_VALUE);
            unwritten.addAll(state.decide(now, 50).bindings());
            while (!unwritten.isEmpty()) {
                write();
            }
            now += 200;
        }
    }

    private java.util.stream.Stream<Pod> waiting() {
        return api.pods.values().stream().filter(pod -> pod.getSpec().getNodeName() == null);
    }

    /** By hand: what is left of each GPU by the annotations alone. */
    private boolean fits(Pod pod) {
        Map<String, Integer> held = Bookings.computeByGpu(List.copyOf(api.pods.values()));
        var limits = pod.getSpec().getContainers().get(0).getResources().getLimits();
        for (var node : api.nodes.values()) {
            String name = node.getMetadata().getName();
            boolean shared = name.equals("shared");
            int gpus = Integer.parseInt(node.getMetadata().getLabels().get("nvidia.com/gpu.count"));
            if (held.containsKey(name + "/all")) {
                continue;
            }
            List<Integer> left = new ArrayList<>();
            for (int gpu = 0; gpu < gpus; gpu++) {
                left.add(1_000 - held.getOrDefault(name + "/" + name + "-gpu-" + gpu, 0));
            }
            long idle = left.stream().filter(free -> free == 1_000).count();
            boolean empty = api.pods.values().stream()
                    .noneMatch(other -> name.equals(other.getSpec().getNodeName()));
            if (!shared && limits.containsKey(T9kDialect.GPU)) {
                if (idle >= Integer.parseInt(limits.get(T9kDialect.GPU).getAmount())) {
                    return true;
                }
            } else if (!shared && limits.containsKey(T9kDialect.GPU_NODE)) {
                if (empty) {
                    return true;
                }
            } else if (shared && limits.containsKey(T9kDialect.GPU_PERCENT)) {
                int asked = Integer.parseInt(limits.get(T9kDialect.GPU_PERCENT).getAmount()) * 10;
                if (left.stream().anyMatch(free -> free >= asked)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Property(tries = 100)
    void aGroup_isWholeOrUntouched_howeverOftenTheSchedulerIsKilled(@ForAll long seed) {
        new SchedulerStateProperties().placeGroup(seed);
    }

    private void placeGroup(long seed) {
        random = new Random(seed);
        int minimum = 2 + random.nextInt(4);
        api.put(Manifests.t9kNode("whole", "xgn", 1 + random.nextInt(6)));
        api.put(new GroupSpec(GANG, "u", minimum, Map.of(), Closeness.ANYWHERE, "", Optional.empty(), ""));
        for (int i = 0; i < 6; i++) {
            api.create(member("m" + i));
            created++;
            if (random.nextBoolean()) {
                create(T9kDialect.GPU, 1);
            }
        }
        for (int i = 0; i < 60; i++) {
            int kind = random.nextInt(10);
            if (kind < 3) {
                write();
            } else if (kind == 3) {
                kill();
            } else if (kind == 4) {
                step(12 + random.nextInt(3));
            } else {
                tell(random.nextInt(8));
                decide();
            }
            now += random.nextInt(30);
        }
        settle();
        long placed = api.pods.values().stream()
                .filter(pod -> pod.getSpec().getSchedulingGroup() != null
                        && pod.getSpec().getNodeName() != null)
                .count();
        assertThat(placed == 0 || placed >= minimum)
                .as("%d of a group of at least %d run", placed, minimum)
                .isTrue();
        assertThat(Bookings.overbooked(List.copyOf(api.pods.values()))).isEmpty();
    }

    /** Every pair of moments between writes of a run in which a group, whole GPUs and shares are asked for. */
    @Example
    void killedTwice_betweenAnyWrites_theRestIsBound_andNothingTwice() {
        int all = 8;
        for (int first = 0; first <= all; first++) {
            for (int second = first; second <= all; second++) {
                SchedulerStateProperties run = new SchedulerStateProperties();
                run.killAt(first, second);
                assertThat(run.api.bindings)
                        .as("bindings, killed after %d and %d", first, second)
                        .isEqualTo(all);
                assertThat(Bookings.overbooked(List.copyOf(run.api.pods.values())))
                        .isEmpty();
            }
        }
    }

    /** Six whole GPUs and one shared, of which eight pods take all; two more find nothing. */
    private void killAt(int first, int second) {
        api.put(Manifests.t9kNode("whole", "xgn", 6));
        api.put(Manifests.t9kNode("shared", "sgn", 1));
        api.put(new GroupSpec(GANG, "u", 4, Map.of(), Closeness.ANYWHERE, "", Optional.empty(), ""));
        for (int i = 0; i < 4; i++) {
            api.create(member("m" + i));
        }
        create("w0", T9kDialect.GPU, 1);
        create("w1", T9kDialect.GPU, 1);
        create("w2", T9kDialect.GPU_NODE, 1);
        create("s0", T9kDialect.GPU_PERCENT, 60);
        create("s1", T9kDialect.GPU_PERCENT, 40);
        create("s2", T9kDialect.GPU_PERCENT, 1);
        for (int kill : new int[] {first, second, Integer.MAX_VALUE}) {
            for (int i = 0; i < 40 && api.bindings < kill; i++) {
                tell(Integer.MAX_VALUE);
                decide();
                write();
                now += 50;
            }
            kill();
        }
        settle();
    }

    private void create(String name, String resource, int amount) {
        api.create(Manifests.pod(name, resource, String.valueOf(amount)));
    }

    private static Pod member(String name) {
        return new PodBuilder(Manifests.pod(name, T9kDialect.GPU, "1"))
                .editSpec()
                .withNewSchedulingGroup("gang")
                .endSpec()
                .build();
    }
}
