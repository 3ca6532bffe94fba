package io.gpusched.simulator.capacity;

import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.simulator.replay.Speeds;
import io.gpusched.simulator.trace.TraceTable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of GPU models.
 *
 * @param speeds how fast jobs run on them
 * @param prices what a GPU costs an hour, by the name of the model; 0 for models that are not named
 */
public record ModelTable(Speeds speeds, Map<String, Double> prices) {
    /** Nothing is known. */
    public static final ModelTable NONE = new ModelTable(Speeds.EQUAL, Map.of());

    /** Copies the map. */
    public ModelTable {
        prices = Map.copyOf(prices);
    }

    /**
     * Reads a CSV file with the column {@code model}, and {@code speed}, {@code price} or both.
     *
     * @throws io.gpusched.simulator.trace.TraceException if the file cannot be used; the message names the line and the field
     */
    public static ModelTable read(Path file) {
        Map<String, Double> speeds = new HashMap<>();
        Map<String, Double> prices = new HashMap<>();
        TraceTable.read(file, List.of("model"), row -> {
            String model = row.name("model");
            if (row.has("speed")) {
                double speed = row.decimal("speed");
                if (speed <= 0) {
                    throw row.bad("speed", "above 0");
                }
                speeds.put(model, speed);
            }
            if (row.has("price")) {
                double price = row.decimal("price");
                if (price < 0) {
                    throw row.bad("price", "at least 0");
                }
                prices.put(model, price);
            }
            return model;
        });
        return new ModelTable(new Speeds(speeds), prices);
    }

    /** Returns what the GPUs of some nodes cost an hour. */
    public double pricePerHour(List<Node> nodes) {
        double sum = 0;
        for (Node node : nodes) {
            for (Gpu gpu : node.gpus()) {
                sum += prices.getOrDefault(gpu.model().name(), 0.0);
            }
        }
        return sum;
    }
}
