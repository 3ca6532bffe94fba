package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.queue.Backoff;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the API server in the background: of each object the latest value, by one request at a time, and no sooner than its rate
 * allows. What is put under a key replaces what still waits under it. A write without a clear answer is tried again after pauses that
 * double; one that is due while this process may not write waits until it may.
 *
 * <p>Each {@link Lane} has threads of its own, so that a burst of events delays no binding. Thread-safe.
 */
public final class ApiWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiWriter.class);
    private static final Backoff PAUSES = new Backoff(50, 10_000);

    /** How soon it is asked again whether this process may write. */
    private static final long GATE_MILLIS = 200;

    private static final int FEW = 4;
    private static final long CLOSE_MILLIS = 10_000;
    private static final int UNPROCESSABLE = 422;

    /** The kinds of writes. */
    public enum Lane {
        /** Bindings of pods, and what a pod cannot start without. */
        BINDINGS,
        /** Nominations and evictions. */
        EVICTIONS,
        /** Conditions, statuses and taints. */
        STATUSES,
        /** Events: they change nothing, so that a process that may write nothing else writes them too. */
        EVENTS
    }

    /** What is to be written of an object; called by one thread at a time. */
    @FunctionalInterface
    public interface Write {
        /**
         * Makes one request.
         *
         * @return what is to be written of the object next, at once; null if nothing is
         * @throws KubernetesClientException if the answer is not success, or there is none
         */
        @Nullable
        Write run();

        /**
         * Takes note of a failure, and returns whether to try again. Not called if the write was replaced or forgotten meanwhile.
         *
         * @param attempts how often it has failed in a row, 1 or more
         */
        default boolean isTriedAgain(KubernetesClientException e, int attempts) {
            return Answers.isPassing(e);
        }

        /** Returns how long nothing more is written of the object after a request. */
        default long pauseMillis() {
            return 0;
        }
    }

    private enum Phase {
        /** Its time has not come; with nothing to write, it is forgotten then. */
        DELAYED,
        /** All threads of its lane are busy. */
        READY,
        RUNNING
    }

    /** An object with something to be written, being written, or written a moment ago. */
    private static final class Target {
        final Object key;
        final Track track;
        Phase phase = Phase.DELAYED;

        @Nullable
        Write next;

        @Nullable
        ScheduledFuture<?> timer;

        long due;
        long notBefore = Long.MIN_VALUE / 2;
        int attempts;

        /** Whether nothing replaces what is being written. */
        boolean isLatest;

        Target(Object key, Track track) {
            this.key = key;
            this.track = track;
        }

        /** When it is to be written, or else forgotten. */
        long time() {
            return next == null ? notBefore : Math.max(due, notBefore);
        }

        boolean isBusy() {
            return next != null || phase == Phase.RUNNING;
        }
    }

    /** A lane, and the objects with something to be written in it. */
    private static final class Track {
        final int width;
        final boolean isGated;
        final Queue<Target> ready = new ArrayDeque<>();
        int running;
        int busy;

        Track(int width, boolean isGated) {
            this.width = width;
            this.isGated = isGated;
        }
    }

    private final KubernetesClient client;
    private final ApiWrites requests;
    private final BooleanSupplier mayWrite;
    private final Map<Lane, Track> tracks = new EnumMap<>(Lane.class);
    private final ScheduledThreadPoolExecutor threads;
    private final Map<Object, Target> targets = new HashMap<>();
    private boolean isClosed;

    /**
     * Starts a writer.
     *
     * @param bindings how many bindings are written at one time
     * @param mayWrite asked before each request that is not for an event; as long as it is false, writes wait
     */
    public ApiWriter(KubernetesClient client, int bindings, BooleanSupplier mayWrite) {
        this.client = client;
        this.requests = ApiWrites.of(client);
        this.mayWrite = mayWrite;
        int all = 0;
        for (Lane lane : Lane.values()) {
            int width = lane == Lane.BINDINGS ? bindings : FEW;
            tracks.put(lane, new Track(width, lane != Lane.EVENTS));
            all += width;
        }
        AtomicInteger number = new AtomicInteger();
        this.threads = new ScheduledThreadPoolExecutor(all, work -> {
            Thread thread = new Thread(work, "gpu-sched-write-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        threads.setKeepAliveTime(10, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setRemoveOnCancelPolicy(true);
    }

    KubernetesClient client() {
        return client;
    }

    /** The requests that writes are made of. */
    ApiWrites requests() {
        return requests;
    }

    private Track track(Lane lane) {
        return Objects.requireNonNull(tracks.get(lane));
    }

    /** Returns of how many objects something is to be written, or being written. */
    public synchronized int size(Lane lane) {
        return track(lane).busy;
    }

    /**
     * Writes in the background. What waits under the same key is dropped, and a write of several requests that is under way is ended.
     *
     * @param key the object; always of the same lane
     * @param delayMillis how long to wait at least; what replaces a write that waits is not later than that
     */
    public synchronized void put(Lane lane, Object key, long delayMillis, Write write) {
        if (isClosed && track(lane).isGated) {
            return;
        }
        Target target = targets.computeIfAbsent(key, any -> new Target(any, track(lane)));
        long due = now() + delayMillis;
        target.due = target.next == null ? due : Math.min(due, target.due);
        target.attempts = 0;
        replace(target, write);
        schedule(target);
    }

    /** Writes nothing more of an object; a request that is under way ends. */
    public synchronized void forget(Object key) {
        Target target = targets.get(key);
        if (target != null) {
            replace(target, null);
            schedule(target);
        }
    }

    private static void replace(Target target, @Nullable Write next) {
        int before = target.isBusy() ? 1 : 0;
        target.isLatest = false;
        target.next = next;
        target.track.busy += (target.isBusy() ? 1 : 0) - before;
    }

    /** What is ready or running is looked at again by the thread that takes it. */
    private void schedule(Target target) {
        if (target.phase != Phase.DELAYED) {
            return;
        }
        if (target.timer != null) {
            target.timer.cancel(false);
        }
        long delay = target.time() - now();
        if (target.next == null && delay <= 0) {
            targets.remove(target.key, target);
        } else if (!threads.isShutdown()) {
            target.timer = threads.schedule(() -> arrived(target), delay, TimeUnit.MILLISECONDS);
        }
    }

    private void arrived(Target target) {
        Track track = target.track;
        synchronized (this) {
            if (target.phase != Phase.DELAYED || target.time() > now()) {
                return; // its time was changed while this thread began
            }
            if (target.next == null) {
                targets.remove(target.key, target);
                return;
            }
            if (track.running == track.width) {
                target.phase = Phase.READY;
                track.ready.add(target);
                return;
            }
            track.running++;
        }
        for (Target one = target; one != null; one = nextOf(track)) {
            write(one);
        }
    }

    private synchronized @Nullable Target nextOf(Track track) {
        Target next = track.ready.poll();
        if (next == null) {
            track.running--;
        }
        return next;
    }

    private void write(Target target) {
        Write write;
        synchronized (this) {
            write = target.next;
            target.phase = write == null ? Phase.DELAYED : Phase.RUNNING;
            if (write == null) {
                schedule(target); // it was forgotten while it was ready
                return;
            }
            target.next = null;
            target.isLatest = true;
        }
        while (write != null) {
            write = attempt(target, write);
        }
        synchronized (this) {
            target.phase = Phase.DELAYED;
            target.track.busy -= target.next == null ? 1 : 0;
            schedule(target);
            notifyAll();
        }
    }

    /** Returns what is to be written next, at once. */
    private @Nullable Write attempt(Target target, Write write) {
        if (target.track.isGated && !mayWrite.getAsBoolean()) {
            later(target, write, GATE_MILLIS);
            return null;
        }
        try {
            Write next = write.run();
            synchronized (this) {
                target.notBefore = now() + write.pauseMillis();
                target.attempts = 0;
                return target.isLatest && !isClosed ? next : null;
            }
        } catch (RuntimeException | StackOverflowError e) {
            failed(target, write, e);
            return null;
        }
    }

    private void failed(Target target, Write write, Throwable e) {
        int attempts;
        synchronized (this) {
            target.notBefore = now() + write.pauseMillis();
            if (!target.isLatest) {
                return;
            }
            attempts = ++target.attempts;
        }
        KubernetesClientException answer;
        if (e instanceof KubernetesClientException thrown) {
            answer = thrown;
            LOG.atDebug()
                    .addKeyValue("object", target.key)
                    .addKeyValue("status", answer.getCode())
                    .log("not written");
        } else {
            answer = new KubernetesClientException("the scheduler failed: " + e, e, UNPROCESSABLE, null, null);
            LOG.atError().addKeyValue("object", target.key).setCause(e).log("not written");
        }
        if (write.isTriedAgain(answer, attempts)) {
            later(target, write, PAUSES.afterMillis(attempts));
        }
    }

    private synchronized void later(Target target, Write write, long millis) {
        if (target.isLatest && !isClosed) {
            target.next = write;
            target.due = now() + millis;
        }
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    /** Drops what is not due yet or fails, and writes the rest and the events that come of it, for at most 10 s. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            for (Target target : List.copyOf(targets.values())) {
                if (target.timer != null && target.timer.getDelay(TimeUnit.MILLISECONDS) > 0) {
                    forget(target.key);
                }
            }
            try {
                long end = now() + CLOSE_MILLIS;
                for (long left = CLOSE_MILLIS; left > 0 && isBusy(); left = end - now()) {
                    wait(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        threads.shutdownNow();
    }

    private boolean isBusy() {
        return tracks.values().stream().anyMatch(track -> track.busy > 0);
    }
}
