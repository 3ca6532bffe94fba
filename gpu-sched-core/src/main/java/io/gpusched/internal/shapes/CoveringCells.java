package io.gpusched.internal.shapes;

import io.gpusched.internal.shapes.CellTree.Cell;
import io.gpusched.internal.shapes.Guarantees.Holding;
import io.gpusched.internal.shapes.Guarantees.Owner;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds cells of a queue around pods that run: those that it uses, else the smallest that it may take. It takes none. For one use. */
final class CoveringCells {
    private final Guarantees guarantees;
    private final Owner owner;
    private final Map<Holding, Integer> left = new LinkedHashMap<>();
    private final Set<ShapeCell> chosen = new LinkedHashSet<>();

    /**
     * @param kinds of which kinds the owner may take cells that it does not use
     */
    CoveringCells(Guarantees guarantees, Owner owner, List<Holding> kinds) {
        this.guarantees = guarantees;
        this.owner = owner;
        kinds.forEach(holding -> left.put(holding, holding.unused()));
    }

    /** Returns cells around all GPUs of the pods, each pod in one if there is such a cell; none if a GPU is in none. */
    Set<ShapeCell> around(Collection<Placement> placements, Cluster cluster) {
        for (Placement placement : placements) {
            List<Integer> gpus = Guarantees.gpus(placement, cluster);
            if (!gpus.isEmpty() && choose(placement.node(), gpus)) {
                continue;
            }
            for (int gpu : gpus) {
                if (!choose(placement.node(), List.of(gpu))) {
                    return Set.of();
                }
            }
        }
        return chosen;
    }

    private boolean choose(String node, List<Integer> gpus) {
        ModelCells model = guarantees.modelOf(node, gpus.get(0));
        Cell cell = model == null ? null : covering(model, node, gpus);
        if (cell != null) {
            chosen.add(cell.id());
        }
        return cell != null;
    }

    private @Nullable Cell covering(ModelCells model, String node, List<Integer> gpus) {
        List<Cell> around = new ArrayList<>();
        for (Cell at = model.tree.smallest(model.tree.number(node, gpus.get(0))); at != null; at = at.parent()) {
            Cell cell = at;
            if (gpus.stream().allMatch(gpu -> isIn(cell, model.tree.number(node, gpu)))) {
                around.add(cell);
            }
        }
        for (Cell cell : around) {
            if (chosen.contains(cell.id()) || owner.uses(cell)) {
                return cell;
            }
        }
        for (Cell cell : around) {
            for (Map.Entry<Holding, Integer> holding : left.entrySet()) {
                if (holding.getValue() > 0 && CellTree.isOf(cell, holding.getKey().shape) && model.isFree(cell)) {
                    holding.setValue(holding.getValue() - 1);
                    return cell;
                }
            }
        }
        return null;
    }

    private static boolean isIn(Cell cell, int number) {
        return cell.from() <= number && number < cell.to();
    }
}
