package io.gpusched.internal.shapes;

import io.gpusched.internal.shapes.CellTree.Cell;
import io.gpusched.workload.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The cells of one GPU model, and for each GPU whose it is, and whether somebody is there who may be evicted. Not thread-safe. */
final class ModelCells {
    static final int FREE = -1;
    static final int BAD = -2;

    final CellTree tree;

    /** By GPU: the number of the queue that uses it, {@link #FREE} or {@link #BAD}. */
    final int[] owner;

    final boolean[] isBusy;

    ModelCells(CellTree tree) {
        this.tree = tree;
        owner = new int[tree.size()];
        isBusy = new boolean[tree.size()];
        Arrays.fill(owner, FREE);
    }

    /** Returns the nodes with bad GPUs, ascending. */
    List<String> badNodes() {
        Set<String> bad = new TreeSet<>();
        for (int gpu = 0; gpu < owner.length; gpu++) {
            if (owner[gpu] == BAD) {
                bad.add(tree.node(gpu));
            }
        }
        return List.copyOf(bad);
    }

    /** Returns by GPU whether it is used or bad. */
    boolean[] taken() {
        boolean[] taken = new boolean[owner.length];
        for (int gpu = 0; gpu < taken.length; gpu++) {
            taken[gpu] = owner[gpu] != FREE;
        }
        return taken;
    }

    /** Returns whether no GPU of a cell is used or bad. */
    boolean isFree(Cell cell) {
        return Arrays.stream(owner, cell.from(), cell.to()).allMatch(own -> own == FREE);
    }

    /** Returns whether a queue uses a GPU of a cell. */
    boolean isUsed(Cell cell) {
        return Arrays.stream(owner, cell.from(), cell.to()).anyMatch(own -> own >= 0);
    }

    /**
     * The cells of which nothing is taken: the smallest first; those with the fewest GPUs on nodes that may not be used; where the fewest run;
     * those whose neighbours are taken.
     *
     * @param isWorstFirst whether of cells of one size those come first with the most GPUs that may not be used, and where the most run
     */
    List<Cell> free(Shape shape, boolean[] taken, Predicate<String> mayUse, boolean isWorstFirst) {
        List<Cell> free = new ArrayList<>();
        Map<Cell, Integer> closed = new HashMap<>();
        Map<Cell, Integer> busy = new HashMap<>();
        Map<Cell, Boolean> isWhole = new HashMap<>();
        for (Cell cell : tree.of(shape)) {
            if (!isAny(taken, cell)) {
                free.add(cell);
                closed.put(cell, count(cell, gpu -> !mayUse.test(tree.node(gpu))));
                busy.put(cell, count(cell, gpu -> isBusy[gpu]));
                Cell parent = cell.parent();
                isWhole.put(cell, parent != null && !isAny(taken, parent));
            }
        }
        Comparator<Cell> bestFirst =
                Comparator.<Cell, Integer>comparing(closed::get).thenComparing(busy::get);
        free.sort(Comparator.comparingInt(Cell::size)
                .thenComparing(isWorstFirst ? bestFirst.reversed() : bestFirst)
                .thenComparing(isWhole::get));
        return free;
    }

    private static boolean isAny(boolean[] flags, Cell cell) {
        for (int gpu = cell.from(); gpu < cell.to(); gpu++) {
            if (flags[gpu]) {
                return true;
            }
        }
        return false;
    }

    private static int count(Cell cell, IntPredicate isCounted) {
        return (int) IntStream.range(cell.from(), cell.to()).filter(isCounted).count();
    }
}
