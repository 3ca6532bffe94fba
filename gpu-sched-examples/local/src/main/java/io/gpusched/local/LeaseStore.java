package io.gpusched.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the table of leases, in memory or in a file that programs share, and changes it by transactions: one at a time, wholly or
 * not at all.
 */
final class LeaseStore {
    /** How soon a program sees what another one has released. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** By file: all machine objects of a program share one store, as the locks of a file belong to the program. */
    private static final Map<Path, LeaseStore> BY_FILE = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition changed = lock.newCondition();
    private final @Nullable LeaseFile file;
    private LeaseTable inMemory = new LeaseTable();
    private long version;
    private long recovered;

    private LeaseStore(@Nullable LeaseFile file) {
        this.file = file;
    }

    /** Returns a store of this program alone. */
    static LeaseStore inMemory() {
        return new LeaseStore(null);
    }

    /**
     * Returns the store of this file, which is made if it does not exist.
     *
     * @throws UncheckedIOException if the file cannot be opened
     */
    static LeaseStore of(Path file) {
        try {
            Path folder = file.toAbsolutePath().normalize().getParent();
            Path path = (folder == null ? file : folder.toRealPath().resolve(file.getFileName()));
            return BY_FILE.computeIfAbsent(path, key -> new LeaseStore(LeaseFile.open(key)));
        } catch (IOException e) {
            throw new UncheckedIOException("lease file \"" + file + "\" cannot be opened: " + e, e);
        }
    }

    /** Returns the number by which the table knows this program. */
    long owner() {
        return file == null ? 0 : file.owner();
    }

    /** Returns how many leases and requests of programs that had died were removed. */
    long recovered() {
        lock.lock();
        try {
            return recovered;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a number that grows when this program gives something back; see {@link #awaitChange}. */
    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** Runs a transaction; what it throws leaves the table as it was. It must not wait. */
    <R> R update(Function<LeaseTable, R> transaction) {
        lock.lock();
        try {
            if (file == null) {
                LeaseTable working = inMemory.copy();
                R result = transaction.apply(working);
                inMemory = working;
                tell(working);
                return result;
            }
            return file.update(table -> {
                recovered += table.removeDead(file::isAlive);
                R result = transaction.apply(table);
                tell(table);
                return result;
            });
        } finally {
            lock.unlock();
        }
    }

    private void tell(LeaseTable table) {
        if (table.hasNews()) {
            version++;
            changed.signalAll();
        }
    }

    /** Waits until something may have been given back since this version, at most for these nanoseconds. */
    void awaitChange(long seen, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = file == null ? nanos : Math.min(nanos, POLL_NANOS);
            while (version == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
