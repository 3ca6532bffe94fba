package io.gpusched.internal.shapes;

import io.gpusched.internal.shapes.CellTree.Cell;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.Shape;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which cells of a cluster belong to whom.
 *
 * <p>A queue owns a number of cells of each {@link Shape}, but no particular ones. A cell becomes the queue's when a job of the queue starts
 * in it, and remains so as long as one runs there. At any time cells are set aside for all that queues own and do not use: the highest in
 * the tree first, each where no cell of another queue and no bad GPU is inside. So whatever runs outside, a queue can be given any of its
 * cells at once, if those may be evicted who run there opportunistically.
 *
 * <p>Where bad GPUs leave too few cells, queues come in the order of their priority, then of their age, then of their names, and each is
 * promised what is left by those before it: its larger cells first.
 *
 * <p>To set cells aside costs O(levels x GPUs). That is exact where domains of a level are equally large; where they are not, the smallest
 * that suffices is taken. After HiveD (Zhao et al., OSDI 2020), which keeps lists of free buddies for the same purpose. Not thread-safe.
 */
public final class Guarantees {
    private final Map<String, ModelCells> models = new LinkedHashMap<>();

    /** The queues that own cells, by the rule for when there are too few. */
    private final List<Owner> owners = new ArrayList<>();

    /** What a queue owns of one shape, and which cells it uses. */
    static final class Holding {
        final Shape shape;
        final Set<Cell> used = new LinkedHashSet<>();

        Holding(Shape shape) {
            this.shape = shape;
        }

        int unused() {
            return shape.count() - used.size();
        }
    }

    static final class Owner {
        final Queue queue;
        final int number;
        final List<Holding> holdings;

        Owner(Queue queue, int number) {
            this.queue = queue;
            this.number = number;
            holdings = queue.shapes().stream().map(Holding::new).toList();
        }

        boolean uses(Cell cell) {
            return holdings.stream().anyMatch(holding -> holding.used.contains(cell));
        }
    }

    /** A number of cells that an owner is to be promised. */
    private record Claim(Owner owner, Holding holding, int count) {
        Claim with(int value) {
            return new Claim(owner, holding, value);
        }
    }

    /** Whose cells are chosen before those of others, and which nodes he may use. */
    private record Chooser(Owner owner, Predicate<String> mayUse) {}

    /** Cells that a queue is promised less than it owns and does not use. */
    public record Shortfall(String queue, Shape shape, int missing, List<String> badNodes) {}

    private Guarantees(Cluster cluster, QueueTree queues) {
        Comparator<Queue> rule = Comparator.comparingInt((Queue queue) -> -queue.priority())
                .thenComparingLong(Queue::created)
                .thenComparing(Queue::name);
        queues.queues().stream()
                .filter(queue -> !queue.shapes().isEmpty())
                .sorted(rule)
                .forEach(queue -> owners.add(new Owner(queue, owners.size())));
        for (Owner owner : owners) {
            for (Shape shape : owner.queue.shapes()) {
                models.computeIfAbsent(shape.model(), model -> new ModelCells(new CellTree(cluster, model)));
            }
        }
        cluster.nodes().forEach(this::addBad);
    }

    /** Returns what queues own of a cluster of which they use nothing yet. */
    public static Guarantees of(Cluster cluster, QueueTree queues) {
        return new Guarantees(cluster, queues);
    }

    private void addBad(NodeState node) {
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            if (node.isCordoned() || !node.isHealthy(gpu)) {
                setBad(node.name(), gpu);
            }
        }
    }

    private void setBad(String node, int gpu) {
        ModelCells model = modelOf(node, gpu);
        int number = model == null ? -1 : model.tree.number(node, gpu);
        if (model != null && model.owner[number] == ModelCells.FREE) {
            model.owner[number] = ModelCells.BAD;
        }
    }

    /** Returns the cells of the model of a GPU; null if no queue owns any. */
    @Nullable
    ModelCells modelOf(String node, int gpu) {
        for (ModelCells model : models.values()) {
            if (model.tree.number(node, gpu) >= 0) {
                return model;
            }
        }
        return null;
    }

    /** Returns whether the queue owns cells. */
    public boolean owns(String queue) {
        return find(queue) != null;
    }

    private @Nullable Owner find(String queue) {
        for (Owner owner : owners) {
            if (owner.queue.name().equals(queue)) {
                return owner;
            }
        }
        return null;
    }

    /**
     * A guaranteed job of a queue runs in these cells.
     *
     * @return false, and nothing is changed, if the queue does not own as many, or one of them is not there or overlaps with another's
     */
    public boolean use(String queue, Collection<ShapeCell> cells) {
        Owner owner = find(queue);
        if (owner == null || cells.isEmpty()) {
            return false;
        }
        Map<Cell, Holding> taken = new LinkedHashMap<>();
        for (ShapeCell id : cells) {
            if (!take(owner, id, taken)) {
                taken.forEach((cell, holding) -> holding.used.remove(cell));
                return false;
            }
        }
        taken.keySet().forEach(cell -> {
            ModelCells model = model(cell);
            Arrays.fill(model.owner, cell.from(), cell.to(), owner.number);
        });
        return true;
    }

    private static boolean take(Owner owner, Cell cell, Map<Cell, Holding> taken) {
        Holding best = null;
        for (Holding holding : owner.holdings) {
            if (CellTree.isOf(cell, holding.shape)
                    && holding.unused() > 0
                    && (best == null || holding.shape.size() > best.shape.size())) {
                best = holding;
            }
        }
        if (best != null) {
            best.used.add(cell);
            taken.put(cell, best);
        }
        return best != null;
    }

    private boolean take(Owner owner, ShapeCell id, Map<Cell, Holding> taken) {
        ModelCells model = models.get(id.model());
        Cell cell = model == null ? null : model.tree.cell(id);
        if (model == null || cell == null) {
            return false;
        }
        if (owner.uses(cell)) {
            return true;
        }
        if (model.isUsed(cell)) {
            return false;
        }
        boolean overlaps = taken.keySet().stream()
                .anyMatch(other -> model(other) == model && other.from() < cell.to() && cell.from() < other.to());
        return !overlaps && take(owner, cell, taken);
    }

    private ModelCells model(Cell cell) {
        return model(cell.id().model());
    }

    private ModelCells model(String model) {
        return Objects.requireNonNull(models.get(model), "model");
    }

    /** Something runs there that stays: a cell with such a GPU is nobody's, unless a queue uses it already. */
    public void block(Placement placement, Cluster cluster) {
        gpus(placement, cluster).forEach(gpu -> setBad(placement.node(), gpu));
    }

    /** Something runs there that may be evicted: other cells are taken first. */
    public void occupy(Placement placement, Cluster cluster) {
        for (int gpu : gpus(placement, cluster)) {
            ModelCells model = modelOf(placement.node(), gpu);
            if (model != null) {
                model.isBusy[model.tree.number(placement.node(), gpu)] = true;
            }
        }
    }

    /** Returns the GPUs that a pod holds, all of a node that it takes whole. */
    static List<Integer> gpus(Placement placement, Cluster cluster) {
        NodeState node = cluster.node(placement.node()).orElse(null);
        if (!placement.holdsWholeNode() || node == null) {
            return placement.gpus();
        }
        List<Integer> all = new ArrayList<>();
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            all.add(gpu);
        }
        return all;
    }

    /** Returns whether all that is promised now would still be if something ran there that stays. */
    public boolean mayStay(Collection<Placement> placements, Cluster cluster) {
        List<int[]> before =
                models.values().stream().map(model -> model.owner.clone()).toList();
        List<Claim> promised = claims(promised());
        placements.forEach(placement -> block(placement, cluster));
        boolean may = setAside(promised, null) != null;
        int i = 0;
        for (ModelCells model : models.values()) {
            int[] owner = before.get(i++);
            System.arraycopy(owner, 0, model.owner, 0, owner.length);
        }
        return may;
    }

    /** Returns by how many cells queues are promised less than they own, by the rule's order. */
    public List<Shortfall> shortfalls() {
        Map<Holding, Integer> promised = promised();
        List<Shortfall> shortfalls = new ArrayList<>();
        for (Owner owner : owners) {
            for (Holding holding : owner.holdings) {
                int missing = holding.unused() - promised.getOrDefault(holding, 0);
                if (missing > 0) {
                    ModelCells model = model(holding.shape.model());
                    shortfalls.add(new Shortfall(owner.queue.name(), holding.shape, missing, model.badNodes()));
                }
            }
        }
        return shortfalls;
    }

    /** How many cells of those that owners do not use each of them is promised. */
    private Map<Holding, Integer> promised() {
        List<Claim> claims = new ArrayList<>();
        Map<Holding, Integer> promised = new HashMap<>();
        for (Owner owner : owners) {
            for (Holding holding : owner.holdings) {
                claims.add(new Claim(owner, holding, holding.unused()));
                promised.put(holding, holding.unused());
            }
        }
        if (setAside(claims, null) != null) {
            return promised;
        }
        promised.clear();
        for (Owner owner : owners) {
            owner.holdings.stream()
                    .sorted(Comparator.comparingInt(this::rank))
                    .forEach(holding -> promised.put(holding, mostOf(owner, holding, promised)));
        }
        return promised;
    }

    /** The most cells of a shape beside all that is promised. */
    private int mostOf(Owner owner, Holding holding, Map<Holding, Integer> promised) {
        int least = 0;
        int most = holding.unused();
        while (least < most) {
            int middle = least + (most - least + 1) / 2;
            List<Claim> claims = claims(promised);
            claims.add(new Claim(owner, holding, middle));
            if (setAside(claims, null) != null) {
                least = middle;
            } else {
                most = middle - 1;
            }
        }
        return least;
    }

    private List<Claim> claims(Map<Holding, Integer> promised) {
        List<Claim> claims = new ArrayList<>();
        for (Owner owner : owners) {
            for (Holding holding : owner.holdings) {
                if (promised.containsKey(holding)) {
                    claims.add(new Claim(owner, holding, promised.getOrDefault(holding, 0)));
                }
            }
        }
        return claims;
    }

    private int rank(Holding holding) {
        List<Cell> cells = cellsOf(holding.shape);
        return cells.isEmpty() ? Integer.MAX_VALUE : cells.get(0).rank();
    }

    private List<Cell> cellsOf(Shape shape) {
        return model(shape.model()).tree.of(shape);
    }

    /**
     * Sets cells aside for all claims, the highest in the tree first.
     *
     * @param first chooses before others of the same level, cells on nodes that he may use and where the fewest run; the others get
     *     those that he may not use and where the most run
     * @return the cells of the first; null if there are too few for somebody
     */
    private @Nullable List<Cell> setAside(List<Claim> claims, @Nullable Chooser first) {
        Map<ModelCells, boolean[]> taken = new HashMap<>();
        for (ModelCells model : models.values()) {
            taken.put(model, model.taken());
        }
        Predicate<String> mayUse = first == null ? node -> true : first.mayUse();
        List<Claim> order = new ArrayList<>(claims);
        order.sort(Comparator.comparingInt((Claim claim) -> rank(claim.holding()))
                .thenComparingInt(claim -> -claim.holding().shape.size())
                .thenComparing(claim -> !isOf(claim, first)));
        List<Cell> own = new ArrayList<>();
        for (Claim claim : order) {
            boolean isFirst = isOf(claim, first);
            ModelCells model = model(claim.holding().shape.model());
            boolean[] none = taken.getOrDefault(model, new boolean[0]);
            List<Cell> free =
                    claim.count() == 0 ? List.of() : model.free(claim.holding().shape, none, mayUse, !isFirst);
            if (free.size() < claim.count()) {
                return null;
            }
            for (Cell cell : free.subList(0, claim.count())) {
                Arrays.fill(none, cell.from(), cell.to(), true);
                if (isFirst) {
                    own.add(cell);
                }
            }
        }
        return own;
    }

    private static boolean isOf(Claim claim, @Nullable Chooser first) {
        return first != null && claim.owner() == first.owner();
    }

    /**
     * Returns where guaranteed jobs of a queue may run: the cells that it uses, then with the smallest of those that it is promised, then
     * with the next larger, and so on to all. Empty if the queue owns none.
     *
     * @param gpus how many GPUs each pod takes at least; blocks that have fewer are left out
     * @param mayUse whether any of the pods may run on a node; cells on such nodes are promised rather than others
     */
    public List<Region> regions(String queue, int gpus, Predicate<String> mayUse) {
        Owner owner = find(queue);
        List<Cell> promised = owner == null ? null : setAside(claims(promised()), new Chooser(owner, mayUse));
        List<Region> regions = new ArrayList<>();
        if (owner == null || promised == null) {
            return regions;
        }
        List<Cell> cells = new ArrayList<>();
        owner.holdings.forEach(holding ->
                holding.used.stream().filter(cell -> holds(cell, gpus)).forEach(cells::add));
        TreeMap<Integer, List<Cell>> smallestFirst = new TreeMap<>(Comparator.reverseOrder());
        promised.stream()
                .filter(cell -> holds(cell, gpus))
                .forEach(cell -> smallestFirst
                        .computeIfAbsent(cell.rank(), rank -> new ArrayList<>())
                        .add(cell));
        if (!cells.isEmpty()) {
            regions.add(region(cells));
        }
        smallestFirst.values().forEach(more -> {
            cells.addAll(more);
            regions.add(region(cells));
        });
        return regions;
    }

    private static boolean holds(Cell cell, int gpus) {
        return !cell.id().level().equals(Shape.GPU) || cell.size() >= gpus;
    }

    private Region region(List<Cell> cells) {
        Map<String, Map<Integer, ShapeCell>> gpus = new LinkedHashMap<>();
        for (Cell cell : cells) {
            CellTree tree = model(cell).tree;
            for (int gpu = cell.from(); gpu < cell.to(); gpu++) {
                gpus.computeIfAbsent(tree.node(gpu), node -> new HashMap<>()).put(tree.indexInNode(gpu), cell.id());
            }
        }
        return new Region(gpus);
    }

    /**
     * Looks whether what runs already can be guaranteed, without taking anything from another queue.
     *
     * @return the cells, the smallest that suffice, which are the queue's from now on; empty if there are none
     */
    public Set<ShapeCell> adopt(String queue, Collection<Placement> placements, Cluster cluster) {
        Owner owner = find(queue);
        if (owner == null) {
            return Set.of();
        }
        Set<Integer> smallestFirst = new TreeSet<>(Comparator.reverseOrder());
        owner.holdings.forEach(holding -> smallestFirst.add(rank(holding)));
        for (int rank : smallestFirst) { // a gang in a rack does not fit in the one node that its queue owns too
            List<Holding> larger = owner.holdings.stream()
                    .filter(holding -> rank(holding) <= rank)
                    .toList();
            Set<ShapeCell> cells = new CoveringCells(this, owner, larger).around(placements, cluster);
            Set<ShapeCell> adopted = cells.isEmpty() ? cells : adopt(owner, cells);
            if (!adopted.isEmpty()) {
                return adopted;
            }
        }
        return Set.of();
    }

    private Set<ShapeCell> adopt(Owner owner, Set<ShapeCell> cells) {
        List<Claim> before = claims(promised());
        List<Cell> used = owner.holdings.stream()
                .flatMap(holding -> holding.used.stream())
                .toList();
        return use(owner.queue.name(), cells) ? kept(owner, cells, used, before) : Set.of();
    }

    /** Gives cells back that were not used before if somebody is promised less than before because of them. */
    private Set<ShapeCell> kept(Owner owner, Set<ShapeCell> cells, List<Cell> used, List<Claim> before) {
        List<Claim> after = before.stream()
                .map(claim -> claim.owner() == owner
                        ? claim.with(Math.min(claim.count(), claim.holding().unused()))
                        : claim)
                .toList();
        if (setAside(after, null) != null) {
            return cells;
        }
        for (Holding holding : owner.holdings) {
            for (Cell cell : List.copyOf(holding.used)) {
                if (!used.contains(cell)) {
                    holding.used.remove(cell);
                    Arrays.fill(model(cell).owner, cell.from(), cell.to(), ModelCells.FREE);
                }
            }
        }
        return Set.of();
    }
}
