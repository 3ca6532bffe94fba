package io.gpusched.kubernetes.process;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the Lease, again and again as long as the process lives. No other replica can hold it as long as {@link #isHeld}: that is
 * counted from before the last write of the Lease, by this machine's clock of elapsed time alone.
 */
final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final ZonedDateTime LONG_AGO = Instant.EPOCH.atZone(ZoneOffset.UTC);

    private final KubernetesClient client;
    private final LeaseSettings settings;
    private final Executor executor;
    private final Runnable started;
    private final Runnable stopped;
    private final ObservedLease observed = new ObservedLease();
    private volatile long heldUntil = System.nanoTime();

    /** Beginning to lead and ending it take requests, one after the other: meanwhile the Lease is renewed. */
    private CompletableFuture<?> turns = CompletableFuture.completedFuture(null);

    private volatile boolean closed;
    private volatile @Nullable CompletableFuture<?> election;

    /**
     * Creates it; nothing happens before {@link #start}.
     *
     * @param started called when this replica begins to lead
     * @param stopped called when it does no longer
     */
    Leadership(KubernetesClient client, LeaseSettings settings, Executor executor, Runnable started, Runnable stopped) {
        this.client = client;
        this.settings = settings;
        this.executor = executor;
        this.started = started;
        this.stopped = stopped;
    }

    /** Tries to lead from now on. */
    void start() {
        if (closed) {
            return;
        }
        LeaderElectionConfig config = new LeaderElectionConfig(
                new TimedLock(new AnyLease(settings)),
                settings.duration(),
                settings.renewWithin(),
                settings.retry(),
                new LeaderCallbacks(
                        this::lead,
                        this::lost,
                        leader -> LOG.atInfo().addKeyValue("leader", leader).log("leader")),
                true,
                settings.name());
        CompletableFuture<?> next = new LeaderElector(client, config, executor).start();
        election = next;
        CompletableFuture<?> again = next.whenComplete((nothing, failure) -> {
            if (!closed) {
                later(this::start);
            }
        });
        LOG.atDebug().addKeyValue("done", again.isDone()).log("waiting for the Lease");
    }

    /** A replica that holds the Lease and cannot lead gives it back, so that another can or this one tries again. */
    private void lead() {
        inTurn(() -> {
            try {
                started.run();
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("cannot begin to lead, giving the Lease back");
                later(this::cancel);
            }
        });
    }

    private synchronized void inTurn(Runnable work) {
        turns = turns.handleAsync(
                (nothing, failure) -> {
                    work.run();
                    return nothing;
                },
                executor);
    }

    private void later(Runnable work) {
        CompletableFuture.delayedExecutor(settings.retry().toMillis(), TimeUnit.MILLISECONDS, executor)
                .execute(work);
    }

    private void cancel() {
        CompletableFuture<?> current = election;
        if (current != null) {
            current.cancel(true);
        }
    }

    private void lost() {
        heldUntil = System.nanoTime();
        inTurn(stopped);
    }

    /** Returns whether no other replica can lead at this moment. */
    boolean isHeld() {
        return System.nanoTime() - heldUntil < 0;
    }

    /** Gives the Lease back, so that another replica need not wait for it to run out. */
    @Override
    public void close() {
        closed = true;
        cancel();
    }

    /** A Lease without content, as one that is made before the replicas start, has no holder. */
    private static final class AnyLease extends LeaseLock {
        AnyLease(LeaseSettings settings) {
            super(settings.namespace(), settings.name(), settings.identity());
        }

        @Override
        protected LeaderElectionRecord toRecord(Lease lease) {
            LeaseSpec spec = Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
            ZonedDateTime renewed = Objects.requireNonNullElse(spec.getRenewTime(), LONG_AGO);
            return new LeaderElectionRecord(
                    spec.getHolderIdentity(),
                    Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0)),
                    Objects.requireNonNullElse(spec.getAcquireTime(), renewed),
                    renewed,
                    Objects.requireNonNullElse(spec.getLeaseTransitions(), 0));
        }
    }

    /** Takes the time of each write that came through, and tells times by our clock. */
    private final class TimedLock implements Lock {
        private final Lock lock;

        TimedLock(Lock lock) {
            this.lock = lock;
        }

        @Override
        public @Nullable LeaderElectionRecord get(KubernetesClient with) {
            LeaderElectionRecord record = lock.get(with);
            return record == null
                    ? observed.deleted(settings.identity(), System.nanoTime())
                    : observed.byOurClock(record, System.nanoTime());
        }

        @Override
        public void create(KubernetesClient with, LeaderElectionRecord held) {
            long before = System.nanoTime();
            lock.create(with, held);
            extend(before, held);
        }

        @Override
        public void update(KubernetesClient with, LeaderElectionRecord held) {
            long before = System.nanoTime();
            lock.update(with, held);
            extend(before, held);
        }

        private void extend(long before, LeaderElectionRecord held) {
            boolean ours = settings.identity().equals(held.getHolderIdentity());
            heldUntil = ours ? before + settings.duration().toNanos() : System.nanoTime();
        }

        @Override
        public String identity() {
            return lock.identity();
        }

        @Override
        public String describe() {
            return lock.describe();
        }
    }
}
