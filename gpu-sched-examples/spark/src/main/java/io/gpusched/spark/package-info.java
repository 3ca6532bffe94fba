/** Grids of simulator runs on Apache Spark: {@link io.gpusched.spark.GridOnSpark} is the command. */
@NullMarked
package io.gpusched.spark;

import org.jspecify.annotations.NullMarked;
