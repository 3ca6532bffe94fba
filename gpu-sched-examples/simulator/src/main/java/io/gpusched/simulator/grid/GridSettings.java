package io.gpusched.simulator.grid;

import io.gpusched.simulator.trace.JobColumns;
import java.io.Serializable;
import java.util.EnumMap;
import java.util.Map;

/**
 * What all cells of a grid share.
 *
 * @param blockHours the length of the blocks of arrivals that a seed draws
 * @param intervalSeconds how often a policy tries waiting jobs
 * @param columns which column of the job lists says what, as {@link JobColumns#parse} reads it; empty if their headers tell
 * @param digests what tells the content of a file from another, by the file's name
 */
public record GridSettings(double blockHours, int intervalSeconds, String columns, Map<String, String> digests)
        implements Serializable {
    /** Copies the map. */
    public GridSettings {
        digests = Map.copyOf(digests);
    }

    /** Returns which column of the job lists says what. */
    JobColumns jobColumns() {
        return columns.isEmpty() ? JobColumns.NONE : JobColumns.parse(columns);
    }

    /** Returns the values that stand in the row of a cell. */
    Map<GridColumn, Object> of(Cell cell) {
        Map<GridColumn, Object> values = new EnumMap<>(GridColumn.class);
        values.put(GridColumn.BLOCK_HOURS, cell.seed() == 0 ? "" : blockHours);
        values.put(GridColumn.INTERVAL_SECONDS, cell.isByPolicy() ? String.valueOf(intervalSeconds) : "");
        values.put(GridColumn.TRACE_DIGEST, digests.getOrDefault(cell.trace(), ""));
        values.put(GridColumn.CLUSTER_DIGEST, digests.getOrDefault(cell.cluster(), ""));
        return values;
    }
}
