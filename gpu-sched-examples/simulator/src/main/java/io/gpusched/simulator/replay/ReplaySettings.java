package io.gpusched.simulator.replay;

import java.util.Objects;

/**
 * How a scenario is replayed.
 *
 * @param order in which order waiting jobs are tried
 * @param disruptions what goes wrong
 * @param cycleSeconds the length of a scheduling cycle, at least 1: waiting jobs are tried at its multiples if anything has changed
 * @param speeds how fast jobs run on which GPUs
 * @param gangsWithin the topology level; all members of a gang must be in one of its domains; empty if they only prefer one rack
 */
public record ReplaySettings(
        QueueOrder order, Disruptions disruptions, int cycleSeconds, Speeds speeds, String gangsWithin) {
    /** The length of a scheduling cycle unless told otherwise: waiting jobs are tried whenever one arrives or ends, at its second. */
    public static final int ON_THE_EVENT = 1;

    /** First come, first served, passing over what does not fit; nothing goes wrong, all GPUs are equally fast. */
    public static final ReplaySettings DEFAULT =
            new ReplaySettings(QueueOrder.FIFO_SKIP, Disruptions.NONE, ON_THE_EVENT, Speeds.EQUAL, "");

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if the cycle is shorter than a second
     */
    public ReplaySettings {
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(disruptions, "disruptions");
        Objects.requireNonNull(speeds, "speeds");
        Objects.requireNonNull(gangsWithin, "gangsWithin");
        if (cycleSeconds < 1) {
            throw new IllegalArgumentException("replay: cycleSeconds must be at least 1, got " + cycleSeconds);
        }
    }

    /** Returns these settings with another order. */
    public ReplaySettings withOrder(QueueOrder value) {
        return new ReplaySettings(value, disruptions, cycleSeconds, speeds, gangsWithin);
    }

    /** Returns these settings with other disruptions. */
    public ReplaySettings withDisruptions(Disruptions value) {
        return new ReplaySettings(order, value, cycleSeconds, speeds, gangsWithin);
    }

    /** Returns these settings with another length of a cycle. */
    public ReplaySettings withCycleSeconds(int value) {
        return new ReplaySettings(order, disruptions, value, speeds, gangsWithin);
    }

    /** Returns these settings with other speeds. */
    public ReplaySettings withSpeeds(Speeds value) {
        return new ReplaySettings(order, disruptions, cycleSeconds, value, gangsWithin);
    }

    /** Returns these settings with gangs that must stay within one domain of a topology level; empty if they need not. */
    public ReplaySettings withGangsWithin(String value) {
        return new ReplaySettings(order, disruptions, cycleSeconds, speeds, value);
    }
}
