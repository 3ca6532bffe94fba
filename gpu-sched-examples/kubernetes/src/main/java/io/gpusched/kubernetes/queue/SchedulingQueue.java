package io.gpusched.kubernetes.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What waits to be placed. Each entry is ready, or backs off until a time, or is parked until something changes. One that was woken
 * is not tried before its delay is over, unless one of lower priority is about to be: who comes later takes nothing from it.
 *
 * <p>Knows no clock: times are the caller's, in milliseconds. Each operation costs O(log n), {@link #wake} O(parked). Not
 * thread-safe.
 *
 * @param <K> what an entry is known by
 */
public final class SchedulingQueue<K> {
    private static final class Entry<K> implements Comparable<Entry<K>> {
        final K key;
        Rank rank;
        int attempts;

        long readyAt;

        Entry(K key, Rank rank) {
            this.key = key;
            this.rank = rank;
        }

        /** By time, then by rank; the ranks of two entries differ. */
        @Override
        public int compareTo(Entry<K> other) {
            int order = Long.compare(readyAt, other.readyAt);
            return order != 0 ? order : rank.compareTo(other.rank);
        }
    }

    private final Backoff backoff;
    private final Map<K, Entry<K>> entries = new HashMap<>();
    private final TreeSet<Entry<K>> ready = new TreeSet<>((one, other) -> one.rank.compareTo(other.rank));

    /** Those of the delayed that something may have helped. */
    private final TreeSet<Entry<K>> woken = new TreeSet<>((one, other) -> one.rank.compareTo(other.rank));

    private final TreeSet<Entry<K>> delayed = new TreeSet<>();
    private final Map<K, Entry<K>> parked = new HashMap<>();

    /** Creates an empty queue. */
    public SchedulingQueue(Backoff backoff) {
        this.backoff = backoff;
    }

    /** Adds an entry, ready at once, or changes the rank of one that waits; where it waits stays as it is. */
    public void put(K key, Rank rank) {
        Entry<K> entry = entries.get(key);
        if (entry == null) {
            entry = new Entry<>(key, rank);
            entries.put(key, entry);
            ready.add(entry);
        } else if (!entry.rank.equals(rank)) {
            boolean wasReady = ready.remove(entry);
            boolean wasDelayed = delayed.remove(entry);
            boolean wasWoken = woken.remove(entry);
            entry.rank = rank;
            if (wasWoken) {
                woken.add(entry);
            }
            if (wasReady) {
                ready.add(entry);
            } else if (wasDelayed) {
                delayed.add(entry);
            }
        }
    }

    /** Removes an entry, wherever it waits; nothing happens if it is not there. */
    public void remove(K key) {
        Entry<K> entry = entries.remove(key);
        if (entry != null) {
            takeOut(entry);
        }
    }

    private void takeOut(Entry<K> entry) {
        ready.remove(entry);
        delayed.remove(entry);
        woken.remove(entry);
        parked.remove(entry.key);
    }

    /**
     * Returns the first that is ready, or one of higher priority that was woken; the caller then parks, delays or removes it. Nothing
     * if none is ready.
     */
    public Optional<K> poll(long now) {
        while (!delayed.isEmpty() && delayed.first().readyAt <= now) {
            Entry<K> due = delayed.pollFirst();
            woken.remove(due);
            ready.add(due);
        }
        if (ready.isEmpty()) {
            return Optional.empty();
        }
        boolean isPassed = !woken.isEmpty()
                && woken.first().rank.priority() > ready.first().rank.priority();
        Entry<K> first = isPassed ? woken.first() : ready.first();
        takeOut(first);
        return Optional.of(first.key);
    }

    /** Lets an entry wait until it is woken: it was tried in vain. */
    public void park(K key, long now) {
        Entry<K> entry = attempted(key, now);
        if (entry != null) {
            parked.put(key, entry);
        }
    }

    /** Lets an entry wait for its delay alone: what stood against it was chance. */
    public void delay(K key, long now) {
        Entry<K> entry = attempted(key, now);
        if (entry != null) {
            delayed.add(entry);
        }
    }

    /** Lets an entry wait for the longest delay, so that all who wait now are tried before it: it had its chance. */
    public void defer(K key, long now) {
        Entry<K> entry = attempted(key, now);
        if (entry != null) {
            entry.readyAt = now + backoff.longestMillis();
            delayed.add(entry);
        }
    }

    private @org.jspecify.annotations.Nullable Entry<K> attempted(K key, long now) {
        Entry<K> entry = entries.get(key);
        if (entry != null) {
            takeOut(entry);
            entry.attempts++;
            entry.readyAt = now + backoff.afterMillis(entry.attempts);
        }
        return entry;
    }

    /** Makes an entry ready at once, as after a change of its own. */
    public void makeReady(K key) {
        Entry<K> entry = entries.get(key);
        if (entry != null) {
            takeOut(entry);
            ready.add(entry);
        }
    }

    /** Lets an entry be tried at a time at the latest; if it is ready or its delay ends before, nothing changes. */
    public void makeReadyBy(K key, long at) {
        Entry<K> entry = entries.get(key);
        if (entry != null && !ready.contains(entry) && !(delayed.contains(entry) && entry.readyAt <= at)) {
            takeOut(entry);
            entry.readyAt = at;
            delayed.add(entry);
        }
    }

    /** Lets the parked entries that something may have helped try again, once their delay is over. */
    public void wake(long now, Predicate<K> mayBeHelped) {
        List<Entry<K>> helped = parked.values().stream()
                .filter(entry -> mayBeHelped.test(entry.key))
                .toList();
        for (Entry<K> entry : helped) {
            takeOut(entry);
            if (entry.readyAt <= now) {
                ready.add(entry);
            } else {
                delayed.add(entry);
                woken.add(entry);
            }
        }
    }

    /** Returns whether an entry waits for its delay, which is not over. */
    public boolean isDelayed(K key, long now) {
        Entry<K> entry = entries.get(key);
        return entry != null && entry.readyAt > now && delayed.contains(entry);
    }

    /** Returns when the next entry becomes ready by itself: a time that is past if one is ready, nothing if all are parked. */
    public OptionalLong nextReadyAt() {
        if (!ready.isEmpty()) {
            return OptionalLong.of(Long.MIN_VALUE);
        }
        return delayed.isEmpty() ? OptionalLong.empty() : OptionalLong.of(delayed.first().readyAt);
    }

    /** Returns all entries, in no order. */
    public List<K> keys() {
        return new ArrayList<>(entries.keySet());
    }

    /** Returns how many are ready. */
    public int readyCount() {
        return ready.size();
    }

    /** Returns how many wait for their delay. */
    public int delayedCount() {
        return delayed.size();
    }

    /** Returns how many wait for a change. */
    public int parkedCount() {
        return parked.size();
    }
}
