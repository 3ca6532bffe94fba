package io.gpusched.simulator.grid;

import io.gpusched.simulator.RowFile;
import io.gpusched.simulator.RowRuns;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plays the cells of a grid that are not in a file yet, and writes each row when its run has ended. At the end the rows stand in the order
 * of the cells, so that the file is the same byte for byte whatever played it, and however often it was broken off.
 */
public final class GridRun {
    private static final Set<GridColumn> DIGESTS = EnumSet.of(GridColumn.TRACE_DIGEST, GridColumn.CLUSTER_DIGEST);

    private GridRun() {}

    /**
     * What came of it.
     *
     * @param rows the rows of the grid, in the order of the cells
     * @param played how many of them were played now
     * @param broken cells without a row, and what went wrong
     */
    public record Outcome(List<GridRow> rows, int played, Map<Cell, Exception> broken) {
        /** Copies the collections. */
        public Outcome {
            rows = List.copyOf(rows);
            broken = Collections.unmodifiableMap(new TreeMap<>(broken));
        }

        /** Returns whether each cell has numbers. */
        public boolean isComplete() {
            return broken.isEmpty()
                    && rows.stream().allMatch(row -> row.failure().isEmpty());
        }

        /** Prints what was played, and which cells have no numbers and why. */
        public void print(PrintWriter out, Path csv) {
            out.println((rows.size() + broken.size()) + " cells: " + played + " played, " + (rows.size() - played)
                    + " were in " + csv);
            rows.stream()
                    .filter(row -> !row.failure().isEmpty())
                    .forEach(row -> out.println(row.cell() + ": " + row.failure()));
            broken.forEach((cell, e) -> out.println(cell + ": not played: " + e));
            out.flush();
        }
    }

    /**
     * Plays what is missing. A cell that goes wrong leaves the others alone.
     *
     * @param threads how many cells to play at once, at least 1
     * @throws io.gpusched.simulator.trace.TraceException if the file is another, or was played with other settings; it says which
     * @throws java.io.UncheckedIOException if a file cannot be read or written
     */
    public static Outcome play(Grid grid, Path csv, CellPlayer player, int threads) {
        Collection<Cell> cells = grid.cells();
        GridSettings settings = grid.settings();
        try (RowFile file = RowFile.open(csv, GridColumn.titles())) {
            RowRuns.Outcome<Cell> outcome = RowRuns.play(
                    cells,
                    file,
                    fields -> checked(GridRow.read(fields), settings).cell(),
                    cell -> player.play(cell).fields(),
                    threads);
            List<GridRow> rows =
                    outcome.rows().values().stream().map(GridRow::read).toList();
            return new Outcome(rows, outcome.played(), outcome.broken());
        }
    }

    /** Returns all rows of a file of results, in its order. */
    public static List<GridRow> rows(Path csv) {
        try (RowFile file = RowFile.open(csv, GridColumn.titles())) {
            return file.read(GridRow::read);
        }
    }

    private static GridRow checked(GridRow row, GridSettings settings) {
        settings.of(row.cell()).forEach((column, value) -> {
            String now = String.valueOf(value);
            boolean isOfAnotherGrid = now.isEmpty() && DIGESTS.contains(column);
            if (!isOfAnotherGrid && !now.equals(row.get(column))) {
                throw new IllegalArgumentException("\"" + row.cell() + "\" was played with " + column.title() + " "
                        + row.get(column) + ", got " + now + "\nMaybe write to another file.");
            }
        });
        return row;
    }
}
