package io.gpusched.kubernetes.record;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.kubernetes.watch.ClusterWatch;
import io.gpusched.kubernetes.watch.Inbox;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.replay.Recorder;
import io.gpusched.replay.RecorderLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes a history of a cluster, whichever scheduler decides there: a state whenever something has changed, at most once a second and for a
 * tenth of the time. For one thread.
 */
public final class ClusterRecorder {
    private static final long SHORTEST_PAUSE_MILLIS = 1_000;

    /** A state that took a second to make is the last for ten. */
    private static final long SHARE = 10;

    private final Path folder;
    private final RecorderLimits limits;
    private final List<NamedDialect> dialects;
    private final QueueVocabulary queues;
    private final Consumer<String> notes;

    /**
     * Creates a recorder.
     *
     * @param folder where the history is written
     * @param bytes how large its files become together; the oldest are deleted
     * @param dialects the dialects of the nodes; if none is given they are found by what the nodes say
     * @param queues whose queues are read
     * @param notes hears of what cannot be read, and of a recording that ended
     */
    public ClusterRecorder(
            Path folder, long bytes, List<NamedDialect> dialects, QueueVocabulary queues, Consumer<String> notes) {
        this.folder = folder;
        this.limits = RecorderLimits.USUAL.withUnitsPerSecond(1_000).withBytes(bytes);
        this.dialects = List.copyOf(dialects);
        this.queues = queues;
        this.notes = notes;
    }

    /**
     * Records what files hold that kubectl printed, at the newest times that their objects name.
     *
     * @return how many states there are
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if a file is not what kubectl prints
     */
    public long record(List<Path> files) throws IOException {
        List<SeenChange> all = new ArrayList<>();
        for (Path file : files) {
            try (InputStream in = YamlReader.open(file)) {
                new PrintedChanges(String.valueOf(file), queues, null, notes).read(in, all::add);
            }
        }
        if (all.isEmpty()) {
            throw new IllegalArgumentException(files + ": must hold at least one object, such as a Node or a Pod");
        }
        all.sort(Comparator.comparingLong(SeenChange::time));
        GivenClock clock = new GivenClock();
        ClusterStates states = new ClusterStates(
                dialects, nodes(all.stream().map(SeenChange::change).toList()), queues, clock);
        long count = 0;
        // the disk is waited for, as no decision waits here
        try (Recorder recorder = Recorder.open(folder, limits.withBacklog(0), this::ended)) {
            for (int from = 0; from < all.size() && recorder.isRecording(); count++) {
                long time = all.get(from).time();
                int to = from;
                List<Change> changes = new ArrayList<>();
                while (to < all.size() && all.get(to).time() == time) {
                    changes.add(all.get(to++).change());
                }
                from = to;
                clock.set(time);
                states.apply(changes, time);
                tell(states);
                recorder.add(states.seen(time), time);
            }
            return recorder.isRecording() ? count : -1;
        }
    }

    /**
     * Records what a cluster does from now on, until the thread is interrupted.
     *
     * @return whether it was recorded until then; if not, the recording ended before
     */
    public boolean record(KubernetesClient client) {
        Clock clock = Clock.systemUTC();
        try (Recorder recorder = Recorder.open(folder, limits, this::ended)) {
            while (recorder.isRecording()) {
                Inbox inbox = new Inbox();
                List<Node> nodes = client.nodes().list().getItems();
                ClusterStates states = new ClusterStates(dialects, nodes, queues, clock);
                try (ClusterWatch watch = ClusterWatch.start(client, inbox, queues)) {
                    follow(inbox, watch, states, recorder, clock);
                }
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Returns when what was read is no more what there is, or the recording has ended. */
    private void follow(Inbox inbox, ClusterWatch watch, ClusterStates states, Recorder recorder, Clock clock)
            throws InterruptedException {
        boolean isTold = true;
        while (recorder.isRecording() && !watch.hasGoneBack()) {
            boolean isListed = watch.isListed();
            List<Change> changes = inbox.take(SHORTEST_PAUSE_MILLIS);
            long begin = System.nanoTime();
            states.apply(changes, clock.millis());
            tell(states);
            isTold &= changes.isEmpty();
            if (isListed && !isTold) {
                long time = clock.millis();
                recorder.add(states.seen(time), time);
                isTold = true;
                long took = (System.nanoTime() - begin) / 1_000_000;
                Thread.sleep(Math.max(SHORTEST_PAUSE_MILLIS, SHARE * took));
            }
        }
    }

    /**
     * Records what kubectl prints from now on, at the times at which it comes, until it ends.
     *
     * @return whether it was recorded until then
     * @throws IllegalArgumentException if it is not what kubectl prints
     */
    public boolean record(InputStream in, String name) throws IOException, InterruptedException {
        Inbox inbox = new Inbox();
        Clock clock = Clock.systemUTC();
        StreamReading reading = new StreamReading(in, new PrintedChanges(name, queues, clock::millis, notes), inbox);
        reading.start();
        try (Recorder recorder = Recorder.open(folder, limits, this::ended)) {
            List<Change> first = new ArrayList<>();
            // what is there already comes at once, and says which dialects there are
            while (first.isEmpty() && reading.isAlive()) {
                Thread.sleep(SHORTEST_PAUSE_MILLIS);
                first.addAll(inbox.take(0));
            }
            ClusterStates states = new ClusterStates(dialects, nodes(first), queues, clock);
            boolean isLast = false;
            for (List<Change> changes = first; !isLast && recorder.isRecording(); ) {
                isLast = !reading.isAlive();
                changes.addAll(inbox.take(0));
                if (!changes.isEmpty()) {
                    long begin = System.nanoTime();
                    states.apply(changes, clock.millis());
                    tell(states);
                    recorder.add(states.seen(clock.millis()), clock.millis());
                    long took = (System.nanoTime() - begin) / 1_000_000;
                    reading.join(Math.max(SHORTEST_PAUSE_MILLIS, SHARE * took));
                }
                changes = isLast ? List.of() : new ArrayList<>(inbox.take(SHORTEST_PAUSE_MILLIS));
            }
            boolean isWhole = recorder.isRecording();
            reading.rethrow();
            return isWhole;
        }
    }

    private static List<Node> nodes(List<Change> changes) {
        return changes.stream()
                .filter(Change.NodePut.class::isInstance)
                .map(change -> ((Change.NodePut) change).node())
                .toList();
    }

    private void tell(ClusterStates states) {
        states.troubles()
                .forEach(trouble -> notes.accept(trouble.kind() + " \"" + trouble.name() + "\": " + trouble.reason()
                        + ": " + trouble.message()));
    }

    private void ended(String why) {
        notes.accept("recording into " + folder + " ended: " + why);
    }
}
