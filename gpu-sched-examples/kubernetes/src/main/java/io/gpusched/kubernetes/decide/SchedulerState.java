package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.queue.Priorities;
import io.gpusched.kubernetes.queue.SchedulingQueue;
import io.gpusched.kubernetes.volume.VolumeBook;
import io.gpusched.manifests.grant.BindingStamps;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.HyperNodes;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.manifests.view.Trouble;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.queue.QueueState;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that a scheduler knows, and what it makes of it. Changes are applied in batches; after each, the pods and groups that
 * may have been helped become ready, and {@link #decide} tries them one after the other, each on the snapshot that the one
 * before left. A pod that is placed is assumed to run until the API server says so, or says that it was not bound.
 *
 * <p>Everything but what is assumed comes from the API server, so that a new state that is told the same objects decides
 * alike. Times are the caller's, in milliseconds. Not thread-safe.
 */
public final class SchedulerState {
    private static final String UNREADABLE = "Unreadable";

    private final ClusterBook book;
    private final VolumeBook volumes = new VolumeBook();
    private final HyperNodes hyperNodes = new HyperNodes();
    private final PodTable pods = new PodTable();
    private final Map<GroupKey, GroupSpec> groups = new HashMap<>();
    private final GroupTally tally = new GroupTally();
    private final Priorities priorities = new Priorities();
    private final SchedulingQueue<Unit> queue;
    private final VolumeCharges charges;
    private final Refusals refusals;
    private final Round round;
    private final PodLives lives;
    private final AwaitedVolumes awaited;
    private final Optional<QueuedDecisions> queued;
    private final Scope scope;
    private final List<Trouble> troubles = new ArrayList<>();

    /** Pods that cannot be read, which is still to be said of them. */
    private final List<Refusal> turnedAway = new ArrayList<>();

    private final Set<String> closed = new TreeSet<>();
    private boolean volumesChanged;
    private boolean hyperNodesChanged;

    /**
     * Creates the state of an empty cluster.
     *
     * @param dialects the dialects of its nodes
     * @param scope which pods are placed
     * @param backoff how long a pod that found no place waits at least
     * @param volumeMillis how long a pod waits for volumes on the node that was chosen
     * @param clock the times that device plugins read beside a grant
     */
    public SchedulerState(DialectSet dialects, Scope scope, Backoff backoff, long volumeMillis, Clock clock) {
        this(dialects, scope, backoff, volumeMillis, clock, Optional.empty());
    }

    /**
     * Creates the state of an empty cluster.
     *
     * @param dialects the dialects of its nodes
     * @param scope which pods are placed
     * @param backoff how long a pod that found no place waits at least
     * @param volumeMillis how long a pod waits for volumes on the node that was chosen
     * @param clock the times that device plugins read beside a grant, and that queues count
     * @param queues how is decided by queues; without, pods are decided about one by one, and none is evicted
     */
    public SchedulerState(
            DialectSet dialects,
            Scope scope,
            Backoff backoff,
            long volumeMillis,
            Clock clock,
            Optional<QueueSettings> queues) {
        this.scope = scope;
        this.book = new ClusterBook(
                dialects, node -> closed(hyperNodes.extend(volumes.limits().extend(node))));
        this.queue = new SchedulingQueue<>(backoff);
        this.charges = new VolumeCharges(book, volumes);
        Decider decider = new Decider(book::informed);
        this.refusals = new Refusals(decider, book, pods);
        Requests requests = new Requests(dialects, volumes, pods);
        Binder binder = new Binder(book, charges, pods, new BindingStamps(clock));
        GroupSearch search = new GroupSearch(book, charges, decider);
        GroupRound groupRound = new GroupRound(book, pods, requests, search, refusals, binder);
        this.round = new Round(pods, groups, queue, charges, requests, decider, refusals, binder, groupRound);
        Ranks ranks = new Ranks(pods, groups, priorities);
        this.lives = new PodLives(scope, pods, groups, tally, ranks, queue, charges, round);
        this.awaited = new AwaitedVolumes(volumes, pods, lives, volumeMillis);
        this.queued = queues.map(how -> new QueuedDecisions(
                scope, book, pods, groups, tally, ranks, priorities, requests, refusals, queue, binder, how, clock));
    }

    private NodeManifest closed(NodeManifest node) {
        return closed.contains(node.name())
                ? new NodeManifest(
                        node.name(),
                        node.labels(),
                        node.annotations(),
                        node.allocatable(),
                        node.taints(),
                        true,
                        node.named())
                : node;
    }

    /** Lets these nodes take no new pods from now on, as if they were cordoned, and all others as they are. */
    public void close(Set<String> nodes) {
        Set<String> changed = new TreeSet<>(closed);
        changed.addAll(nodes);
        changed.removeIf(node -> closed.contains(node) && nodes.contains(node));
        closed.clear();
        closed.addAll(nodes);
        changed.forEach(book::extendNode);
    }

    /** Applies changes in their order. */
    public void apply(Collection<Change> changes, long now) {
        for (Change change : changes) {
            try {
                apply(change, now);
            } catch (RuntimeException e) {
                troubles.add(unreadable(change, e));
            }
        }
        if (volumesChanged) {
            charges.recount(pods);
        }
        if (hyperNodesChanged) {
            book.extendNodes();
            hyperNodesChanged = false;
        }
        Cluster cluster = book.cluster();
        Collection<String> touched = book.touched();
        boolean podsChanged = lives.takeChanged();
        boolean eased = book.takeEased();
        boolean isQueued = queued.isPresent();
        queued.ifPresent(one -> one.changed(changes, !touched.isEmpty() || volumesChanged));
        if (!isQueued && (volumesChanged || podsChanged || eased || !touched.isEmpty())) {
            queue.wake(now, unit -> refusals.mayBeHelped(unit, cluster, touched, volumesChanged, podsChanged, eased));
        }
        volumesChanged = false;
    }

    /** What cannot be taken as it is takes out its own object, and is said of it. */
    private Trouble unreadable(Change change, RuntimeException e) {
        if (change instanceof Change.PodPut put) {
            ObjectMeta pod = put.pod().getMetadata();
            PodId id = Unit.idOf(put.pod());
            if (scope.holds(put.pod()) && put.pod().getSpec().getNodeName() == null) {
                turnedAway.add(new Refusal(
                        new PendingPod(id, put.pod(), Optional.empty()),
                        PendingReason.REFUSED,
                        () -> "it cannot be read: " + e));
            }
            return new Trouble("Pod", id.namespace(), id.name(), pod.getUid(), UNREADABLE, String.valueOf(e));
        }
        return new Trouble("Change", "", change.getClass().getSimpleName(), "", UNREADABLE, change + ": " + e);
    }

    private void apply(Change change, long now) {
        queued.ifPresent(one -> one.apply(change, now));
        if (change instanceof Change.NodePut put) {
            book.putNode(put.node());
        } else if (change instanceof Change.NodeGone gone) {
            book.removeNode(gone.name());
        } else if (change instanceof Change.PodPut put) {
            lives.put(put.pod(), now);
        } else if (change instanceof Change.PodGone gone) {
            lives.gone(gone.id(), gone.uid());
        } else if (change instanceof Change.NotBound lost) {
            lives.notBound(lost, now);
        } else if (change instanceof Change.GroupPut put) {
            putGroup(put.group());
        } else if (change instanceof Change.GroupGone gone) {
            groups.remove(gone.key());
            book.putGroup(
                    gone.key(), Locality.ANYWHERE, pods.members(gone.key()).placed());
        } else {
            applyRest(change, now);
        }
    }

    private void applyRest(Change change, long now) {
        if (change instanceof Change.PriorityPut put) {
            priorities.put(put.priority());
        } else if (change instanceof Change.PriorityGone gone) {
            priorities.remove(gone.name());
        } else if (change instanceof Change.VolumePut put) {
            volumes.put(put.object());
            volumesChanged = true;
            extendNode(put.object());
            awaited.look(now);
        } else if (change instanceof Change.VolumeGone gone) {
            volumes.remove(gone.object());
            volumesChanged = true;
            extendNode(gone.object());
        } else if (change instanceof Change.NamespacePut put) {
            book.putNamespace(put.namespace());
        } else if (change instanceof Change.NamespaceGone gone) {
            book.removeNamespace(gone.name());
        } else if (change instanceof Change.HyperNodePut put) {
            hyperNodesChanged |= hyperNodes.put(put.object());
        } else if (change instanceof Change.HyperNodeGone gone) {
            hyperNodes.remove(gone.name());
            hyperNodesChanged = true;
        }
    }

    private void extendNode(HasMetadata object) {
        if (object instanceof CSINode) {
            book.extendNode(object.getMetadata().getName());
        }
    }

    private void putGroup(GroupSpec group) {
        tally.touch(group.key());
        group.locality().labels().stream()
                .filter(label -> !HyperNodes.isTier(label))
                .forEach(book::expectLevel);
        book.putGroup(
                group.key(),
                group.locality().widest(),
                pods.members(group.key()).placed());
        if (!group.equals(groups.put(group.key(), group))) {
            lives.rankAgain(group.key());
            queue.makeReady(new Unit.Group(group.key()));
        }
    }

    /** Tries up to this many pods and groups. */
    public Decisions decide(long now, int most) {
        awaited.expire(now);
        Decisions decisions = queued.isPresent() ? queued.get().decide(now) : round.decide(now, most);
        decisions.bindings().forEach(binding -> round.forget(binding.pod()));
        awaited.add(decisions.bindings(), now);
        awaited.moveTo(decisions);
        decisions.refusals().addAll(turnedAway);
        turnedAway.clear();
        troubles.addAll(decisions.troubles());
        return decisions;
    }

    /**
     * Returns what a cycle would be asked, for those who look and decide nothing.
     *
     * @throws java.util.NoSuchElementException if there are no queues
     */
    public QueueState seen(long now) {
        return queued.orElseThrow().seen(now);
    }

    /** Returns when there is something to decide next: a time that is past if there is already. */
    public OptionalLong nextDecisionAt() {
        if (!turnedAway.isEmpty()) {
            return OptionalLong.of(Long.MIN_VALUE);
        }
        OptionalLong volume = awaited.nextAt();
        OptionalLong ready = queued.isPresent() ? queued.get().nextAt() : queue.nextReadyAt();
        return volume.isPresent() && ready.isPresent()
                ? OptionalLong.of(Math.min(volume.getAsLong(), ready.getAsLong()))
                : volume.isPresent() ? volume : ready;
    }

    /** Returns the snapshot with what is assumed. */
    public Cluster cluster() {
        return book.cluster();
    }

    /** Returns what was found wrong since this was asked last. */
    public List<Trouble> troubles() {
        List<Trouble> all = new ArrayList<>(book.troubles());
        all.addAll(troubles);
        troubles.clear();
        return all;
    }

    /** Returns the GPUs of which nothing that can be read says that they are held, by node and pod. */
    public List<SetAside> setAside() {
        return book.setAside();
    }

    /** Returns how many pods wait by the reason of their last attempt; those not tried yet are left out. */
    public Map<PendingReason, Integer> pendingByReason() {
        return refusals.byReason();
    }

    /** Returns the queue's lengths: ready, waiting for a delay, waiting for a change. */
    public int[] queueLengths() {
        // with queues, nobody is taken from this one: whoever is ready has been looked at, and waits for a change
        int ready = queued.isPresent() ? 0 : queue.readyCount();
        return new int[] {ready, queue.delayedCount(), queue.parkedCount() + queue.readyCount() - ready};
    }

    /** Returns how far the groups are whose pods changed since this was asked last; those of other schedulers are left out. */
    public List<GroupState> groupStates() {
        List<GroupState> states = new ArrayList<>();
        for (GroupKey key : tally.changed()) {
            GroupSpec group = groups.get(key);
            if (group != null) {
                tally.counts(key).ifPresent(counts -> states.add(new GroupState(group, counts)));
            }
        }
        return states;
    }

    /** Returns how many pods are about to be bound. */
    public int bindingCount() {
        return pods.bindingCount();
    }
}
