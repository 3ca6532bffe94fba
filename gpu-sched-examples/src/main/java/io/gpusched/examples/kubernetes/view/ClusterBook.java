package io.gpusched.examples.kubernetes.view;

import io.gpusched.dialect.NodeManifest;
import io.gpusched.examples.dialect.ResidentPods;
import io.gpusched.examples.kubernetes.grant.GrantAnnotations;
import io.gpusched.examples.manifest.ManifestReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The cluster as the API server describes it, with placements that are assumed until it does.
 *
 * <p>What it says is taken literally where that is possible. Where pods hold more than their node has, or GPUs that cannot be
 * told, the book stays on the safe side: nothing is given out twice, and {@link #troubles()} says why. A change costs
 * O(log n); on a node in trouble O(pods there).
 *
 * <p>Not thread-safe; the snapshots it returns are.
 */
public final class ClusterBook {
    private final DialectSet dialects;
    private final UnaryOperator<NodeManifest> extension;
    private final Map<String, NodeSeat> seats = new LinkedHashMap<>();
    private final Map<PodId, String> nodeOf = new HashMap<>();
    private final Set<String> stale = new LinkedHashSet<>();
    private final Set<String> touched = new HashSet<>();
    private final TopologyLevels levels = new TopologyLevels();
    private List<Trouble> troubles = new ArrayList<>();
    private ClusterBatch batch = Cluster.of(List.of()).batch();

    /** Creates the book of an empty cluster. */
    public ClusterBook(DialectSet dialects) {
        this(dialects, UnaryOperator.identity());
    }

    /**
     * Creates the book of an empty cluster.
     *
     * @param extension adds to a node what other objects say of it
     */
    public ClusterBook(DialectSet dialects, UnaryOperator<NodeManifest> extension) {
        this.dialects = dialects;
        this.extension = extension;
    }

    /** Takes note of a node, new or changed. What cannot be translated takes no pods. */
    public void putNode(io.fabric8.kubernetes.api.model.Node object) {
        String name = object.getMetadata().getName();
        NodeSeat seat = seat(name);
        try {
            NodeManifest described = ManifestReader.node(object);
            if (described.equals(seat.described) && seat.translation != null) {
                return;
            }
            seat.described = described;
        } catch (IllegalArgumentException | ArithmeticException e) {
            seat.described = null;
            isUnreadable(name, seat, e);
            return;
        }
        translate(name, seat);
    }

    private void translate(String name, NodeSeat seat) {
        try {
            NodeManifest manifest = extension.apply(Objects.requireNonNull(seat.described));
            NodeTranslation translation = NodeTranslation.of(manifest, dialects, levels.order());
            if (!translation.equals(seat.translation)) {
                if (!translation.standsAs(seat.translation)) {
                    levels.nodesMoved();
                }
                seat.translation = translation;
                stale.add(name);
                touched.add(name);
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            isUnreadable(name, seat, e);
        }
    }

    private void isUnreadable(String name, NodeSeat seat, RuntimeException e) {
        seat.translation = null;
        stale.add(name);
        troubles.add(new Trouble("Node", "", name, "", "NodeUnreadable", e.getMessage() + "; it takes no pods"));
    }

    /** Takes note that other objects than a node itself say something new of it. */
    public void extendNode(String name) {
        NodeSeat seat = seats.get(name);
        if (seat != null && seat.described != null) {
            translate(name, seat);
        }
    }

    /** As {@link #extendNode}, of all nodes. */
    public void extendNodes() {
        List.copyOf(seats.keySet()).forEach(this::extendNode);
    }

    /** Takes note that a node is gone; what runs there is placed again when it comes back. */
    public void removeNode(String name) {
        NodeSeat seat = seat(name);
        seat.described = null;
        seat.translation = null;
        stale.add(name);
    }

    private NodeSeat seat(String name) {
        return seats.computeIfAbsent(name, any -> new NodeSeat());
    }

    /** Takes note of a pod that runs; what was assumed of it ends. */
    public void putPod(RunningPod pod) {
        if (isResident(pod)) {
            putResident(pod);
            return;
        }
        String before = nodeOf.get(pod.id());
        NodeSeat seat = seat(pod.node());
        if (before != null && (!before.equals(pod.node()) || !pod.equals(seat.running.get(pod.id())))) {
            if (confirms(seat, pod)) {
                seat.assumed.remove(pod.id());
                seat.running.put(pod.id(), pod);
                return;
            }
            removePod(pod.id());
            before = null;
        }
        if (before == null) {
            add(seat(pod.node()), pod);
        }
    }

    /** Whether a pod is a part of its node and no tenant: it belongs there, and nothing that it asks for means GPUs. */
    private boolean isResident(RunningPod pod) {
        return pod.ofNode()
                && !pod.manifest().annotations().containsKey(GrantAnnotations.GRANT)
                && ResidentPods.asksForNoGpus(pod.manifest(), dialects::isCounted);
    }

    private void putResident(RunningPod pod) {
        NodeSeat seat = seat(pod.node());
        if (!pod.equals(seat.residents.get(pod.id()))) {
            removePod(pod.id());
            seat(pod.node()).residents.put(pod.id(), pod);
            nodeOf.put(pod.id(), pod.node());
            stale.add(pod.node());
        }
    }

    /** Whether a pod was assumed to hold just what it holds. */
    private static boolean confirms(NodeSeat seat, RunningPod pod) {
        Placement assumed = seat.assumed.get(pod.id());
        if (assumed == null || seat.translation == null) {
            return false;
        }
        try {
            return RunningPlacement.of(pod, seat.empty(seat.translation.node()), seat.translation.named())
                    .equals(assumed);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void add(NodeSeat seat, RunningPod pod) {
        seat.running.put(pod.id(), pod);
        nodeOf.put(pod.id(), pod.node());
        if (seat.translation == null || seat.troubled || stale.contains(pod.node())) {
            stale.add(pod.node());
            return;
        }
        try {
            NodeState node = batch.build().node(pod.node()).orElseThrow();
            batch.place(RunningPlacement.of(pod, node, seat.translation.named()));
        } catch (PlacementConflictException | IllegalArgumentException e) {
            stale.add(pod.node());
        }
    }

    /** Takes note that a pod no longer runs, or was never bound as assumed. */
    public void removePod(PodId id) {
        String node = nodeOf.remove(id);
        if (node == null) {
            return;
        }
        NodeSeat seat = seat(node);
        seat.running.remove(id);
        seat.assumed.remove(id);
        touched.add(node);
        if (seat.residents.remove(id) != null || seat.troubled || stale.contains(node)) {
            stale.add(node);
        } else {
            batch.release(id);
        }
    }

    /**
     * Takes it that a pod runs as decided on the current snapshot, until the API server says so or {@link #removePod} ends it.
     *
     * @throws PlacementConflictException if it was decided on another snapshot and does not fit
     */
    public void assume(Placement placement) {
        cluster();
        batch.place(placement);
        seat(placement.node()).assumed.put(placement.pod(), placement);
        nodeOf.put(placement.pod(), placement.node());
    }

    /** Takes it that a pod which was assumed to run holds something else of the same node. */
    public void assumeAgain(Placement placement) {
        if (seat(placement.node()).assumed.replace(placement.pod(), placement) != null) {
            stale.add(placement.node());
        }
    }

    /** Returns what a pod is assumed to hold. */
    public Optional<Placement> assumed(PodId id) {
        String node = nodeOf.get(id);
        return node == null
                ? Optional.empty()
                : Optional.ofNullable(seat(node).assumed.get(id));
    }

    /** Returns whether a pod is bound, by what the API server says. */
    public Optional<RunningPod> running(PodId id) {
        String node = nodeOf.get(id);
        return node == null
                ? Optional.empty()
                : Optional.ofNullable(
                        seat(node).running.getOrDefault(id, seat(node).residents.get(id)));
    }

    /** Returns the node that a pod runs on or is assumed to. */
    public Optional<String> nodeOf(PodId id) {
        return Optional.ofNullable(nodeOf.get(id));
    }

    /** Returns a node as the API server describes it, if it is there and can be translated. */
    public Optional<NodeManifest> manifest(String node) {
        NodeSeat seat = seats.get(node);
        return seat == null || seat.translation == null ? Optional.empty() : Optional.of(seat.translation.manifest());
    }

    /** Returns the dialect of a node that is there. */
    public io.gpusched.dialect.Dialect dialect(String node) {
        return Objects.requireNonNull(seat(node).translation, node).named().dialect();
    }

    /** Returns the dialects. */
    public DialectSet dialects() {
        return dialects;
    }

    /** Expects that groups will ask for domains of a node label. */
    public void expectLevel(String label) {
        if (levels.expect(label)) {
            translateAgain();
        }
    }

    /**
     * Makes a node label a level of the topology, so that a domain is all nodes with one value of it. Costs O(nodes) if nodes
     * or levels changed, or labels do not nest and another one was asked for before.
     */
    public void requireLevel(String label) {
        if (levels.require(label, this::labels)) {
            translateAgain();
        }
    }

    /** Returns whether any node has a label. */
    public boolean isLabelled(String label) {
        return seats.values().stream()
                .anyMatch(seat -> seat.translation != null
                        && seat.translation.manifest().labels().containsKey(label));
    }

    private List<Map<String, String>> labels() {
        List<Map<String, String>> labels = new ArrayList<>();
        for (NodeSeat seat : seats.values()) {
            if (seat.translation != null) {
                labels.add(seat.translation.manifest().labels());
            }
        }
        return labels;
    }

    private void translateAgain() {
        seats.forEach((name, seat) -> {
            if (seat.translation != null) {
                seat.translation = NodeTranslation.of(seat.translation.manifest(), dialects, levels.order());
                stale.add(name);
            }
        });
    }

    /** Returns the snapshot with all that was noted. */
    public Cluster cluster() {
        for (String name : stale) {
            renew(name, seat(name));
        }
        stale.clear();
        return batch.build();
    }

    private void renew(String name, NodeSeat seat) {
        NodeState old = batch.build().node(name).orElse(null);
        if (old != null) {
            old.placements().forEach(placement -> batch.release(placement.pod()));
        }
        if (seat.translation == null) {
            if (old != null) {
                batch.removeNode(name);
            }
            if (seat.isIdle()) {
                seats.remove(name);
            }
            return;
        }
        NodeFill fill = NodeFill.of(seat.translation, seat);
        if (old == null) {
            batch.addNode(fill.open());
        } else {
            batch.replaceNode(fill.open());
        }
        fill.placements().forEach(batch::place);
        batch.replaceNode(fill.shut());
        seat.troubled = fill.isTroubled();
        troubles.addAll(fill.troubles());
    }

    /** Returns the nodes that changed or lost a pod since this was asked last. */
    public Collection<String> touched() {
        Set<String> nodes = new HashSet<>(touched);
        touched.clear();
        return nodes;
    }

    /** Returns what was found wrong since this was asked last. */
    public List<Trouble> troubles() {
        List<Trouble> found = troubles;
        troubles = new ArrayList<>();
        return found;
    }
}
