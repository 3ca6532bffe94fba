package io.gpusched.kubernetes.record;

import io.gpusched.kubernetes.watch.Inbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Reads a stream that may stand still, into an inbox. */
final class StreamReading extends Thread {
    private final InputStream in;
    private final PrintedChanges changes;
    private final Inbox inbox;
    private volatile @Nullable RuntimeException failure;

    StreamReading(InputStream in, PrintedChanges changes, Inbox inbox) {
        super("gpu-sched-read");
        setDaemon(true);
        this.in = in;
        this.changes = changes;
        this.inbox = inbox;
    }

    @Override
    public void run() {
        try {
            changes.read(in, seen -> inbox.add(seen.change()));
        } catch (IOException e) {
            failure = new UncheckedIOException(e);
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Throws what reading threw, if it ended so. */
    void rethrow() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }
}
