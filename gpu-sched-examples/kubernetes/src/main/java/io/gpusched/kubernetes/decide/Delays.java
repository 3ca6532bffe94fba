package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.queue.Backoff;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Pods and groups that are not tried again before a time, because the last try failed at the API server. Not thread-safe. */
final class Delays {
    /**
     * How long one waits.
     *
     * @param attempts how often it failed
     * @param since when it failed last
     * @param until when it may be tried again
     */
    private record Delay(int attempts, long since, long until) {}

    private final Backoff backoff;
    private final Map<Unit, Delay> byUnit = new HashMap<>();

    Delays(Backoff backoff) {
        this.backoff = backoff;
    }

    /** It failed once more. */
    void delay(Unit unit, long now) {
        int attempts = byUnit.getOrDefault(unit, new Delay(0, now, now)).attempts() + 1;
        byUnit.put(unit, new Delay(attempts, now, now + backoff.afterMillis(attempts)));
    }

    /** It waits for the longest delay, so that all others that wait are tried before it. */
    void defer(Unit unit, long now) {
        byUnit.put(unit, new Delay(1, now, now + backoff.longestMillis()));
    }

    /** It may be tried at once: it is another by now, or does not wait any more. */
    void end(Unit unit) {
        byUnit.remove(unit);
    }

    boolean isDelayed(Unit unit, long now) {
        Delay delay = byUnit.get(unit);
        return delay != null && delay.until() > now;
    }

    /** Returns when one that failed more than once did so last: what may never succeed is tried after others that wait by then. */
    OptionalLong failedAgain(Unit unit) {
        Delay delay = byUnit.get(unit);
        return delay == null || delay.attempts() < 2 ? OptionalLong.empty() : OptionalLong.of(delay.since());
    }

    /** Returns when the first delay ends that had not ended at a time. */
    OptionalLong nextAfter(long time) {
        return byUnit.values().stream()
                .mapToLong(Delay::until)
                .filter(until -> until > time)
                .min();
    }

    /** Returns how many are delayed. */
    int count(long now) {
        return (int)
                byUnit.values().stream().filter(delay -> delay.until() > now).count();
    }
}
