package io.gpusched.simulator.grid;

import java.io.Serializable;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The results of a cell.
 *
 * @param cell the cell
 * @param texts the text of each column as it stands in the file; empty where there is none
 */
public record GridRow(Cell cell, Map<GridColumn, String> texts) implements Serializable {
    /** Copies the map. */
    public GridRow {
        texts = Collections.unmodifiableMap(new EnumMap<>(texts));
    }

    /** Returns the row with these values; other fields are empty. */
    static GridRow of(Cell cell, Map<GridColumn, ?> values) {
        Map<GridColumn, String> texts = new EnumMap<>(GridColumn.class);
        for (GridColumn column : GridColumn.values()) {
            texts.put(column, values.containsKey(column) ? String.valueOf(values.get(column)) : "");
        }
        texts.put(GridColumn.TRACE, cell.trace());
        texts.put(GridColumn.CLUSTER, cell.cluster());
        texts.put(GridColumn.LOAD, String.valueOf(cell.load()));
        texts.put(GridColumn.RULE, cell.rule());
        texts.put(GridColumn.TOLD, cell.told());
        texts.put(GridColumn.SEED, String.valueOf(cell.seed()));
        return new GridRow(cell, texts);
    }

    /**
     * Returns the row of these fields, one for each column.
     *
     * @throws IllegalArgumentException if load or seed is no number
     */
    static GridRow read(List<String> fields) {
        Map<GridColumn, String> texts = new EnumMap<>(GridColumn.class);
        Iterator<String> field = fields.iterator();
        for (GridColumn column : GridColumn.values()) {
            texts.put(column, field.next());
        }
        Cell cell = new Cell(
                text(texts, GridColumn.TRACE),
                text(texts, GridColumn.CLUSTER),
                Double.parseDouble(text(texts, GridColumn.LOAD)),
                text(texts, GridColumn.RULE),
                text(texts, GridColumn.TOLD),
                Long.parseLong(text(texts, GridColumn.SEED)));
        return new GridRow(cell, texts);
    }

    private static String text(Map<GridColumn, String> texts, GridColumn column) {
        return texts.getOrDefault(column, "");
    }

    /** Returns the text of a column; empty where there is none. */
    public String get(GridColumn column) {
        return text(texts, column);
    }

    /** Returns the texts in the order of the columns. */
    public List<String> fields() {
        return Stream.of(GridColumn.values()).map(this::get).toList();
    }

    /** Returns which jobs can never run, and why; empty where all can. */
    public String failure() {
        return get(GridColumn.FAILURE);
    }
}
