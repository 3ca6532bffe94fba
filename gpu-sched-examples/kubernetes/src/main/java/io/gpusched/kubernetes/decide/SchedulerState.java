package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.kubernetes.evict.BudgetBook;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.queue.Priorities;
import io.gpusched.kubernetes.quota.QueueBook;
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
 * All that a scheduler knows, and what it makes of it. Changes are applied in batches; after each, {@link #decide} plans for all pods
 * and groups that wait, if something changed that may matter to them. A pod that is placed is assumed to run until the API server says
 * so, or says that it was not bound.
 *
 * <p>Everything but what is assumed comes from the API server, so that a new state that is told the same objects decides
 * alike. Times are the caller's, in milliseconds. Not thread-safe.
 */
public final class SchedulerState {
    private static final String UNREADABLE = "Unreadable";

    private final ClusterBook book;
    private final VolumeBook volumes = new VolumeBook();
    private final HyperNodes hyperNodes = new HyperNodes();
    private final Tables tables;
    private final Priorities priorities = new Priorities();
    private final BudgetBook budgets = new BudgetBook();
    private final Delays delays;
    private final VolumeCharges charges;
    private final DeviceClaims devices;
    private final Requests requests;
    private final Refusals refusals;
    private final RoomPlans rooms;
    private final PodLives lives;
    private final AwaitedVolumes awaited;
    private final CyclePlans plans;
    private final CycleRound round;
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
     * @param backoff how long a pod waits at least that could not be bound
     * @param volumeMillis how long a pod waits for volumes on the node that was chosen
     * @param clock the times that device plugins read beside a grant, and that queues count
     * @param how how is decided by queues
     */
    public SchedulerState(
            DialectSet dialects, Scope scope, Backoff backoff, long volumeMillis, Clock clock, QueueSettings how) {
        this.book = new ClusterBook(
                dialects, node -> closed(hyperNodes.extend(volumes.limits().extend(node))));
        this.delays = new Delays(backoff);
        this.charges = new VolumeCharges(book, volumes);
        this.tables = new Tables(
                book,
                new PodTable(),
                new HashMap<>(),
                new GroupTally(),
                new JobBook(scope, priorities, how.vocabulary(), clock),
                new QueueBook(how.vocabulary()));
        SharedVolumes shared = new SharedVolumes(tables, charges, volumes.limits());
        this.refusals = new Refusals(book, shared);
        this.devices = new DeviceClaims(book, charges, how.verify());
        this.requests = new Requests(dialects, volumes, tables.pods(), devices);
        Binder binder = new Binder(book, charges, tables.pods(), new BindingStamps(clock), devices);
        this.lives = new PodLives(tables, charges, requests, refusals, delays, devices);
        this.awaited = new AwaitedVolumes(volumes, tables.pods(), lives, volumeMillis);
        Nominations nominations = new Nominations();
        this.rooms = new RoomPlans(tables, nominations);
        JobBuilding building = new JobBuilding(tables, priorities, nominations, how.backfill());
        WaitingWords waiting = new WaitingWords(refusals, rooms, how, clock);
        this.plans = new CyclePlans(
                tables,
                new CycleStates(tables, requests, refusals, delays, shared, building),
                new Budgets(budgets, tables.jobs(), rooms),
                waiting,
                how,
                clock);
        this.round = new CycleRound(plans, rooms, binder, waiting, delays, clock);
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
            } catch (RuntimeException | StackOverflowError e) {
                troubles.add(unreadable(change, e));
            }
        }
        if (devices.refresh()) {
            requests.forgetAll();
        }
        if (volumesChanged) {
            charges.recount(tables.pods());
        }
        if (hyperNodesChanged) {
            book.extendNodes();
            hyperNodesChanged = false;
        }
        boolean nodesChanged = !book.touched().isEmpty() || volumesChanged;
        volumesChanged = false;
        // a node or volume alone matters only if something of it is another now
        boolean others = changes.stream()
                .anyMatch(change -> !(change instanceof Change.NodePut) && !(change instanceof Change.VolumePut));
        if (nodesChanged || others) {
            round.changed();
        }
    }

    /** What cannot be taken as it is takes out its own object, and is said of it. */
    private Trouble unreadable(Change change, Throwable e) {
        if (change instanceof Change.PodPut put) {
            ObjectMeta pod = put.pod().getMetadata();
            PodId id = Unit.idOf(put.pod());
            if (tables.jobs().isOurs(put.pod()) && put.pod().getSpec().getNodeName() == null) {
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
        if (change instanceof Change.NodePut put) {
            devices.putNode(put.node());
        } else if (change instanceof Change.NodeGone gone) {
            devices.removeNode(gone.name());
        } else if (change instanceof Change.PodPut put) {
            if (!tables.pods().isLate(put.pod()) && tables.jobs().put(put.pod())) {
                rooms.saw(Unit.idOf(put.pod()));
            }
            lives.put(put.pod());
        } else if (change instanceof Change.PodGone gone) {
            JobPod known = tables.jobs().get(gone.id());
            if (known != null && known.uid().equals(gone.uid())) {
                tables.jobs().remove(gone.id());
            }
            lives.gone(gone.id(), gone.uid());
        } else if (change instanceof Change.NotBound lost) {
            lives.notBound(lost, now);
        } else if (change instanceof Change.GroupPut put) {
            putGroup(put.group());
        } else if (change instanceof Change.GroupGone gone) {
            tables.groups().remove(gone.key());
            book.putGroup(
                    gone.key(),
                    Locality.ANYWHERE,
                    tables.pods().members(gone.key()).placed());
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
        } else if (change instanceof Change.DevicesPut put) {
            devices.put(put.object(), put.isWhole());
        } else if (change instanceof Change.DevicesGone gone) {
            devices.remove(gone.object());
        } else if (change instanceof Change.NamespacePut put) {
            book.putNamespace(put.namespace());
        } else if (change instanceof Change.NamespaceGone gone) {
            book.removeNamespace(gone.name());
        } else if (change instanceof Change.HyperNodePut put) {
            hyperNodesChanged |= hyperNodes.put(put.object());
        } else if (change instanceof Change.HyperNodeGone gone) {
            hyperNodes.remove(gone.name());
            hyperNodesChanged = true;
        } else if (change instanceof Change.QueuePut put) {
            tables.queues().put(put.queue());
        } else if (change instanceof Change.QueueGone gone) {
            tables.queues().remove(gone.name());
        } else if (change instanceof Change.BudgetPut put) {
            budgets.put(put.budget());
        } else if (change instanceof Change.BudgetGone gone) {
            budgets.remove(gone.budget());
        } else if (change instanceof Change.RoomGivenUp given) {
            Optional<Unit> unit = rooms.givenUp(given, now);
            if (given.kept().isEmpty()) {
                unit.ifPresent(one -> delays.delay(one, now)); // it is the job itself to which the server said no
            }
        }
    }

    private void extendNode(HasMetadata object) {
        if (object instanceof CSINode) {
            book.extendNode(object.getMetadata().getName());
        }
    }

    private void putGroup(GroupSpec group) {
        tables.tally().touch(group.key());
        book.putGroup(
                group.key(),
                group.locality().widest(),
                tables.pods().members(group.key()).placed());
        if (!group.equals(tables.groups().put(group.key(), group))) {
            delays.end(new Unit.Group(group.key()));
        }
    }

    /** Plans for all that waits, if it is time to. */
    public Decisions decide(long now) {
        if (awaited.expire(now)) {
            round.changed();
        }
        devices.begin();
        Decisions decisions = round.decide(now);
        if (devices.isMoreToLookAt()) {
            round.changed();
        }
        decisions.bindings().forEach(binding -> lives.assumed(binding.pod()));
        awaited.add(decisions.bindings(), now);
        awaited.moveTo(decisions);
        decisions.refusals().addAll(turnedAway);
        turnedAway.clear();
        troubles.addAll(decisions.troubles());
        return decisions;
    }

    /** Returns what a cycle would be asked, for callers that look and decide nothing. */
    public QueueState seen(long now) {
        return plans.seen(now);
    }

    /** Returns when there is something to decide next: a time that is past if there is already. */
    public OptionalLong nextDecisionAt() {
        if (!turnedAway.isEmpty()) {
            return OptionalLong.of(Long.MIN_VALUE);
        }
        OptionalLong volume = awaited.nextAt();
        OptionalLong ready = round.nextAt();
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

    /** Returns the GPUs that are set aside because no annotation that can be read says that they are held, by node and pod. */
    public List<SetAside> setAside() {
        return book.setAside();
    }

    /** Returns how many pods wait by the reason of their last attempt; those not tried yet are left out. */
    public Map<PendingReason, Integer> pendingByReason() {
        return refusals.byReason();
    }

    /** Returns how many pods wait: for their first plan, for a delay of them or their group, and for a change after they were refused. */
    public int[] queueLengths(long now) {
        int delayed = delays.count(now);
        int refused = refusals.count();
        return new int[] {Math.max(0, tables.pods().waitingCount() - delayed - refused), delayed, refused};
    }

    /** Returns how far the groups are whose pods changed since this was asked last; those of other schedulers are left out. */
    public List<GroupState> groupStates() {
        List<GroupState> states = new ArrayList<>();
        for (GroupKey key : tables.tally().changed()) {
            GroupSpec group = tables.groups().get(key);
            if (group != null) {
                tables.tally().counts(key).ifPresent(counts -> states.add(new GroupState(group, counts)));
            }
        }
        return states;
    }

    /** Returns how many pods are about to be bound. */
    public int bindingCount() {
        return tables.pods().bindingCount();
    }
}
