package io.gpusched.kubernetes.faults;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which fault of each kind comes next, and how often each happened; scenes that share it leave none out. Thread-safe. */
final class FaultTurns {
    private final Map<List<Fault>, Integer> taken = new HashMap<>();
    private final Map<Fault, Integer> happened = new EnumMap<>(Fault.class);

    synchronized Fault next(List<Fault> kinds) {
        return kinds.get((taken.merge(kinds, 1, Integer::sum) - 1) % kinds.size());
    }

    synchronized void count(Fault fault) {
        happened.merge(fault, 1, Integer::sum);
    }

    /** Returns how often each fault happened. */
    synchronized Map<Fault, Integer> happened() {
        return Map.copyOf(happened);
    }
}
