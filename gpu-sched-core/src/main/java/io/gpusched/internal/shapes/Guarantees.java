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
import org.jspecify.annotations.Nullable;

/**
 * Which cells of a cluster belong to whom.
 *
 * <p>A queue owns a number of cells of each {@link Shape}, but no particular ones. A cell becomes the queue's when a job of the queue starts
 * in it, and remains so as long as one runs there. At any time cells are set aside for all that queues own and do not use: the highest in
 * the tree first, each where no cell of another queue and no bad GPU is inside. So whatever runs outside, a queue can be given any of its
 * cells at once, if those may be evicted who run there by chance.
 *
 * <p>Where bad GPUs leave too few cells, queues come in the order of their priority, then of their age, then of their names, and each is
 * promised what is left by those before it: its larger cells first.
 *
 * <p>To set cells aside costs O(levels x GPUs). That is exact where domains of a level are equally large; where they are not, the smallest
 * that suffices is taken. After HiveD (Zhao et al., OSDI 2020), which keeps lists of free buddies for the same purpose. Not thread-safe.
 */
public final class Guarantees {
    private static final int FREE = -1;
    private static final int BAD = -2;

    private final Map<String, Territory> territories = new LinkedHashMap<>();

    /** The queues that own cells, by the rule for when there are too few. */
    private final List<Owner> owners = new ArrayList<>();

    /** The cells of one GPU model, and for each GPU whose it is, and whether somebody is there who may be evicted. */
    private static final class Territory {
        final CellTree tree;
        final int[] owner;
        final boolean[] isBusy;

        Territory(CellTree tree) {
            this.tree = tree;
            owner = new int[tree.size()];
            isBusy = new boolean[tree.size()];
            Arrays.fill(owner, FREE);
        }

        List<String> badNodes() {
            Set<String> bad = new TreeSet<>();
            for (int gpu = 0; gpu < owner.length; gpu++) {
                if (owner[gpu] == BAD) {
                    bad.add(tree.node(gpu));
                }
            }
            return List.copyOf(bad);
        }
    }

    /** What a queue owns of one shape, and which cells it uses. */
    private static final class Holding {
        final Shape shape;
        final Set<Cell> used = new LinkedHashSet<>();

        Holding(Shape shape) {
            this.shape = shape;
        }

        int unused() {
            return shape.count() - used.size();
        }
    }

    private static final class Owner {
        final Queue queue;
        final int number;
        final List<Holding> holdings;

        Owner(Queue queue, int number) {
            this.queue = queue;
            this.number = number;
            holdings = queue.shapes().stream().map(Holding::new).toList();
        }
    }

    /** A number of cells that an owner is to be promised. */
    private record Claim(Owner owner, Holding holding, int count) {
        Claim with(int value) {
            return new Claim(owner, holding, value);
        }
    }

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
                territories.computeIfAbsent(shape.model(), model -> new Territory(new CellTree(cluster, model)));
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
        Territory territory = territoryOf(node, gpu);
        int number = territory == null ? -1 : territory.tree.number(node, gpu);
        if (territory != null && territory.owner[number] == FREE) {
            territory.owner[number] = BAD;
        }
    }

    private @Nullable Territory territoryOf(String node, int gpu) {
        for (Territory territory : territories.values()) {
            if (territory.tree.number(node, gpu) >= 0) {
                return territory;
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
     * A job of a queue runs in these cells as of right.
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
            Territory territory = territory(cell);
            for (int gpu = cell.from(); gpu < cell.to(); gpu++) {
                territory.owner[gpu] = owner.number;
            }
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
        Territory territory = territories.get(id.model());
        Cell cell = territory == null ? null : territory.tree.cell(id);
        if (territory == null || cell == null) {
            return false;
        }
        if (isUsed(owner, cell)) {
            return true;
        }
        for (int gpu = cell.from(); gpu < cell.to(); gpu++) {
            if (territory.owner[gpu] >= 0) {
                return false;
            }
        }
        boolean overlaps = taken.keySet().stream()
                .anyMatch(
                        other -> territory(other) == territory && other.from() < cell.to() && cell.from() < other.to());
        return !overlaps && take(owner, cell, taken);
    }

    private Territory territory(Cell cell) {
        return territory(cell.id().model());
    }

    private Territory territory(String model) {
        return Objects.requireNonNull(territories.get(model), "territory");
    }

    /** Something runs there that stays: a cell with such a GPU is nobody's, unless a queue uses it already. */
    public void block(Placement placement, Cluster cluster) {
        gpus(placement, cluster).forEach(gpu -> setBad(placement.node(), gpu));
    }

    /** Something runs there that may be evicted: other cells are taken first. */
    public void occupy(Placement placement, Cluster cluster) {
        for (int gpu : gpus(placement, cluster)) {
            Territory territory = territoryOf(placement.node(), gpu);
            if (territory != null) {
                territory.isBusy[territory.tree.number(placement.node(), gpu)] = true;
            }
        }
    }

    private static List<Integer> gpus(Placement placement, Cluster cluster) {
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
        List<int[]> before = territories.values().stream()
                .map(territory -> territory.owner.clone())
                .toList();
        List<Claim> promised = claims(promised());
        placements.forEach(placement -> block(placement, cluster));
        boolean may = setAside(promised, null) != null;
        int i = 0;
        for (Territory territory : territories.values()) {
            int[] owner = before.get(i++);
            System.arraycopy(owner, 0, territory.owner, 0, owner.length);
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
                    Territory territory = territory(holding.shape.model());
                    shortfalls.add(new Shortfall(owner.queue.name(), holding.shape, missing, territory.badNodes()));
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
        return territory(shape.model()).tree.of(shape);
    }

    /**
     * Sets cells aside for all claims, the highest in the tree first.
     *
     * @param first chooses before others of the same level, cells where the fewest run; the others get those that are left with the most
     * @return the cells of the first; null if there are too few for somebody
     */
    private @Nullable List<Cell> setAside(List<Claim> claims, @Nullable Owner first) {
        Map<Territory, boolean[]> taken = new HashMap<>();
        for (Territory territory : territories.values()) {
            boolean[] none = new boolean[territory.owner.length];
            for (int gpu = 0; gpu < none.length; gpu++) {
                none[gpu] = territory.owner[gpu] != FREE;
            }
            taken.put(territory, none);
        }
        List<Claim> order = new ArrayList<>(claims);
        order.sort(Comparator.comparingInt((Claim claim) -> rank(claim.holding()))
                .thenComparingInt(claim -> -claim.holding().shape.size())
                .thenComparing(claim -> claim.owner() != first));
        List<Cell> own = new ArrayList<>();
        for (Claim claim : order) {
            boolean isFirst = claim.owner() == first;
            Territory territory = territory(claim.holding().shape.model());
            boolean[] none = taken.getOrDefault(territory, new boolean[0]);
            List<Cell> free = claim.count() == 0
                    ? List.of()
                    : free(cellsOf(claim.holding().shape), none, territory.isBusy, isFirst);
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

    /** The cells of which nothing is taken: the smallest first; where the fewest or the most run; those whose neighbours are taken. */
    private static List<Cell> free(List<Cell> cells, boolean[] taken, boolean[] isBusy, boolean isFewest) {
        List<Cell> free = new ArrayList<>();
        Map<Cell, Integer> cost = new HashMap<>();
        Map<Cell, Boolean> isWhole = new HashMap<>();
        for (Cell cell : cells) {
            if (!isAny(taken, cell)) {
                free.add(cell);
                int busy = count(isBusy, cell);
                cost.put(cell, isFewest ? busy : -busy);
                Cell parent = cell.parent();
                isWhole.put(cell, parent != null && !isAny(taken, parent));
            }
        }
        free.sort(Comparator.comparingInt(Cell::size).thenComparing(cost::get).thenComparing(isWhole::get));
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

    private static int count(boolean[] flags, Cell cell) {
        int count = 0;
        for (int gpu = cell.from(); gpu < cell.to(); gpu++) {
            count += flags[gpu] ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns where jobs of a queue may run as of right: the cells that it uses, then with the smallest of those that it is promised, then
     * with the next larger, and so on to all. Empty if the queue owns none.
     *
     * @param gpus how many GPUs each pod takes at least; new blocks that have fewer are left out
     */
    public List<Region> regions(String queue, int gpus) {
        Owner owner = find(queue);
        List<Cell> promised = owner == null ? null : setAside(claims(promised()), owner);
        List<Region> regions = new ArrayList<>();
        if (owner == null || promised == null) {
            return regions;
        }
        List<Cell> cells = new ArrayList<>();
        owner.holdings.forEach(holding -> cells.addAll(holding.used));
        TreeMap<Integer, List<Cell>> smallestFirst = new TreeMap<>(Comparator.reverseOrder());
        promised.stream()
                .filter(cell -> !cell.id().level().equals(Shape.GPU) || cell.size() >= gpus)
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

    private Region region(List<Cell> cells) {
        Map<String, Map<Integer, ShapeCell>> gpus = new LinkedHashMap<>();
        for (Cell cell : cells) {
            CellTree tree = territory(cell).tree;
            for (int gpu = cell.from(); gpu < cell.to(); gpu++) {
                gpus.computeIfAbsent(tree.node(gpu), node -> new HashMap<>()).put(tree.indexInNode(gpu), cell.id());
            }
        }
        return new Region(gpus);
    }

    /**
     * Looks whether what runs already may run there as of right, without taking anything from another queue.
     *
     * @return the cells, the smallest that suffice, which are the queue's from now on; empty if there are none
     */
    public Set<ShapeCell> adopt(String queue, Collection<Placement> placements, Cluster cluster) {
        Owner owner = find(queue);
        Set<ShapeCell> cells = new LinkedHashSet<>();
        if (owner == null) {
            return cells;
        }
        Map<Holding, Integer> more = new HashMap<>();
        for (Placement placement : placements) {
            List<Integer> gpus = gpus(placement, cluster);
            Cell all = gpus.isEmpty() ? null : covering(owner, placement.node(), gpus, cells, more);
            if (all != null) {
                cells.add(all.id());
                continue;
            }
            for (int gpu : gpus) {
                Cell cell = covering(owner, placement.node(), List.of(gpu), cells, more);
                if (cell == null) {
                    return Set.of();
                }
                cells.add(cell.id());
            }
        }
        List<Claim> before = cells.isEmpty() ? List.of() : claims(promised());
        return cells.isEmpty() || !use(queue, cells) ? Set.of() : kept(owner, cells, before);
    }

    /** The cell around GPUs of a node that the owner uses or has chosen, else the smallest that it may take. */
    private @Nullable Cell covering(
            Owner owner, String node, List<Integer> gpus, Set<ShapeCell> chosen, Map<Holding, Integer> more) {
        Territory territory = territoryOf(node, gpus.get(0));
        if (territory == null) {
            return null;
        }
        List<Cell> around = new ArrayList<>();
        for (Cell at = territory.tree.smallest(territory.tree.number(node, gpus.get(0)));
                at != null;
                at = at.parent()) {
            Cell cell = at;
            if (gpus.stream().allMatch(gpu -> isIn(cell, territory.tree.number(node, gpu)))) {
                around.add(cell);
            }
        }
        for (Cell cell : around) {
            if (chosen.contains(cell.id()) || isUsed(owner, cell)) {
                return cell;
            }
        }
        for (Cell cell : around) {
            for (Holding holding : owner.holdings) {
                boolean isLeft = holding.unused() > more.getOrDefault(holding, 0);
                if (isLeft && CellTree.isOf(cell, holding.shape) && isFree(territory, cell)) {
                    more.merge(holding, 1, Integer::sum);
                    return cell;
                }
            }
        }
        return null;
    }

    private static boolean isIn(Cell cell, int number) {
        return cell.from() <= number && number < cell.to();
    }

    private static boolean isUsed(Owner owner, Cell cell) {
        return owner.holdings.stream().anyMatch(holding -> holding.used.contains(cell));
    }

    private static boolean isFree(Territory territory, Cell cell) {
        for (int gpu = cell.from(); gpu < cell.to(); gpu++) {
            if (territory.owner[gpu] != FREE) {
                return false;
            }
        }
        return true;
    }

    /** Gives cells back if somebody is promised less than before because of them. */
    private Set<ShapeCell> kept(Owner owner, Set<ShapeCell> cells, List<Claim> before) {
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
                if (cells.contains(cell.id())) {
                    holding.used.remove(cell);
                    Arrays.fill(territory(cell).owner, cell.from(), cell.to(), FREE);
                }
            }
        }
        return Set.of();
    }
}
