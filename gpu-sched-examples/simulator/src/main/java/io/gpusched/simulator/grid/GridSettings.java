package io.gpusched.simulator.grid;

import io.gpusched.policy.CycleSettings.Backfill;
import java.io.Serializable;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What all cells of a grid share.
 *
 * @param blockHours the length of the blocks of arrivals that a seed draws
 * @param intervalSeconds how often a policy tries waiting jobs
 * @param digests what tells the content of a file from another, by the file's name
 */
public record GridSettings(double blockHours, int intervalSeconds, Map<String, String> digests)
        implements Serializable {
    /** Copies the map. */
    public GridSettings {
        digests = Map.copyOf(digests);
    }

    /** Returns the values that stand in the row of a cell. */
    Map<GridColumn, Object> of(Cell cell) {
        Map<GridColumn, Object> values = new EnumMap<>(GridColumn.class);
        values.put(GridColumn.BLOCK_HOURS, cell.seed() == 0 ? "" : blockHours);
        values.put(
                GridColumn.INTERVAL_SECONDS, backfill(cell.rule()).isPresent() ? "" : String.valueOf(intervalSeconds));
        values.put(GridColumn.TRACE_DIGEST, digests.getOrDefault(cell.trace(), ""));
        values.put(GridColumn.CLUSTER_DIGEST, digests.getOrDefault(cell.cluster(), ""));
        return values;
    }

    /** Returns the rule of backfill of this name, if it is one. */
    static Optional<Backfill> backfill(String rule) {
        return Stream.of(Backfill.values())
                .filter(known -> known.name().toLowerCase(Locale.ROOT).equals(rule))
                .findFirst();
    }
}
