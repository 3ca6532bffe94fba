package io.gpusched.bench.load;

import io.gpusched.model.Cluster;
import java.util.ArrayList;
import java.util.List;

/** Snapshots of one cluster over time, to be taken in turn: one fixed cluster reads too fast. */
public final class Snapshots {
    private static final int COUNT = 32;
    private static final int STEPS_APART = 100;

    private final List<Cluster> snapshots = new ArrayList<>(COUNT);
    private int next;

    /** Lets the cluster churn and keeps every hundredth snapshot. */
    public Snapshots(Churn churn) {
        for (int i = 0; i < COUNT; i++) {
            snapshots.add(churn.steps(STEPS_APART).cluster());
        }
    }

    /** Returns the next one, the second after the last. */
    public Cluster next() {
        next = next + 1 < COUNT ? next + 1 : 1;
        return snapshots.get(next);
    }

    /** Returns the one that came a hundred arrivals before what {@link #next} returned last. */
    public Cluster previous() {
        return snapshots.get(next - 1);
    }
}
