package io.gpusched.examples.soak;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
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

/**
 * One cluster that lives through random operations, beside a {@link PlainCluster} that lives through the same: pods and
 * groups come and go, nodes come, go and change, many at once in batches, and now and then an old snapshot is taken up
 * again. After each operation what it touched is compared, and every so often everything.
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
    private final Deque<Moment> moments = new ArrayDeque<>();
    private final List<Pod> shapes = new ArrayList<>();
    private Cluster cluster;
    private PlainCluster plain = new PlainCluster();

    /** The names of nodes and the pods that run, to draw from. */
    private final List<Node> nodes = new ArrayList<>();

    private final List<PodId> running = new ArrayList<>();

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
        COMPARED_WITH_A_FORGETFUL_SCHEDULER,
        COMPARED_IN_FULL
    }

    /** A snapshot and what it should be. */
    private record Moment(Cluster cluster, PlainCluster plain, List<Node> nodes, List<PodId> running) {}

    /**
     * @param mostNodes how many nodes there are at most, at least 1
     * @param policy decides among what fits
     */
    SoakRun(long seed, int mostNodes, PlacementPolicy policy) {
        this.world = new RandomWorld(new SplittableRandom(seed));
        this.mostNodes = mostNodes;
        this.scheduler = GpuScheduler.of(policy);
        this.forgetful = GpuScheduler.of(policy, 0);
        for (int i = 0; i < mostNodes / 2 + 1; i++) {
            nodes.add(world.node());
        }
        nodes.forEach(plain::add);
        this.cluster = Cluster.of(nodes);
    }

    Map<Operation, Long> done() {
        return done;
    }

    private void count(Operation operation) {
        done.merge(operation, 1L, Long::sum);
    }

    /** Makes so many random operations, and then compares everything. */
    void steps(int count) {
        for (int i = 0; i < count; i++) {
            step();
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
        } else if (kind < 998) {
            keep();
        } else {
            resume();
        }
    }

    private Pod arrival() {
        if (shapes.size() == KEPT_SHAPES && !world.oneIn(20)) {
            return world.like(world.any(shapes));
        }
        Pod pod = world.pod(nodes);
        if (shapes.size() == KEPT_SHAPES) {
            shapes.remove(world.below(KEPT_SHAPES));
        }
        shapes.add(pod);
        return pod;
    }

    private void schedule() {
        Pod pod = arrival();
        Decision decision = scheduler.schedule(cluster, pod);
        if (world.oneIn(200)) {
            require(
                    decision.toString().equals(forgetful.schedule(cluster, pod).toString()),
                    "a scheduler that remembers decides otherwise about " + pod);
            count(Operation.COMPARED_WITH_A_FORGETFUL_SCHEDULER);
        }
        if (decision instanceof Placed placed) {
            PlainNode node = plain.node(placed.placement().node());
            require(PlainCluster.fits(pod, node), "it does not fit: " + placed);
            place(placed.placement());
        } else {
            require(!world.oneIn(4) || !plain.hasRoom(pod), "there is room for " + pod);
            count(Operation.REFUSED);
        }
    }

    private void place(Placement placement) {
        cluster = cluster.with(placement);
        note(placement);
        compare(placement.node());
    }

    private void note(Placement placement) {
        plain.place(placement);
        running.add(placement.pod());
        count(Operation.PLACED);
    }

    private void release() {
        if (running.isEmpty()) {
            return;
        }
        PodId pod = leaving();
        String node = cluster.placement(pod).orElseThrow().node();
        cluster = world.oneIn(2)
                ? cluster.without(pod)
                : cluster.without(cluster.placement(pod).orElseThrow());
        plain.release(pod);
        require(cluster.placement(pod).isEmpty(), "it is still there: " + pod);
        compare(node);
        count(Operation.RELEASED);
    }

    private PodId leaving() {
        int at = world.below(running.size());
        PodId pod = running.get(at);
        running.set(at, running.get(running.size() - 1));
        running.remove(running.size() - 1);
        return pod;
    }

    private void group() {
        Pod shape = world.pod(nodes);
        int size = 2 + world.below(6);
        List<Pod> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(world.like(shape));
        }
        int least = 1 + world.below(size);
        PodGroup group = PodGroup.of("group", members).withMinMember(least);
        GroupDecision decision = scheduler.schedule(cluster, group);
        if (decision instanceof GroupPlaced placed) {
            require(placed.placements().size() >= least, "fewer than the minimum: " + placed);
            cluster = cluster.withAll(placed.placements());
            placed.placements().forEach(this::note);
            placed.placements().forEach(placement -> compare(placement.node()));
        }
        count(Operation.GROUPS);
    }

    private void changeNode() {
        int at = world.below(nodes.size());
        Node node = nodes.get(at);
        switch (world.below(5)) {
            case 0 -> add();
            case 1 -> remove(at);
            case 2 -> replaced(at, world.relabelled(node), cluster::withReplaced);
            case 3 ->
                replaced(
                        at,
                        node.withCordoned(!node.cordoned()),
                        changed -> cluster.withCordoned(node.name(), changed.cordoned()));
            default -> {
                if (!node.gpus().isEmpty()) {
                    Gpu gpu = world.any(node.gpus());
                    replaced(
                            at,
                            node.withGpuHealth(gpu.index(), !gpu.healthy()),
                            changed -> cluster.withGpuHealth(node.name(), gpu.index(), !gpu.healthy()));
                }
            }
        }
    }

    private void add() {
        if (nodes.size() < mostNodes) {
            Node node = world.node();
            cluster = cluster.withNode(node);
            plain.add(node);
            nodes.add(node);
            compare(node.name());
            count(Operation.NODES_ADDED);
        }
    }

    private void remove(int at) {
        Node node = nodes.get(at);
        if (nodes.size() == 1 || !plain.node(node.name()).pods().isEmpty()) {
            return;
        }
        cluster = cluster.withoutNode(node.name());
        plain.remove(node.name());
        nodes.set(at, nodes.get(nodes.size() - 1));
        nodes.remove(nodes.size() - 1);
        require(cluster.node(node.name()).isEmpty(), "it is still there: " + node.name());
        count(Operation.NODES_REMOVED);
    }

    /** Changes the cluster. */
    private interface Change {
        Cluster to(Node changed);
    }

    private void replaced(int at, Node changed, Change change) {
        cluster = change.to(changed);
        plain.replace(changed);
        nodes.set(at, changed);
        compare(changed.name());
        count(Operation.NODES_CHANGED);
    }

    /** Places, releases and changes many at once. */
    private void batch() {
        ClusterBatch batch = cluster.batch();
        List<Placement> placed = new ArrayList<>();
        Cluster deciding = cluster;
        for (int i = 1 + world.below(20); i > 0; i--) {
            if (!running.isEmpty() && world.oneIn(2)) {
                PodId pod = leaving();
                batch.release(pod);
                deciding = deciding.without(pod);
                plain.release(pod);
            } else if (scheduler.schedule(deciding, arrival()) instanceof Placed decided) {
                batch.place(decided.placement());
                deciding = deciding.with(decided.placement());
                note(decided.placement());
                placed.add(decided.placement());
            }
        }
        cluster = batch.build();
        require(cluster.equals(deciding), "a batch ends otherwise than one by one");
        placed.forEach(placement -> compare(placement.node()));
        count(Operation.BATCHES);
    }

    private void keep() {
        moments.addLast(new Moment(cluster, plain.copy(), List.copyOf(nodes), List.copyOf(running)));
        if (moments.size() > KEPT_SNAPSHOTS) {
            moments.removeFirst();
        }
    }

    /** Goes on from an old snapshot; what came since is forgotten. */
    private void resume() {
        if (moments.isEmpty()) {
            return;
        }
        Moment moment = moments.removeFirst();
        cluster = moment.cluster();
        plain = moment.plain();
        nodes.clear();
        nodes.addAll(moment.nodes());
        running.clear();
        running.addAll(moment.running());
        compare();
        count(Operation.OLD_SNAPSHOTS_RESUMED);
    }

    private void compare() {
        cluster.validate();
        require(cluster.size() == plain.nodes().size(), "the number of nodes is " + cluster.size());
        require(
                cluster.totals().pods() == plain.pods(),
                "the number of pods is " + cluster.totals().pods());
        int order = 0;
        for (PlainNode node : plain.nodes()) {
            compare(cluster.node(order++), node);
        }
        count(Operation.COMPARED_IN_FULL);
    }

    private void compare(String name) {
        compare(cluster.node(name).orElseThrow(), plain.node(name));
    }

    private static void compare(NodeState state, PlainNode node) {
        require(state.node().equals(node.node()), "expected " + node.node() + ", is " + state.node());
        boolean same = state.freeCpuMillis() == node.freeCpuMillis()
                && state.freeMemoryMib() == node.freeMemoryMib()
                && state.idleGpus() == node.idleGpus()
                && state.podCount() == node.pods().size()
                && node.pods().values().stream()
                        .allMatch(placement -> placement.equals(state.placement(placement.pod())));
        require(same, "what runs is not what should run: " + state);
        require(node.isWithinBounds(), "something is taken twice: " + state);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
