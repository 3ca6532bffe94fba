package io.gpusched.kubernetes.faults;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Chance says whether something goes wrong; what it is comes in turn, so that none is left out. Thread-safe. */
final class Faults {
    private static final int NEVER = 0;

    private final Random random;
    private final int writePercent;
    private final int readPercent;
    private final int watchPercent;
    private final Queue<Fault> script = new ConcurrentLinkedQueue<>();
    private final Queue<Fault> postponed = new ConcurrentLinkedQueue<>();
    private final FaultTurns turns;

    /**
     * Creates faults.
     *
     * @param writePercent how many of a hundred writes fail
     * @param readPercent how many of a hundred reads and lists fail, and watches that are asked for
     * @param watchPercent how many of a hundred changes that a watch tells go wrong
     * @param turns where the faults of these scenes stand, and their count
     */
    Faults(long seed, int writePercent, int readPercent, int watchPercent, FaultTurns turns) {
        this.random = new Random(seed);
        this.writePercent = writePercent;
        this.readPercent = readPercent;
        this.watchPercent = watchPercent;
        this.turns = turns;
    }

    /** Returns faults that never happen. */
    static Faults none() {
        return new Faults(0, NEVER, NEVER, NEVER, new FaultTurns());
    }

    /** Returns faults of the first writes; nothing goes wrong after them. */
    static Faults ofFirstWrites(Fault... faults) {
        Faults first = none();
        first.script.addAll(List.of(faults));
        return first;
    }

    /** Returns whether a write may be answered after its client has given up. */
    boolean answerTooLate() {
        return writePercent > NEVER || !script.isEmpty();
    }

    Optional<Fault> ofWrite() {
        Fault scripted = script.poll();
        return scripted != null ? Optional.of(scripted) : next(Fault.WRITES, writePercent);
    }

    Optional<Fault> ofRead() {
        return next(Fault.READS, readPercent);
    }

    Optional<Fault> ofWatch() {
        return next(Fault.WATCHES, readPercent);
    }

    Optional<Fault> ofEvent() {
        Fault earlier = postponed.poll();
        return earlier != null ? Optional.of(earlier) : next(Fault.EVENTS, watchPercent);
    }

    /** Takes note that a fault of a change could not happen to that one, so that it happens to another. */
    void postpone(Fault fault) {
        postponed.add(fault);
    }

    private synchronized Optional<Fault> next(List<Fault> kinds, int percent) {
        if (random.nextInt(100) >= percent) {
            return Optional.empty();
        }
        return Optional.of(turns.next(kinds));
    }

    synchronized int millis(int bound) {
        return random.nextInt(bound);
    }

    void count(Fault fault) {
        turns.count(fault);
    }

    /** Returns how often each fault happened, in every scene that shares the turns. */
    Map<Fault, Integer> happened() {
        return turns.happened();
    }
}
