package io.gpusched.internal.shapes;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import io.gpusched.workload.Shape;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cells of one GPU model. Its GPUs are numbered in node order, so that each cell is a range of numbers. */
final class CellTree {
    private static final int NODE_RANK = 1_000;

    /** The GPUs of a node, and the number of the first. */
    private record Range(int from, List<Integer> gpus) {}

    /**
     * One cell.
     *
     * @param rank the less, the higher in the tree
     * @param size the nodes of a domain, or the GPUs of a node or block
     * @param from the number of its first GPU
     * @param to one more than the number of its last GPU
     * @param parent the cell around it; null at the top
     */
    record Cell(
            ShapeCell id,
            int rank,
            int size,
            int from,
            int to,
            @Nullable Cell parent) {}

    private final String model;
    private final Map<String, Range> nodes = new HashMap<>();
    private final List<String> nodeOf = new ArrayList<>();
    private final List<Integer> gpuOf = new ArrayList<>();
    private final List<Cell> smallest = new ArrayList<>();
    private final Map<ShapeCell, Cell> byId = new HashMap<>();
    private final Map<String, List<Cell>> byKind = new HashMap<>();

    CellTree(Cluster cluster, String model) {
        this.model = model;
        List<NodeState> own = cluster.nodes().stream()
                .filter(node -> node.node().gpus().stream().anyMatch(this::isOwn))
                .toList();
        addDomains(own, 0, 0, null);
    }

    private boolean isOwn(Gpu gpu) {
        return gpu.model().name().equals(model);
    }

    private int gpusOf(NodeState node) {
        return (int) node.node().gpus().stream().filter(this::isOwn).count();
    }

    /** Adds the domains of nodes that share the path down to a depth; nodes come in the order of their paths. */
    private void addDomains(List<NodeState> nodes, int depth, int first, @Nullable Cell parent) {
        int from = first;
        for (int i = 0; i < nodes.size(); ) {
            Node node = nodes.get(i).node();
            if (node.topology().domains().size() <= depth) {
                addNode(nodes.get(i), from, parent);
                from += gpusOf(nodes.get(i++));
                continue;
            }
            Topology path = new Topology(node.topology().domains().subList(0, depth + 1));
            String level = path.domains().get(depth).level();
            int end = i;
            int to = from;
            while (end < nodes.size()
                    && nodes.get(end).node().topology().upTo(level).equals(path)) {
                to += gpusOf(nodes.get(end++));
            }
            Cell cell = add(level, path.toString(), depth, end - i, from, to, parent);
            addDomains(nodes.subList(i, end), depth + 1, from, cell);
            from = to;
            i = end;
        }
    }

    private void addNode(NodeState state, int from, @Nullable Cell parent) {
        List<Integer> gpus = new ArrayList<>();
        for (Gpu gpu : state.node().gpus()) {
            if (isOwn(gpu)) {
                gpus.add(gpu.index());
                nodeOf.add(state.name());
                gpuOf.add(gpu.index());
            }
        }
        nodes.put(state.name(), new Range(from, gpus));
        int to = from + gpus.size();
        Cell node = add(Shape.NODE, state.name(), NODE_RANK, gpus.size(), from, to, parent);
        addBlocks(from, to, node);
    }

    private void addBlocks(int from, int to, Cell parent) {
        int size = to - from;
        String name = nodeOf.get(from) + "[" + gpuOf.get(from) + ".." + gpuOf.get(to - 1) + "]";
        Cell block = add(Shape.GPU, name, 2 * NODE_RANK - size, size, from, to, parent);
        if (size == 1) {
            smallest.add(block);
            return;
        }
        int part = size % 2 == 0 ? size / 2 : 1;
        for (int at = from; at < to; at += part) {
            addBlocks(at, at + part, block);
        }
    }

    private Cell add(String level, String name, int rank, int size, int from, int to, @Nullable Cell parent) {
        Cell cell = new Cell(new ShapeCell(model, level, name), rank, size, from, to, parent);
        byId.put(cell.id(), cell);
        byKind.computeIfAbsent(level, key -> new ArrayList<>()).add(cell);
        return cell;
    }

    /** The cells that a shape is made of, in node order. */
    List<Cell> of(Shape shape) {
        return byKind.getOrDefault(shape.level(), List.of()).stream()
                .filter(cell -> isOf(cell, shape))
                .toList();
    }

    static boolean isOf(Cell cell, Shape shape) {
        return cell.id().level().equals(shape.level())
                && cell.id().model().equals(shape.model())
                && (shape.level().equals(Shape.GPU) ? cell.size() == shape.size() : cell.size() >= shape.size());
    }

    @Nullable
    Cell cell(ShapeCell id) {
        return byId.get(id);
    }

    /** The cell that is one GPU. */
    Cell smallest(int gpu) {
        return smallest.get(gpu);
    }

    /** How many GPUs there are. */
    int size() {
        return nodeOf.size();
    }

    String node(int gpu) {
        return nodeOf.get(gpu);
    }

    int indexInNode(int gpu) {
        return gpuOf.get(gpu);
    }

    /** The number of a GPU of a node; -1 if it is of another model. */
    int number(String node, int index) {
        Range range = nodes.get(node);
        int at = range == null ? -1 : range.gpus().indexOf(index);
        return range == null || at < 0 ? -1 : range.from() + at;
    }
}
