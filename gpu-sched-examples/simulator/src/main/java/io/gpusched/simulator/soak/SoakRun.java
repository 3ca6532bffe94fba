package io.gpusched.simulator.soak;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * One {@linkplain CheckedCluster cluster} that lives through random operations: pods and
 * groups come and go, nodes come, go and change, many at once in batches, and now and then an old snapshot is taken up
 * again, or two histories are led on in turn. After each operation what it touched is compared; what costs more the more
 * nodes there are, a look at everything among it, happens the more rarely the more there are.
 *
 * <p>Not thread-safe.
 */
final class SoakRun {
    private static final int KEPT_SNAPSHOTS = 4;
    private static final int KEPT_SHAPES = 30;

    private final RandomWorld world;
    private final int mostNodes;
    private final GpuScheduler scheduler;
    private final GpuScheduler forgetful;
    private final Map<Operation, Long> done = new EnumMap<>(Operation.class);
    private final Deque<CheckedCluster> moments = new ArrayDeque<>();
    private final List<Pod> shapes = new ArrayList<>();
    private CheckedCluster checked;

    /** What may happen. */
    enum Operation {
        PLACED,
        REFUSED,
        RELEASED,
        GROUPS,
        BATCHES,
        NODES_ADDED,
        NODES_REMOVED,
        NODES_CHANGED,
        OLD_SNAPSHOTS_RESUMED,
        FORKS,
        REFUSALS_CHECKED_ON_EVERY_NODE,
        COMPARED_WITH_A_FORGETFUL_SCHEDULER,
        COMPARED_IN_FULL;

        boolean isComparison() {
            return compareTo(REFUSALS_CHECKED_ON_EVERY_NODE) >= 0;
        }
    }

    /**
     * @param mostNodes how many nodes there are at most, at least 1
     * @param policy decides among what fits
     */
    SoakRun(long seed, int mostNodes, PlacementPolicy policy) {
        this.world = new RandomWorld(new SplittableRandom(seed));
        this.mostNodes = mostNodes;
        this.scheduler = GpuScheduler.of(policy);
        this.forgetful = GpuScheduler.builder().policy(policy).memory(0).build();
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < mostNodes / 2 + 1; i++) {
            nodes.add(world.node());
        }
        this.checked = CheckedCluster.of(nodes);
    }

    Map<Operation, Long> done() {
        return done;
    }

    /** How many of what was done are operations on a cluster, and not comparisons. */
    static long operations(Map<Operation, Long> done) {
        return done.entrySet().stream()
                .filter(entry -> !entry.getKey().isComparison())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void count(Operation operation) {
        done.merge(operation, 1L, Long::sum);
    }

    /** Makes so many random operations, and compares everything now and then and in the end. */
    void steps(int count) {
        for (int i = 0; i < count; i++) {
            step();
            if (world.oneIn(2_000) && isTimeForEverything(200)) {
                compare();
            }
        }
        compare();
    }

    private void step() {
        int kind = world.below(1_000);
        if (kind < 520) {
            schedule();
        } else if (kind < 900) {
            release();
        } else if (kind < 910) {
            group();
        } else if (kind < 980) {
            changeNode();
        } else if (kind < 995) {
            batch();
        } else if (isTimeForEverything(20)) {
            takeAnotherSnapshot();
        }
    }

    /** Now and then, for what costs as much as there are nodes: so rarely that it costs a little of each operation. */
    private boolean isTimeForEverything(int affordable) {
        return world.oneIn(1 + checked.nodes().size() / affordable);
    }

    private void takeAnotherSnapshot() {
        switch (world.below(4)) {
            case 0, 1 -> keep();
            case 2 -> resume();
            default -> fork();
        }
    }

    private Pod arrival() {
        // the first pod of a shape costs as much as there are nodes
        if (shapes.size() == KEPT_SHAPES && !isTimeForEverything(20)) {
            return world.like(world.any(shapes));
        }
        Pod pod = world.pod(checked.nodes());
        if (shapes.size() == KEPT_SHAPES) {
            shapes.remove(world.below(KEPT_SHAPES));
        }
        shapes.add(pod);
        return pod;
    }

    private void schedule() {
        Pod pod = arrival();
        Decision decision = scheduler.schedule(checked.cluster(), pod);
        if (world.oneIn(20) && isTimeForEverything(20)) {
            CheckedCluster.require(
                    decision.toString()
                            .equals(forgetful.schedule(checked.cluster(), pod).toString()),
                    "a scheduler that remembers decides otherwise about " + pod);
            count(Operation.COMPARED_WITH_A_FORGETFUL_SCHEDULER);
        }
        if (decision instanceof Placed placed) {
            PlainNode node = checked.plain().node(placed.placement().node());
            CheckedCluster.require(PlainCluster.fits(pod, node), "it does not fit: " + placed);
            checked.place(placed.placement());
            count(Operation.PLACED);
        } else {
            checkRefusal(pod);
            count(Operation.REFUSED);
        }
    }

    private void checkRefusal(Pod pod) {
        if (isTimeForEverything(200)) {
            CheckedCluster.require(!checked.plain().hasRoom(pod), "there is room for " + pod);
            count(Operation.REFUSALS_CHECKED_ON_EVERY_NODE);
        }
    }

    private void release() {
        if (!checked.running().isEmpty()) {
            checked.release(world.below(checked.running().size()), world.oneIn(2));
            count(Operation.RELEASED);
        }
    }

    private void group() {
        Pod shape = arrival();
        int size = 2 + world.below(6);
        List<Pod> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(world.like(shape));
        }
        int least = 1 + world.below(size);
        PodGroup group = PodGroup.of("group", members).withMinMember(least);
        GroupDecision decision = scheduler.schedule(checked.cluster(), group);
        if (decision instanceof GroupPlaced placed) {
            CheckedCluster.require(placed.placements().size() >= least, "fewer than the minimum: " + placed);
            checked.placeAll(placed.placements());
            placed.placements().forEach(placement -> count(Operation.PLACED));
        }
        count(Operation.GROUPS);
    }

    private void changeNode() {
        int at = world.below(checked.nodes().size());
        Node node = checked.nodes().get(at);
        switch (world.below(6)) {
            case 0 -> add();
            case 5 -> refurbish(at);
            case 1 -> remove(at);
            case 2 -> replace(at, world.relabelled(node), Cluster::withReplaced);
            case 3 ->
                replace(
                        at,
                        node.withCordoned(!node.cordoned()),
                        (cluster, changed) -> cluster.withCordoned(node.name(), changed.cordoned()));
            default -> {
                if (!node.gpus().isEmpty()) {
                    Gpu gpu = world.any(node.gpus());
                    replace(
                            at,
                            node.withGpuHealth(gpu.index(), !gpu.healthy()),
                            (cluster, changed) -> cluster.withGpuHealth(node.name(), gpu.index(), !gpu.healthy()));
                }
            }
        }
    }

    private void add() {
        if (checked.nodes().size() < mostNodes) {
            checked.add(world.node());
            count(Operation.NODES_ADDED);
        }
    }

    private void refurbish(int at) {
        Node node = checked.nodes().get(at);
        if (checked.isEmpty(node)) {
            checked.refurbish(at, world.refurbished(node));
            count(Operation.NODES_CHANGED);
        }
    }

    private void remove(int at) {
        if (checked.nodes().size() > 1 && checked.isEmpty(checked.nodes().get(at))) {
            checked.remove(at);
            count(Operation.NODES_REMOVED);
        }
    }

    private void replace(int at, Node changed, BiFunction<Cluster, Node, Cluster> change) {
        checked.replace(at, changed, change.apply(checked.cluster(), changed));
        count(Operation.NODES_CHANGED);
    }

    /** Places, releases and changes many at once, and the same one by one. */
    private void batch() {
        CheckedBatch batch = checked.batch();
        for (int i = 1 + world.below(20); i > 0; i--) {
            if (world.oneIn(6)) {
                changeNode(batch);
            } else if (!checked.running().isEmpty() && world.oneIn(2)) {
                batch.release(world.below(checked.running().size()));
            } else if (scheduler.schedule(batch.oneByOne(), arrival()) instanceof Placed decided) {
                batch.place(decided.placement());
                count(Operation.PLACED);
            }
        }
        batch.build(isTimeForEverything(50));
        count(Operation.BATCHES);
    }

    private void changeNode(CheckedBatch batch) {
        if (checked.nodes().size() < mostNodes && world.oneIn(2)) {
            batch.add(world.node());
            return;
        }
        int at = world.below(checked.nodes().size());
        batch.replace(at, world.relabelled(checked.nodes().get(at)));
    }

    private void keep() {
        moments.addLast(checked.fork());
        if (moments.size() > KEPT_SNAPSHOTS) {
            moments.removeFirst();
        }
    }

    /** Goes on from an old snapshot; what came since is forgotten. */
    private void resume() {
        if (moments.isEmpty()) {
            return;
        }
        checked = moments.removeFirst();
        compare();
        count(Operation.OLD_SNAPSHOTS_RESUMED);
    }

    /** Leaves the snapshot for an old one, to come back to it later: both histories go on. */
    private void fork() {
        if (!moments.isEmpty()) {
            CheckedCluster other = moments.removeFirst();
            keep();
            checked = other;
            count(Operation.FORKS);
        }
    }

    private void compare() {
        checked.compare();
        count(Operation.COMPARED_IN_FULL);
    }
}
