package io.gpusched.kubernetes.decide;

import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.view.DialectSet;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A random history of a cluster, with everything that can come between a scheduler and the API server: changes told late or
 * twice, writes refused, answers lost, the scheduler killed between any two writes and started again.
 */
final class ClusterHistory {
    final FakeApi api = new FakeApi();
    final Random random;
    SchedulerState state = newState();
    private List<Change> untold = api.watch();
    private final List<Binding> unwritten = new ArrayList<>();
    private long now;
    int created;

    /** What was read when all was read anew last, each by its identity. */
    private final Set<Change> listing = Collections.newSetFromMap(new IdentityHashMap<>());

    /** How much had been told when all was read the last time: no watch goes back behind that. */
    private int listedAt;

    private static SchedulerState newState() {
        return new SchedulerState(
                new DialectSet(List.of(Dialects.find("t9k").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(10, 100),
                600_000,
                Clock.systemUTC(),
                QueueSettings.NONE);
    }

    ClusterHistory(long seed) {
        random = new Random(seed);
    }

    void step(int kind) {
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

    void create(String resource, int amount) {
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

    void tell(int most) {
        List<Change> told = new ArrayList<>(untold.subList(0, Math.min(most, untold.size())));
        untold.subList(0, told.size()).clear();
        state.apply(told, now);
    }

    void decide() {
        unwritten.addAll(state.decide(now).bindings());
    }

    void write() {
        if (!unwritten.isEmpty()) {
            api.bind(unwritten.remove(random.nextInt(unwritten.size()))).ifPresent(untold::add);
        }
    }

    /** Killed between two writes; another reads all from the API server. */
    void kill() {
        unwritten.clear();
        api.watchers.clear();
        state = newState();
        untold = api.watch();
        listedAt = api.told.size();
        tell(Integer.MAX_VALUE);
    }

    void settle() {
        for (int i = 0; i < 40; i++) {
            tell(Integer.MAX_VALUE);
            unwritten.addAll(state.decide(now).bindings());
            while (!unwritten.isEmpty()) {
                write();
            }
            now += 200;
        }
    }

    void create(String name, String resource, int amount) {
        api.create(Manifests.pod(name, resource, String.valueOf(amount)));
    }

    void pass(int millis) {
        now += millis;
    }
}
