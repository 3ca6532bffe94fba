package io.gpusched.replay;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How few GPUs each queue held while a job of it waited. What lasts no time at all, such as before a plan of the same time, does not count. Not thread-safe. */
final class QueueHoldings {
    private final Map<String, Tally> tallies = new HashMap<>();
    private final Set<Tally> touched = new HashSet<>();
    private long now = Long.MIN_VALUE;

    private static final class Tally {
        private long held;
        private int waiting;
        private long least = Long.MAX_VALUE;
    }

    /** What was noted so far lasts until this time. */
    void until(long time) {
        if (time > now) {
            for (Tally tally : touched) {
                tally.least = tally.waiting > 0 ? Math.min(tally.least, tally.held) : tally.least;
            }
            touched.clear();
            now = time;
        }
    }

    /**
     * Notes what became of a job.
     *
     * @param gpuMillis how much more its pods hold, in milli of GPUs; negative if less
     * @param waiting 1 if it waits from now on, -1 if it did until now, else 0
     */
    void changed(String queue, long gpuMillis, int waiting) {
        Tally tally = tallies.computeIfAbsent(queue, name -> new Tally());
        tally.held += gpuMillis;
        tally.waiting += waiting;
        touched.add(tally);
    }

    /** Returns the least that each queue held while a job of it waited, in milli of GPUs; queues of which none did are left out. */
    Map<String, Long> least() {
        Map<String, Long> least = new TreeMap<>();
        tallies.forEach((queue, tally) -> {
            if (tally.least != Long.MAX_VALUE) {
                least.put(queue, tally.least);
            }
        });
        return least;
    }
}
