package io.gpusched.manifests.view;

import io.fabric8.kubernetes.api.model.Namespace;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
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
    private final NodeTable nodes;
    private final Map<PodId, String> nodeOf = new HashMap<>();
    private final BookSnapshots snapshots = new BookSnapshots();
    private final Map<String, List<SetAside>> setAside = new TreeMap<>();

    /** How close the pods of a group stay, where they may not be anywhere. */
    private final Map<GroupKey, Locality> localities = new HashMap<>();

    /** The annotations that were reported as different from what was granted. */
    private final Map<PodId, Map<String, String>> changed = new HashMap<>();

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
        this.nodes = new NodeTable(dialects, extension);
    }

    /** Takes note of a node, new or changed. What cannot be translated takes no pods. */
    public void putNode(io.fabric8.kubernetes.api.model.Node object) {
        nodes.put(object);
    }

    /** Takes note that other objects than a node itself say something new of it. */
    public void extendNode(String name) {
        nodes.extend(name);
    }

    /** As {@link #extendNode}, of all nodes. */
    public void extendNodes() {
        nodes.extendAll();
    }

    /** Takes note that a node is gone; what runs there is placed again when it comes back. */
    public void removeNode(String name) {
        nodes.remove(name);
    }

    /**
     * Takes note of a namespace, new or changed, by whose labels pod affinity may find it. O(n + pods) if that concerns a rule of a
     * running pod.
     */
    public void putNamespace(Namespace object) {
        String name = object.getMetadata().getName();
        Map<String, String> labels =
                Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
        label(name, ManifestReader.namespaceLabels(name, labels));
    }

    /** Takes note that a namespace is gone. */
    public void removeNamespace(String name) {
        label(name, Map.of());
    }

    private void label(String namespace, Map<String, String> labels) {
        snapshots.label(namespace, labels);
    }

    /**
     * Takes note of how close the pods of a group stay, which the placements of its members say from then on.
     *
     * @param members the members that run or are assumed to
     */
    public void putGroup(GroupKey key, Locality locality, Collection<PodId> members) {
        Locality before = locality.equals(Locality.ANYWHERE) ? localities.remove(key) : localities.put(key, locality);
        if (locality.equals(Objects.requireNonNullElse(before, Locality.ANYWHERE))) {
            return;
        }
        for (PodId member : members) {
            String node = nodeOf.get(member);
            if (node != null) {
                entry(node)
                        .assumed
                        .computeIfPresent(member, (any, held) -> held.withGroup(membership(Optional.of(key))));
                nodes.isStale(node);
            }
        }
    }

    /** Returns the group of a pod as its placement says it; nothing for a pod that is in none. */
    public Optional<GroupMembership> membership(Optional<GroupKey> group) {
        return group.map(key -> GroupMembership.of(key.unique(), localities.getOrDefault(key, Locality.ANYWHERE)));
    }

    private NodeEntry entry(String name) {
        return nodes.entry(name);
    }

    /**
     * Takes note of a pod that runs; what was assumed of it ends. What it was first seen to hold it holds until it is gone: whoever
     * changes the annotations later gives nothing away.
     */
    public void putPod(RunningPod seen) {
        RunningPod pod = kept(seen);
        if (pod.isResident(dialects::isCounted)) {
            putResident(pod);
            return;
        }
        String before = nodeOf.get(pod.id());
        NodeEntry entry = entry(pod.node());
        if (before != null && (!before.equals(pod.node()) || !pod.equals(entry.running.get(pod.id())))) {
            if (entry.confirms(pod, membership(pod.group()))) {
                entry.assumed.remove(pod.id());
                entry.running.put(pod.id(), pod);
                return;
            }
            removePod(pod.id());
            before = null;
        }
        if (before == null) {
            add(entry(pod.node()), pod);
        }
    }

    /** The pod with the grant that it had, where it is another now. */
    private RunningPod kept(RunningPod pod) {
        RunningPod before = entry(pod.node()).running.get(pod.id());
        if (before == null
                || !before.uid().equals(pod.uid())
                || before.manifest().annotations().equals(pod.manifest().annotations())
                || isSetAside(pod)
                || entry(pod.node()).isHeldAlike(before, pod)) {
            return pod;
        }
        RunningPod kept = pod.withManifest(
                pod.manifest().withAnnotations(before.manifest().annotations()));
        Map<String, String> now = pod.manifest().annotations();
        if (!now.equals(changed.put(pod.id(), now))) {
            nodes.add(List.of(new Trouble(
                    "Pod",
                    pod.id().namespace(),
                    pod.id().name(),
                    pod.uid(),
                    "GrantChanged",
                    "its annotations name other GPUs than it was granted; what it was granted stays its own")));
        }
        return kept;
    }

    private boolean isSetAside(RunningPod pod) {
        return setAside(pod.node()).stream().anyMatch(one -> one.pod().equals(pod.id()));
    }

    private void putResident(RunningPod pod) {
        NodeEntry entry = entry(pod.node());
        if (!pod.equals(entry.residents.get(pod.id()))) {
            removePod(pod.id());
            entry(pod.node()).residents.put(pod.id(), pod);
            nodeOf.put(pod.id(), pod.node());
            nodes.isStale(pod.node());
        }
    }

    private void add(NodeEntry entry, RunningPod pod) {
        entry.running.put(pod.id(), pod);
        nodeOf.put(pod.id(), pod.node());
        if (entry.translation == null || entry.troubled || nodes.willBeRenewed(pod.node())) {
            nodes.isStale(pod.node());
            return;
        }
        try {
            NodeState node = snapshots.cluster().node(pod.node()).orElseThrow();
            snapshots.place(
                    RunningPlacement.of(pod, node, entry.translation.named()).withGroup(membership(pod.group())));
        } catch (RuntimeException e) {
            // made again, the node says what is wrong
            nodes.isStale(pod.node());
        }
    }

    /** Takes note that a pod no longer runs, or was never bound as assumed. */
    public void removePod(PodId id) {
        changed.remove(id);
        String node = nodeOf.remove(id);
        if (node == null) {
            return;
        }
        NodeEntry entry = entry(node);
        RunningPod resident = entry.residents.remove(id);
        entry.running.remove(id);
        entry.assumed.remove(id);
        nodes.isTouched(node);
        if (resident != null || entry.translation == null || entry.troubled || nodes.willBeRenewed(node)) {
            nodes.isStale(node);
        } else {
            snapshots.release(id);
        }
    }

    /**
     * Takes it that a pod runs as decided on the current snapshot, until the API server says so or {@link #removePod} ends it.
     *
     * @throws PlacementConflictException if it was decided on another snapshot and does not fit
     */
    public void assume(Placement placement) {
        cluster();
        snapshots.place(placement);
        entry(placement.node()).assumed.put(placement.pod(), placement);
        nodeOf.put(placement.pod(), placement.node());
    }

    /** Takes it that a pod which was assumed to run holds something else of the same node. */
    public void assumeAgain(Placement placement) {
        if (entry(placement.node()).assumed.replace(placement.pod(), placement) != null) {
            nodes.isStale(placement.node());
        }
    }

    /** Returns what a pod is assumed to hold. */
    public Optional<Placement> assumed(PodId id) {
        String node = nodeOf.get(id);
        return node == null
                ? Optional.empty()
                : Optional.ofNullable(entry(node).assumed.get(id));
    }

    /** Returns whether a pod is bound, by what the API server says. */
    public Optional<RunningPod> running(PodId id) {
        String node = nodeOf.get(id);
        return node == null
                ? Optional.empty()
                : Optional.ofNullable(entry(node)
                        .running
                        .getOrDefault(id, entry(node).residents.get(id)));
    }

    /** Returns the node that a pod runs on or is assumed to. */
    public Optional<String> nodeOf(PodId id) {
        return Optional.ofNullable(nodeOf.get(id));
    }

    /** Returns a node as the API server describes it, if it is there and can be translated. */
    public Optional<NodeManifest> manifest(String node) {
        return nodes.manifest(node);
    }

    /** Returns the dialect of a node that is there. */
    public Dialect dialect(String node) {
        return Objects.requireNonNull(entry(node).translation, node).named().dialect();
    }

    /** Returns the dialects. */
    public DialectSet dialects() {
        return dialects;
    }

    /** Returns a dialect with what it has to know of all nodes together, as pair scores; the same object until that changes. */
    public Dialect informed(Dialect dialect) {
        return nodes.informed(dialect);
    }

    /** Returns whether any node has a label. */
    public boolean isLabelled(String label) {
        return nodes.isLabelled(label);
    }

    /** Returns the snapshot with all that was noted. */
    public Cluster cluster() {
        Collection<String> stale = nodes.takeStale();
        // A pod may have come from one of them to another.
        stale.forEach(snapshots::clear);
        stale.forEach(name -> renew(name, entry(name)));
        return snapshots.cluster();
    }

    private void renew(String name, NodeEntry entry) {
        setAside.remove(name);
        if (entry.translation == null) {
            snapshots.remove(name);
            if (entry.isIdle()) {
                nodes.forget(name);
            }
            return;
        }
        NodeFill fill = NodeFill.of(entry.translation, entry);
        snapshots.put(
                fill,
                fill.placements().stream()
                        .map(placement -> inGroup(placement, entry))
                        .toList());
        entry.troubled = fill.isTroubled();
        nodes.add(fill.troubles());
        if (!fill.setAside().isEmpty()) {
            setAside.put(name, List.copyOf(fill.setAside()));
        }
    }

    private Placement inGroup(Placement placement, NodeEntry entry) {
        RunningPod running = entry.running.get(placement.pod());
        return running == null ? placement : placement.withGroup(membership(running.group()));
    }

    /** Returns the GPUs that are set aside because no annotation that can be read says that they are held, by node and pod. */
    public List<SetAside> setAside() {
        return setAside.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the same of one node. */
    public List<SetAside> setAside(String node) {
        return setAside.getOrDefault(node, List.of());
    }

    /** Returns the nodes that changed or lost a pod since this was asked last. */
    public Collection<String> touched() {
        return nodes.takeTouched();
    }

    /** Returns what was found wrong since this was asked last. */
    public List<Trouble> troubles() {
        return nodes.takeTroubles();
    }
}
