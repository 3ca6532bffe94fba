package io.gpusched.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns the events of a run into a curve over arrived GPU compute, the way the published experiments were evaluated:
 * events are grouped by arrived percent, rounded half to even; a point is the mean over its group, or over the groups
 * next to it where it has none, or else the point before it.
 */
final class CurveRecorder {
    /** Sums over the events of one percent. */
    private static final class Group {
        private int events;
        /** In hundredths of a percent, so that the sum is exact. */
        private long allocated;

        private double fragments;
        /** In hundredths of a percent. */
        private long ratio;

        private int placed;
        private int rejected;

        void add(Group other) {
            events += other.events;
            allocated += other.allocated;
            fragments += other.fragments;
            ratio += other.ratio;
            placed = Math.max(placed, other.placed);
            rejected = Math.max(rejected, other.rejected);
        }
    }

    private final double gpuMillis;
    private final List<Group> groups = new ArrayList<>();
    private int placed;
    private int rejected;

    CurveRecorder(long gpuMillis) {
        this.gpuMillis = gpuMillis;
    }

    /**
     * Records the state after one pod was placed or refused.
     *
     * @param arrivedMillis GPU compute asked for so far
     * @param usedMillis GPU compute allocated
     * @param fragmentMillis fragmented GPU compute
     */
    void record(boolean wasPlaced, long arrivedMillis, long usedMillis, double fragmentMillis) {
        placed += wasPlaced ? 1 : 0;
        rejected += wasPlaced ? 0 : 1;
        int percent = (int) Math.rint(arrivedMillis * 100 / gpuMillis);
        while (groups.size() <= percent) {
            groups.add(new Group());
        }
        Group group = groups.get(percent);
        group.events++;
        group.allocated += Math.round(usedMillis * 10_000 / gpuMillis);
        group.fragments += fragmentMillis;
        double idle = gpuMillis - usedMillis;
        group.ratio += idle > 0 ? Math.round(10_000 * fragmentMillis / idle) : 0;
        group.placed = placed;
        group.rejected = rejected;
    }

    /** Returns one point for each whole percent from 0 to what arrived in the end. */
    List<CurvePoint> curve() {
        List<CurvePoint> points = new ArrayList<>(groups.size());
        Group last = new Group();
        for (int percent = 0; percent < groups.size(); percent++) {
            Group group = around(percent);
            last = group.events > 0 ? group : last;
            points.add(point(percent, last));
        }
        return points;
    }

    private Group around(int percent) {
        Group own = groups.get(percent);
        if (own.events > 0) {
            return own;
        }
        Group near = new Group();
        for (int at = Math.max(0, percent - 1); at <= Math.min(groups.size() - 1, percent + 1); at++) {
            near.add(groups.get(at));
        }
        return near;
    }

    private CurvePoint point(int percent, Group group) {
        double events = Math.max(1, group.events);
        return new CurvePoint(
                percent,
                rounded(group.allocated / 100.0 / events, 100),
                rounded(100 * (group.fragments / events) / gpuMillis, 100),
                rounded(group.ratio / 100.0 / events, 10_000),
                group.placed,
                group.rejected);
    }

    private static double rounded(double value, double digits) {
        return Math.rint(value * digits) / digits;
    }
}
