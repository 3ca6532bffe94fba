package io.gpusched.bench.report;

import io.gpusched.bench.load.CycleShape;
import java.util.OptionalDouble;

/**
 * What scheduling cycles cost, on the clock: what changes the jobs from one cycle to the next runs between the measured calls and would
 * count as CPU time.
 */
final class Cycles {
    private final Results results;

    Cycles(Results results) {
        this.results = results;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("""
            A scheduling cycle in milliseconds on the clock: the first of an instance; the first with pending jobs, by an instance that
            knows the running ones; and one after which a hundredth of the jobs changed:

            | shape | first | arrived | changed |
            |---|---:|---:|---:|
            """);
        for (CycleShape shape : CycleShape.values()) {
            OptionalDouble first = millis("first", shape);
            if (first.isPresent()) {
                text.append("| %s | %s | %s | %s |%n"
                        .formatted(
                                shape,
                                decimal(first),
                                decimal(millis("arrived", shape)),
                                decimal(millis("changed", shape))));
            }
        }
        return text.toString();
    }

    private OptionalDouble millis(String method, CycleShape shape) {
        return results.clockMillis("CycleBenchmark." + method, "shape=" + shape.name());
    }

    private static String decimal(OptionalDouble value) {
        if (value.isEmpty()) {
            return "-";
        }
        return (value.getAsDouble() < 10 ? "%.2f" : "%.0f").formatted(value.getAsDouble());
    }
}
