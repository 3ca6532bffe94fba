package io.gpusched.spark;

import io.gpusched.simulator.grid.GridColumn;
import io.gpusched.simulator.grid.GridRow;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Writes rows as Parquet: texts, longs and doubles, null where a field is empty. */
final class ParquetRows {
    private ParquetRows() {}

    static void write(SparkSession spark, List<GridRow> rows, String path) {
        StructType schema = DataTypes.createStructType(Stream.of(GridColumn.values())
                .map(column -> DataTypes.createStructField(column.title(), type(column), true))
                .toList());
        List<Row> values = rows.stream().map(ParquetRows::row).toList();
        spark.createDataFrame(values, schema)
                .coalesce(1)
                .write()
                .mode(SaveMode.Overwrite)
                .parquet(path);
    }

    private static DataType type(GridColumn column) {
        return switch (column.kind()) {
            case TEXT -> DataTypes.StringType;
            case WHOLE -> DataTypes.LongType;
            case DECIMAL -> DataTypes.DoubleType;
        };
    }

    private static Row row(GridRow row) {
        return RowFactory.create(Stream.of(GridColumn.values())
                .map(column -> value(column, row.get(column)))
                .toArray());
    }

    private static @Nullable Object value(GridColumn column, String text) {
        if (text.isEmpty()) {
            return null;
        }
        return switch (column.kind()) {
            case TEXT -> text;
            case WHOLE -> Long.valueOf(text);
            case DECIMAL -> Double.valueOf(text);
        };
    }
}
