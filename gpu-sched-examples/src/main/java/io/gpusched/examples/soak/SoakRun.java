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
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * One cluster that lives through random operations, beside a {@link PlainCluster} that lives through the same: pods and
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
        FORKS,
        REFUSALS_CHECKED_ON_EVERY_NODE,
        COMPARED_WITH_A_FORGETFUL_SCHEDULER,
        COMPARED_IN_FULL;

        boolean isComparison() {
            return compareTo(REFUSALS_CHECKED_ON_EVERY_NODE) >= 0;
        }
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
        return world.oneIn(1 + nodes.size() / affordable);
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
        if (world.oneIn(20) && isTimeForEverything(20)) {
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
            checkRefusal(pod);
            count(Operation.REFUSED);
        }
    }

    private void checkRefusal(Pod pod) {
        if (isTimeForEverything(200)) {
            require(!plain.hasRoom(pod), "there is room for " + pod);
            count(Operation.REFUSALS_CHECKED_ON_EVERY_NODE);
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
        Pod shape = arrival();
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
        switch (world.below(6)) {
            case 0 -> add();
            case 5 -> refurbish(at);
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

    /** Puts other hardware in place of a node on which nothing runs, under the same name. */
    private void refurbish(int at) {
        Node node = nodes.get(at);
        if (plain.node(node.name()).pods().isEmpty()) {
            Node other = world.refurbished(node);
            cluster = cluster.withReplaced(other);
            plain.remove(node.name());
            plain.add(other);
            nodes.set(at, other);
            compare(other.name());
            count(Operation.NODES_CHANGED);
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

    /** Places, releases and changes many at once, and the same one by one. */
    private void batch() {
        ClusterBatch batch = cluster.batch();
        Cluster deciding = cluster;
        Set<String> touched = new TreeSet<>();
        for (int i = 1 + world.below(20); i > 0; i--) {
            if (world.oneIn(6)) {
                deciding = changed(batch, deciding, touched);
            } else if (!running.isEmpty() && world.oneIn(2)) {
                PodId pod = leaving();
                touched.add(deciding.placement(pod).orElseThrow().node());
                batch.release(pod);
                deciding = deciding.without(pod);
                plain.release(pod);
            } else if (scheduler.schedule(deciding, arrival()) instanceof Placed decided) {
                batch.place(decided.placement());
                deciding = deciding.with(decided.placement());
                note(decided.placement());
                touched.add(decided.placement().node());
            }
        }
        cluster = batch.build();
        require(cluster.totals().equals(deciding.totals()), "a batch adds up to something else than one by one");
        require(!isTimeForEverything(50) || cluster.equals(deciding), "a batch ends otherwise than one by one");
        touched.forEach(this::compare);
        count(Operation.BATCHES);
    }

    /** Changes a node in a batch, and beside it in a cluster of its own. */
    private Cluster changed(ClusterBatch batch, Cluster deciding, Set<String> touched) {
        if (nodes.size() < mostNodes && world.oneIn(2)) {
            Node node = world.node();
            nodes.add(node);
            plain.add(node);
            touched.add(node.name());
            batch.addNode(node);
            return deciding.withNode(node);
        }
        int at = world.below(nodes.size());
        Node node = world.relabelled(nodes.get(at));
        nodes.set(at, node);
        plain.replace(node);
        touched.add(node.name());
        batch.replaceNode(node);
        return deciding.withReplaced(node);
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
        goTo(moments.removeFirst());
        compare();
        count(Operation.OLD_SNAPSHOTS_RESUMED);
    }

    /** Leaves the snapshot for an old one, to come back to it later: both histories go on. */
    private void fork() {
        if (!moments.isEmpty()) {
            Moment other = moments.removeFirst();
            keep();
            goTo(other);
            count(Operation.FORKS);
        }
    }

    private void goTo(Moment moment) {
        cluster = moment.cluster();
        plain = moment.plain();
        nodes.clear();
        nodes.addAll(moment.nodes());
        running.clear();
        running.addAll(moment.running());
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
                && node.isFree(state.freeNamed())
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
