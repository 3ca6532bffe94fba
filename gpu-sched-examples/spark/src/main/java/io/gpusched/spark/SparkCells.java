package io.gpusched.spark;

import io.gpusched.simulator.grid.Cell;
import io.gpusched.simulator.grid.CellPlayer;
import io.gpusched.simulator.grid.Grid;
import io.gpusched.simulator.grid.GridRow;
import io.gpusched.simulator.grid.GridSettings;
import io.gpusched.simulator.trace.NodeTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkFiles;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;

/**
 * Plays each cell as a Spark job of one task: its row is at the driver as soon as it is known, and a task that fails for good fails its
 * cell alone.
 */
final class SparkCells {
    private SparkCells() {}

    static CellPlayer player(JavaSparkContext spark, Grid grid) {
        grid.files().values().forEach(file -> spark.addFile(file.toString()));
        Task task = new Task(grid.settings());
        return cell -> spark.parallelize(List.of(cell), 1).map(task).collect().get(0);
    }

    /** What an executor does. */
    private record Task(GridSettings settings) implements Function<Cell, GridRow> {
        @Override
        public GridRow call(Cell cell) {
            return CellPlayer.play(cell, settings, name -> Path.of(SparkFiles.get(name)), NodeTable::read);
        }
    }
}
