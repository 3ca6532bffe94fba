package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The places that are held for pods until what is in the way has ended, and the pods that are evicted for that. A victim counts as leaving from
 * the decision on, so that it is not decided about again. Not thread-safe.
 */
final class Nominations {
    /** What is held for a job, and its victims. */
    private static final class Held {
        final Map<PodId, Placement> places = new LinkedHashMap<>();
        final Map<PodId, NominationRecord.Victim> victims = new LinkedHashMap<>();

        /** Whether the job leaves itself, and has no places. */
        boolean isStale;
    }

    private final Map<Unit, Held> byUnit = new LinkedHashMap<>();
    private final Map<PodId, Unit> leaving = new HashMap<>();

    private Held held(Unit unit) {
        return byUnit.computeIfAbsent(unit, any -> new Held());
    }

    void nominate(Unit unit, Placement placement) {
        held(unit).places.put(placement.pod(), placement);
    }

    /** A pod is to leave for a job, or because its own has run with too few pods for too long. */
    void evict(Unit unit, NominationRecord.Victim victim, boolean isStale) {
        Held held = held(unit);
        held.victims.put(victim.pod(), victim);
        held.isStale |= isStale;
        leaving.put(victim.pod(), unit);
    }

    /** A place is not held any more: its pod starts there, or it was given up. */
    void remove(Unit unit, PodId pod) {
        Held held = byUnit.get(unit);
        if (held != null) {
            held.places.remove(pod);
        }
    }

    boolean isLeaving(PodId pod) {
        return leaving.containsKey(pod);
    }

    boolean isHeld(Unit unit, PodId pod) {
        Held held = byUnit.get(unit);
        return held != null && held.places.containsKey(pod);
    }

    Collection<Placement> places(Unit unit) {
        Held held = byUnit.get(unit);
        return held == null ? List.of() : List.copyOf(held.places.values());
    }

    /** The victims of a job that have not ended. */
    List<NominationRecord.Victim> victims(Unit unit) {
        Held held = byUnit.get(unit);
        return held == null ? List.of() : List.copyOf(held.victims.values());
    }

    Collection<PodId> leaving() {
        return new ArrayList<>(leaving.keySet());
    }

    /** Gives up all that is held for a job; returns its places. */
    Collection<Placement> giveUp(Unit unit) {
        Held held = byUnit.remove(unit);
        if (held == null) {
            return List.of();
        }
        held.victims.keySet().forEach(leaving::remove);
        return held.places.values();
    }

    /**
     * Forgets pods that do not wait any more, and victims that are gone; returns the jobs for which nothing is held any more, so that
     * no pod need be evicted for them.
     */
    List<Unit> clean(Predicate<PodId> waits, Predicate<NominationRecord.Victim> isThere) {
        List<Unit> done = new ArrayList<>();
        byUnit.forEach((unit, held) -> {
            held.places.keySet().removeIf(waits.negate());
            held.victims.values().removeIf(victim -> {
                boolean isGone = !isThere.test(victim);
                if (isGone) {
                    leaving.remove(victim.pod());
                }
                return isGone;
            });
            if (held.places.isEmpty() && (!held.isStale || held.victims.isEmpty())) {
                done.add(unit);
            }
        });
        done.forEach(this::giveUp);
        return done;
    }
}
