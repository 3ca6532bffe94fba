package io.gpusched.kubernetes.process;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.Decisions;
import io.gpusched.kubernetes.decide.PendingReason;
import io.gpusched.kubernetes.decide.Refusal;
import io.gpusched.kubernetes.decide.SchedulerState;
import io.gpusched.kubernetes.decide.ToldStart;
import io.gpusched.kubernetes.watch.ClusterWatch;
import io.gpusched.kubernetes.watch.Inbox;
import io.gpusched.kubernetes.write.ApiWriter;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.BindWriter;
import io.gpusched.kubernetes.write.EventSubject;
import io.gpusched.kubernetes.write.EventWriter;
import io.gpusched.kubernetes.write.GroupWriter;
import io.gpusched.kubernetes.write.PendingWords;
import io.gpusched.kubernetes.write.QueueWriter;
import io.gpusched.kubernetes.write.RoomWriter;
import io.gpusched.kubernetes.write.StartWriter;
import io.gpusched.kubernetes.write.StatusWriter;
import io.gpusched.kubernetes.write.TaintKeeper;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.Trouble;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One time of leading, from reading the whole cluster to the last write. Its thread owns the state and never waits for the
 * network: what it is told comes through the inbox, what it writes others write.
 */
final class Session implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private static final String MOVED =
            "evicted so that its node becomes whole; there is room for its successor elsewhere";
    private static final int MOST_BINDINGS_WAITING = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    /** Meanwhile the list is read. */
    private static final long LISTING_PAUSE_MILLIS = 20;

    private final SchedulerMetrics metrics;
    private final SchedulerState state;
    private final BooleanSupplier isLeading;
    private final Inbox inbox = new Inbox();
    private final ClusterWatch watch;
    private final ApiWriter writer;
    private final EventWriter events;
    private final Optional<Recording> recording;
    private final BindWriter binder;
    private final StatusWriter status;
    private final StartWriter starts;
    private final GroupWriter groups;
    private final RoomWriter rooms;
    private final Optional<Defragmentation> defragmentation;
    private final QueueWriter queues;
    private final TaintKeeper taints;
    private final boolean keepsTaints;
    private final Consumer<Session> outdated;
    private final Thread thread = new Thread(this::run, "gpu-sched-decide");
    private volatile boolean stopping;
    private volatile boolean failed;
    private volatile View view = View.NOTHING;

    private Session(
            KubernetesClient client,
            SchedulerSettings settings,
            BooleanSupplier isLeading,
            SchedulerMetrics metrics,
            Consumer<Session> outdated) {
        this.metrics = metrics;
        this.outdated = outdated;
        this.isLeading = isLeading;
        this.writer = new ApiWriter(client, settings.writers(), this::mayWrite);
        this.events = new EventWriter(
                writer,
                settings.schedulerName(),
                settings.lease().map(LeaseSettings::identity).orElse(settings.schedulerName()));
        this.recording = settings.record().map(how -> Recording.open(how, settings.lease(), metrics, events));
        this.state = new SchedulerState(
                new DialectSet(settings.dialects()),
                settings.scope(),
                settings.backoff(),
                settings.volumeTimeout().toMillis(),
                settings.clock(),
                recording.map(settings.queues()::withListener).orElse(settings.queues()));
        try {
            this.watch = ClusterWatch.start(client, inbox, settings.queues().vocabulary());
        } catch (RuntimeException e) {
            recording.ifPresent(Recording::close);
            throw e;
        }
        this.binder = new BindWriter(writer, inbox::add, metrics, events);
        this.status = new StatusWriter(writer, events, settings.statusInterval().toMillis());
        this.starts = new StartWriter(writer, events, settings.clock());
        this.groups = new GroupWriter(writer);
        this.rooms = new RoomWriter(
                writer, new RoomNews(inbox, events, metrics, "Preempted", job -> "evicted to make room for " + job));
        this.defragmentation = settings.defrag()
                .map(how -> new Defragmentation(
                        how,
                        settings.scope(),
                        new RoomWriter(writer, new RoomNews(inbox, events, metrics, "Moved", job -> MOVED))));
        this.queues = new QueueWriter(writer, events);
        this.taints = new TaintKeeper(writer);
        this.keepsTaints = settings.dialects().stream().anyMatch(named -> named.dialect() instanceof T9kDialect);
    }

    /**
     * Starts a session.
     *
     * @param outdated told, once, if what it has read is no more what there is; it does nothing more then, and is to be closed
     */
    static Session start(
            KubernetesClient client,
            SchedulerSettings settings,
            BooleanSupplier isLeading,
            SchedulerMetrics metrics,
            Consumer<Session> outdated) {
        Session session = new Session(client, settings, isLeading, metrics, outdated);
        session.thread.setDaemon(true);
        session.thread.start();
        return session;
    }

    private boolean mayWrite() {
        return isLeading.getAsBoolean() && !watch.hasGoneBack();
    }

    /** Whether so many bindings wait that no more should be decided now. */
    private boolean isFull() {
        return writer.size(Lane.BINDINGS) >= MOST_BINDINGS_WAITING;
    }

    View view() {
        return view;
    }

    /** What is said of the pods that wait; for other threads to read. */
    List<PendingWords> pending() {
        return status.pending();
    }

    private void run() {
        boolean listed = false;
        try {
            while (!stopping) {
                boolean all = watch.isListed();
                List<Change> changes = inbox.take(listed ? pause() : LISTING_PAUSE_MILLIS);
                if (watch.hasGoneBack()) {
                    LOG.warn("the API server has gone back to an earlier version of the cluster; all objects are read"
                            + " again");
                    outdated.accept(this);
                    return;
                }
                listed |= all;
                state.apply(changes, now());
                changes.forEach(this::look);
                if (listed) {
                    state.groupStates().forEach(groups::write);
                    decide();
                    defragmentation.ifPresent(this::defragment);
                }
                publish(listed);
            }
        } catch (InterruptedException e) {
            LOG.debug("stopped");
        } catch (RuntimeException | Error e) {
            LOG.error("the deciding thread failed; nothing more is placed", e);
            view = View.NOTHING;
            failed = true;
        }
    }

    /** Whether it cannot go on; its supervisor should start it again. */
    boolean hasFailed() {
        return failed;
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    private long pause() {
        if (isFull()) {
            return LISTING_PAUSE_MILLIS;
        }
        OptionalLong next = state.nextDecisionAt();
        if (next.isEmpty()) {
            return LONGEST_PAUSE_MILLIS;
        }
        return next.getAsLong() == Long.MIN_VALUE
                ? 0
                : Math.max(0, Math.min(LONGEST_PAUSE_MILLIS, next.getAsLong() - now()));
    }

    /** An object that cannot be read keeps no other from being looked at. */
    private void look(Change change) {
        try {
            note(change);
            defragmentation.ifPresent(one -> one.apply(change));
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("change", change).setCause(e).log("not taken note of");
        }
    }

    private void note(Change change) {
        if (change instanceof Change.NodePut put && keepsTaints) {
            taints.look(put.node());
        } else if (change instanceof Change.GroupPut put) {
            groups.saw(put.group().key(), put.status(), put.version());
        } else if (change instanceof Change.GroupGone gone) {
            groups.forget(gone.key());
        } else if (change instanceof Change.QueuePut put) {
            queues.saw(put.queue());
        } else if (change instanceof Change.QueueGone gone) {
            queues.forget(gone.name());
        } else if (change instanceof Change.PodGone gone) {
            status.forget(gone.uid());
        }
    }

    private void decide() {
        if (isFull()) {
            return;
        }
        long start = System.nanoTime();
        Decisions decisions = state.decide(now());
        if (decisions.isEmpty()) {
            return;
        }
        metrics.decided(
                System.nanoTime() - start,
                decisions.bindings().size(),
                decisions.refusals().size());
        write(decisions);
    }

    private void defragment(Defragmentation one) {
        one.decide(state.cluster(), now());
        state.close(one.closed());
    }

    private void write(Decisions decisions) {
        for (Binding binding : decisions.bindings()) {
            status.forget(binding.pod().uid());
            binder.write(binding);
        }
        for (Refusal refusal : decisions.refusals()) {
            status.write(refusal);
            if (refusal.reason() == PendingReason.PROVISIONING) {
                metrics.volumeTimedOut();
            }
        }
        if (!decisions.starts().isEmpty()) {
            starts.write(decisions.starts());
            decisions.starts().stream().filter(ToldStart::slips).forEach(start -> metrics.slipped());
        }
        decisions.groups().forEach(groups::write);
        decisions.cancelled().forEach(rooms::cancel);
        decisions.withdrawn().forEach(pod -> rooms.withdraw(pod.id(), pod.uid()));
        decisions.rooms().forEach(rooms::make);
    }

    private void publish(boolean listed) {
        for (Trouble trouble : state.troubles()) {
            metrics.troubled(trouble.reason());
            LOG.atWarn()
                    .addKeyValue("kind", trouble.kind())
                    .addKeyValue("name", trouble.name())
                    .addKeyValue("reason", trouble.reason())
                    .log(trouble.message());
            events.write(
                    new EventSubject("v1", trouble.kind(), trouble.namespace(), trouble.name(), trouble.uid()),
                    "Warning",
                    trouble.reason(),
                    trouble.message());
        }
        int[] lengths = state.queueLengths(now());
        view = new View(
                state.cluster(),
                state.setAside(),
                state.pendingByReason(),
                lengths[0],
                lengths[1],
                lengths[2],
                state.bindingCount(),
                listed);
    }

    /** Decides nothing more, lets writes end, and stops to watch. */
    @Override
    public void close() {
        stopping = true;
        thread.interrupt();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        recording.ifPresent(Recording::close);
        writer.close();
        watch.close();
    }
}
