package io.gpusched.conformance.hived;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Topology;
import io.gpusched.workload.Queue;
import io.gpusched.workload.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A configuration of HiveD as nodes and queues. A chain becomes a GPU model, so that cells of one chain are cells of one model; so does each
 * pinned cell, which a queue of its own has. GPUs have HiveD's order, by which neighbours are buddies.
 */
final class HivedConfig {
    private record Kind(String child, int count, boolean isNode) {}

    private final Map<String, Kind> kinds = new HashMap<>();
    private final Map<String, Node.Builder> nodes = new LinkedHashMap<>();
    private final Map<String, List<String>> gpus = new HashMap<>();
    private final Map<String, Shape> pinned = new LinkedHashMap<>();
    private final Map<String, Set<String>> modelsOfLeaf = new HashMap<>();
    private final YamlNode clusters;

    HivedConfig(YamlNode config) {
        config.need("cellTypes")
                .map()
                .forEach((name, type) -> kinds.put(
                        name,
                        new Kind(
                                type.need("child").text(),
                                type.need("count").integer(),
                                type.at("isNode").isTrueOr(false))));
        clusters = config.need("virtualClusters");
        int number = 0;
        for (YamlNode cell : config.need("physicalCells").list()) {
            addCell(cell, cell.need("cellType").text(), "", List.of(), number++);
        }
    }

    private void addCell(YamlNode cell, String chain, String pin, List<String> path, int number) {
        String type = cell.need("cellType").text();
        String ownPin = cell.at("pinnedCellId").textOr(pin);
        String model = model(chain, ownPin);
        if (!ownPin.equals(pin)) {
            pinned.put(ownPin, shape(type, 1, model));
        }
        if (cell.has("node")) {
            addNode(cell, chain, model, path);
            return;
        }
        List<String> longer = new ArrayList<>(path);
        longer.add(type);
        longer.add(String.format("%03d", number));
        int child = 0;
        for (YamlNode part : cell.need("children").list()) {
            addCell(part, chain, ownPin, longer, child++);
        }
    }

    private void addNode(YamlNode cell, String chain, String model, List<String> path) {
        String name = cell.need("node").text();
        Node.Builder node = nodes.computeIfAbsent(
                name, key -> Node.builder(key).capacity(1_000_000, 1_000_000).label("name", key));
        if (!path.isEmpty()) {
            node.topology(Topology.of(path.toArray(String[]::new)));
        }
        List<String> own = gpus.computeIfAbsent(name, key -> new ArrayList<>());
        for (String leaf : cell.need("leafCells").textList()) {
            YamlNode pin = cell.at("pinnedLeafCells").at(leaf);
            String leafModel = pin.isPresent() ? model(chain, pin.text()) : model;
            if (pin.isPresent()) {
                pinned.put(pin.text(), Shape.gpus(1, 1, leafModel));
            }
            modelsOfLeaf
                    .computeIfAbsent(leafType(chain), key -> new TreeSet<>())
                    .add(leafModel);
            node.gpu(Gpu.of(own.size(), name + "/" + leaf, GpuModel.of("any", leafModel, 1_000)));
            own.add(leaf);
        }
    }

    static String model(String chain, String pin) {
        return pin.isEmpty() ? chain : chain + " " + pin;
    }

    private String leafType(String type) {
        Kind kind = kinds.get(type);
        return kind == null ? type : leafType(kind.child());
    }

    private Shape shape(String type, int count, String model) {
        Kind kind = kinds.get(type);
        if (kind == null) {
            return Shape.gpus(count, 1, model);
        }
        if (kind.isNode()) {
            return new Shape(count, Shape.NODE, leavesIn(type), model);
        }
        int nodes = nodesIn(type);
        return nodes > 0 ? Shape.domains(count, type, nodes, model) : Shape.gpus(count, leavesIn(type), model);
    }

    /** How many nodes are in a cell; 0 if it is smaller than a node. */
    private int nodesIn(String type) {
        Kind kind = kinds.get(type);
        if (kind == null) {
            return 0;
        }
        return kind.isNode() ? 1 : kind.count() * nodesIn(kind.child());
    }

    private int leavesIn(String type) {
        Kind kind = kinds.get(type);
        return kind == null ? 1 : kind.count() * leavesIn(kind.child());
    }

    List<Node> nodes() {
        return nodes.values().stream().map(Node.Builder::build).toList();
    }

    /** The queues: one of each virtual cluster, and one of each of its pinned cells. */
    List<Queue> queues() {
        List<Queue> queues = new ArrayList<>();
        clusters.map().forEach((name, cluster) -> {
            Queue.Builder queue = Queue.builder(name);
            for (YamlNode cell : cluster.need("virtualCells").list()) {
                String[] path = cell.need("cellType").text().split("\\.", -1);
                queue.shape(shape(path[path.length - 1], cell.need("count").integer(), path[0]));
            }
            queues.add(queue.build());
            for (String pin : cluster.need("pinnedCells").textList()) {
                queues.add(Queue.builder(pinnedQueue(name, pin))
                        .shape(Objects.requireNonNull(pinned.get(pin), pin))
                        .build());
            }
        });
        return queues;
    }

    static String pinnedQueue(String cluster, String pin) {
        return pin.isEmpty() ? cluster : cluster + "/" + pin;
    }

    boolean hasCluster(String name) {
        return clusters.has(name);
    }

    /** The number of a leaf cell among the GPUs of a node; -1 if it is no longer there. */
    int gpu(String node, String leaf) {
        return gpus.getOrDefault(node, List.of()).indexOf(leaf);
    }

    /** The models with GPUs of a leaf type, or of any. */
    Set<String> models(String leafType) {
        Set<String> models = new TreeSet<>();
        modelsOfLeaf.forEach((type, own) -> {
            if (leafType.isEmpty() || type.equals(leafType)) {
                models.addAll(own);
            }
        });
        return models;
    }
}
