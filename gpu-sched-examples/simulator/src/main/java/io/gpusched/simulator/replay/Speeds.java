package io.gpusched.simulator.replay;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast jobs run on which GPUs: a job that runs an hour at speed 1 runs half an hour at speed 2. A gang is as fast as its slowest
 * member, and jobs without GPUs run at speed 1, as on models that are not named.
 *
 * @param byModel the speed by the name of the model, each positive
 */
public record Speeds(Map<String, Double> byModel) {
    /** All are equally fast. */
    public static final Speeds EQUAL = new Speeds(Map.of());

    /**
     * Copies the map.
     *
     * @throws IllegalArgumentException if a speed is not positive
     */
    public Speeds {
        byModel = Collections.unmodifiableMap(new TreeMap<>(byModel));
        byModel.forEach((model, speed) -> {
            if (!(speed > 0) || speed.isInfinite()) {
                throw new IllegalArgumentException("speed of " + model + " must be positive, got " + speed);
            }
        });
    }

    /** Returns the speed of a model, 1 if it is not named. */
    public double of(String model) {
        return byModel.getOrDefault(model, 1.0);
    }

    /** Returns how long a job runs at these places that would run so long at speed 1. */
    long seconds(long seconds, List<Placement> placements, Cluster cluster) {
        if (byModel.isEmpty()) {
            return seconds;
        }
        double slowest = Double.MAX_VALUE;
        for (Placement placement : placements) {
            Node node = cluster.node(placement.node()).orElseThrow().node();
            for (int gpu : placement.gpus()) {
                slowest = Math.min(slowest, of(node.gpus().get(gpu).model().name()));
            }
        }
        return slowest == Double.MAX_VALUE ? seconds : Math.round(seconds / slowest);
    }
}
