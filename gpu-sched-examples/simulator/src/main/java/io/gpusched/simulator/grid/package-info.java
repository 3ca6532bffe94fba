/**
 * Grids of runs: lists of job lists, clusters, loads, rules and seeds, each combination a cell that becomes a row of results.
 *
 * <pre>{@code
 * Grid grid = new Grid(List.of(trace), List.of(), List.of("32x8", "64x8"), List.of(0.95, 1.1), List.of("easy", "bin-pack"),
 *         List.of("exact"), List.of(0L), Grid.BLOCK_HOURS, ReplaySettings.ON_THE_EVENT);
 * GridRun.Outcome outcome = GridRun.play(grid, Path.of("results.csv"), CellPlayer.here(grid, NodeTable::read), threads);
 * }</pre>
 *
 * <p>A row depends on its cell alone, so any way to run the cells gives the same file.
 */
@NullMarked
package io.gpusched.simulator.grid;

import org.jspecify.annotations.NullMarked;
