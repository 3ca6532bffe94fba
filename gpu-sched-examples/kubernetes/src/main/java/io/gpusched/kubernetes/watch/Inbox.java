package io.gpusched.kubernetes.watch;

import io.gpusched.kubernetes.decide.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The changes that the deciding thread has not seen yet, in the order in which they came. Thread-safe. */
public final class Inbox {
    private final LinkedBlockingQueue<Change> changes = new LinkedBlockingQueue<>();

    /** Adds a change. */
    public void add(Change change) {
        changes.add(change);
    }

    /**
     * Returns all changes, once there is one or the time is over.
     *
     * @param millis how long to wait for the first, 0 or more
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public List<Change> take(long millis) throws InterruptedException {
        List<Change> taken = new ArrayList<>();
        Change first = millis <= 0 ? changes.poll() : changes.poll(millis, TimeUnit.MILLISECONDS);
        if (first != null) {
            taken.add(first);
            changes.drainTo(taken);
        }
        return taken;
    }
}
