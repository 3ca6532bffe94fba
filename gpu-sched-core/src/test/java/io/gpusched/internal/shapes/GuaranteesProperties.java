package io.gpusched.internal.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.Shape;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Small trees of cells, compared with trying every choice of cells. */
class GuaranteesProperties {
    private static final String MODEL = "H100";

    /** A cluster of racks of two nodes of four GPUs, and what two queues own of it. */
    private static final class World {
        final Random random;
        Cluster cluster;
        final List<Queue> queues = new ArrayList<>();
        final Map<ShapeCell, String> used = new LinkedHashMap<>();

        World(long seed) {
            random = new Random(seed);
            cluster = GuaranteesTest.racks(1 + random.nextInt(2), 2, 4);
            for (String name : List.of("a", "b")) {
                Queue.Builder queue = Queue.builder(name).priority(random.nextInt(2));
                for (int i = random.nextInt(3); i >= 0; i--) {
                    queue.shape(shape());
                }
                queues.add(queue.build());
            }
        }

        private Shape shape() {
            int count = 1 + random.nextInt(2);
            return switch (random.nextInt(4)) {
                case 0 -> Shape.domains(1, "rack", 2, MODEL);
                case 1 -> Shape.nodes(1 + random.nextInt(2), MODEL);
                case 2 -> Shape.gpus(count, 2, MODEL);
                default -> Shape.gpus(count, 1, MODEL);
            };
        }

        void breakSome() {
            for (NodeState node : cluster.nodes()) {
                if (random.nextInt(3) == 0) {
                    cluster = cluster.withGpuHealth(node.name(), random.nextInt(4), false);
                }
            }
        }

        Guarantees guarantees() {
            Guarantees guarantees = Guarantees.of(cluster, QueueTree.of(queues));
            for (Queue queue : queues) {
                List<ShapeCell> own = used.keySet().stream()
                        .filter(cell -> queue.name().equals(used.get(cell)))
                        .toList();
                assertThat(own.isEmpty() || guarantees.use(queue.name(), own)).isTrue();
            }
            return guarantees;
        }
    }

    @Property(tries = 300)
    void nothingIsMissing_exactlyIfSomeChoiceOfCellsGivesEverybodyHisOwn(@ForAll long seed) {
        World world = new World(seed);
        world.breakSome();
        List<Shape> owned = new ArrayList<>();
        for (Queue queue : world.queues) {
            for (Shape shape : queue.shapes()) {
                for (int i = 0; i < shape.count(); i++) {
                    owned.add(shape);
                }
            }
        }
        assertThat(world.guarantees().shortfalls().isEmpty())
                .isEqualTo(isPossible(world.cluster, owned, new TreeSet<>()));
    }

    private static boolean isPossible(Cluster cluster, List<Shape> owned, Set<String> taken) {
        if (owned.isEmpty()) {
            return true;
        }
        Shape shape = owned.get(0);
        for (List<String> cell : cells(cluster, shape)) {
            boolean isFree =
                    cell.stream().noneMatch(taken::contains) && cell.stream().allMatch(gpu -> isHealthy(cluster, gpu));
            if (isFree) {
                taken.addAll(cell);
                boolean found = isPossible(cluster, owned.subList(1, owned.size()), taken);
                cell.forEach(taken::remove);
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    @Property(tries = 400)
    void aQueueIsPromisedACellOnNodesThatItMayUse_exactlyIfSomeChoiceOfCellsHasOne(@ForAll long seed) {
        World world = new World(seed);
        world.breakSome();
        if (!world.guarantees().shortfalls().isEmpty()) {
            return;
        }
        Set<String> usable = new TreeSet<>();
        world.cluster.nodes().stream()
                .filter(node -> world.random.nextInt(3) == 0)
                .forEach(node -> usable.add(node.name()));
        for (Queue queue : world.queues) {
            List<Region> regions = world.guarantees().regions(queue.name(), 1, usable::contains);

            assertThat(usable.stream().anyMatch(regions.get(regions.size() - 1)::touches))
                    .isEqualTo(isPossible(world, queue, usable));
        }
    }

    /** Whether everybody can be given his own so that one of a queue's cells is on one of these nodes. */
    private static boolean isPossible(World world, Queue queue, Set<String> usable) {
        for (Shape one : queue.shapes()) {
            List<Shape> others = new ArrayList<>();
            world.queues.forEach(any -> any.shapes().forEach(shape -> {
                int count = shape.count() - (any == queue && shape == one ? 1 : 0);
                others.addAll(Collections.nCopies(count, shape));
            }));
            for (List<String> cell : cells(world.cluster, one)) {
                boolean isIn = cell.stream().anyMatch(gpu -> usable.contains(gpu.split("/")[0]));
                boolean isWhole = cell.stream().allMatch(gpu -> isHealthy(world.cluster, gpu));
                if (isIn && isWhole && isPossible(world.cluster, others, new TreeSet<>(cell))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isHealthy(Cluster cluster, String gpu) {
        String[] parts = gpu.split("/");
        return cluster.node(parts[0]).orElseThrow().isHealthy(Integer.parseInt(parts[1]));
    }

    /** The cells of a shape as lists of node/gpu. */
    private static List<List<String>> cells(Cluster cluster, Shape shape) {
        Map<String, List<String>> cells = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            for (int gpu = 0; gpu < 4; gpu++) {
                String key = switch (shape.level()) {
                    case Shape.GPU -> node.name() + ":" + gpu / shape.size();
                    case Shape.NODE -> node.name();
                    default -> node.node().topology().toString();
                };
                cells.computeIfAbsent(key, name -> new ArrayList<>()).add(node.name() + "/" + gpu);
            }
        }
        return List.copyOf(cells.values());
    }

    @Property(tries = 300)
    void cellsThatComeAndGo_leaveEverybodyAllThatIsPromised(@ForAll long seed) {
        World world = new World(seed);
        if (!world.guarantees().shortfalls().isEmpty()) {
            return;
        }
        for (int step = 0; step < 20; step++) {
            Guarantees guarantees = world.guarantees();
            assertThat(guarantees.shortfalls()).isEmpty();
            Queue queue = world.queues.get(world.random.nextInt(2));
            List<Region> regions = guarantees.regions(queue.name(), 1, node -> true);
            assertThat(gpus(regions)).isEqualTo(owned(queue));
            if (world.random.nextInt(3) > 0) {
                Set<ShapeCell> cells = new TreeSet<>(Comparator.comparing(ShapeCell::toString));
                regions.get(regions.size() - 1).gpus().values().forEach(own -> cells.addAll(own.values()));
                List<ShapeCell> all = List.copyOf(cells);
                world.used.put(all.get(world.random.nextInt(all.size())), queue.name());
            } else if (!world.used.isEmpty()) {
                List<ShapeCell> all = List.copyOf(world.used.keySet());
                world.used.remove(all.get(world.random.nextInt(all.size())));
            }
        }
    }

    private static int gpus(List<Region> regions) {
        return regions.get(regions.size() - 1).gpus().values().stream()
                .mapToInt(Map::size)
                .sum();
    }

    private static int owned(Queue queue) {
        return queue.shapes().stream()
                .mapToInt(shape -> shape.count()
                        * (shape.level().equals(Shape.GPU)
                                ? shape.size()
                                : shape.level().equals(Shape.NODE) ? 4 : 8))
                .sum();
    }
}
