package io.gpusched.simulator.grid;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The results of a cell.
 *
 * @param cell the cell
 * @param fields the texts of all columns in their order, as they stand in the file
 */
public record GridRow(Cell cell, List<String> fields) implements Serializable {
    /** Copies the list. */
    public GridRow {
        fields = List.copyOf(fields);
    }

    /** Returns the row with these values; other fields are empty. */
    static GridRow of(Cell cell, Map<GridColumn, ?> values) {
        Map<GridColumn, Object> all = new EnumMap<>(GridColumn.class);
        all.putAll(values);
        all.put(GridColumn.TRACE, cell.trace());
        all.put(GridColumn.CLUSTER, cell.cluster());
        all.put(GridColumn.LOAD, cell.load());
        all.put(GridColumn.RULE, cell.rule());
        all.put(GridColumn.TOLD, cell.told());
        all.put(GridColumn.SEED, cell.seed());
        return new GridRow(
                cell,
                Stream.of(GridColumn.values())
                        .map(column -> String.valueOf(all.getOrDefault(column, "")))
                        .toList());
    }

    /**
     * Returns the row of these fields.
     *
     * @throws IllegalArgumentException if there are too few or too many, or load or seed is no number
     */
    static GridRow read(List<String> fields) {
        if (fields.size() != GridColumn.values().length) {
            throw new IllegalArgumentException(
                    "must have " + GridColumn.values().length + " fields, got " + fields.size());
        }
        Cell cell = new Cell(
                fields.get(GridColumn.TRACE.ordinal()),
                fields.get(GridColumn.CLUSTER.ordinal()),
                Double.parseDouble(fields.get(GridColumn.LOAD.ordinal())),
                fields.get(GridColumn.RULE.ordinal()),
                fields.get(GridColumn.TOLD.ordinal()),
                Long.parseLong(fields.get(GridColumn.SEED.ordinal())));
        return new GridRow(cell, fields);
    }

    /** Returns the text of a column; empty where there is none. */
    public String get(GridColumn column) {
        return fields.get(column.ordinal());
    }

    /** Returns which jobs can never run, and why; empty where all can. */
    public String failure() {
        return get(GridColumn.FAILURE);
    }
}
