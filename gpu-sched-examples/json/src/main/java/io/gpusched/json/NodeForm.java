package io.gpusched.json;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A node as it is written: what it shares with others of its kind, and what is its own. Its labels are added to those of the kind.
 * UUIDs are left out where they are what the builder of nodes gives.
 */
record NodeForm(
        String name,
        Kind kind,
        Topology topology,
        Map<String, String> labels,
        List<String> uuids,
        List<Integer> unhealthyGpus,
        boolean cordoned,
        List<Placement> residents) {
    /** What nodes of one kind have in common. */
    record Kind(
            NodeMode mode,
            Resources capacity,
            int maxPods,
            Map<String, String> labels,
            List<Taint> taints,
            List<GpuForm> gpus,
            GpuLinks links) {
        /** Counts GPUs before any is made: a document may claim any number. */
        Kind {
            long count = gpus.stream().mapToLong(GpuForm::count).sum();
            if (gpus.stream().anyMatch(form -> form.count() < 1) || count > Node.MAX_GPUS) {
                throw new IllegalArgumentException(
                        "kind of node: the counts of its gpus must each be at least 1 and add up to"
                                + " at most " + Node.MAX_GPUS + ", got "
                                + gpus.stream().map(GpuForm::count).toList());
            }
        }

        Kind withLabels(Map<String, String> others) {
            return new Kind(mode, capacity, maxPods, others, taints, gpus, links);
        }
    }

    /** Returns a node that is written alone. */
    static NodeForm of(Node node) {
        return of(node, kind(node), Map.of());
    }

    /** A node among those of a cluster, and how it is written there. */
    record Among(NodeForm form, Node node) {}

    /** Returns nodes that are written together. */
    static List<Among> of(List<Node> nodes) {
        Map<Kind, Map<String, String>> common = new HashMap<>();
        List<Kind> kinds = nodes.stream().map(NodeForm::kind).toList();
        for (int i = 0; i < nodes.size(); i++) {
            Map<String, String> labels = nodes.get(i).labels();
            Map<String, String> sofar = common.get(kinds.get(i));
            if (sofar == null) {
                common.put(kinds.get(i), new HashMap<>(labels));
            } else {
                sofar.entrySet().retainAll(labels.entrySet());
            }
        }
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> new Among(
                        of(nodes.get(i), kinds.get(i), common.getOrDefault(kinds.get(i), Map.of())), nodes.get(i)))
                .toList();
    }

    private static Kind kind(Node node) {
        return new Kind(
                node.mode(),
                node.capacity(),
                node.maxPods(),
                Map.of(),
                node.taints(),
                GpuForm.of(node.gpus()),
                node.links());
    }

    private static NodeForm of(Node node, Kind kind, Map<String, String> common) {
        Map<String, String> own = new HashMap<>(node.labels());
        own.keySet().removeAll(common.keySet());
        List<String> uuids = node.gpus().stream().map(Gpu::uuid).toList();
        return new NodeForm(
                node.name(),
                kind.withLabels(common),
                node.topology(),
                own,
                uuids.equals(usualUuids(node.name(), uuids.size())) ? List.of() : uuids,
                node.gpus().stream()
                        .filter(gpu -> !gpu.healthy())
                        .map(Gpu::index)
                        .toList(),
                node.cordoned(),
                node.residents());
    }

    private static List<String> usualUuids(String name, int count) {
        return IntStream.range(0, count).mapToObj(gpu -> name + "-gpu-" + gpu).toList();
    }

    Node node() {
        Map<String, String> all = new HashMap<>(kind.labels());
        all.putAll(labels);
        return new Node(
                name,
                kind.mode(),
                kind.capacity(),
                kind.maxPods(),
                all,
                kind.taints(),
                topology,
                gpus(),
                kind.links(),
                cordoned,
                residents);
    }

    private List<Gpu> gpus() {
        int count = kind.gpus().stream().mapToInt(GpuForm::count).sum();
        List<String> names = uuids.isEmpty() ? usualUuids(name, count) : uuids;
        if (names.size() != count) {
            throw new IllegalArgumentException("node \"" + name + "\": number of uuids must be that of its gpus, "
                    + count + ", or 0, got " + names.size());
        }
        for (int gpu : unhealthyGpus) {
            if (gpu < 0 || gpu >= count) {
                throw new IllegalArgumentException(
                        "node \"" + name + "\": unhealthyGpus must be in 0.." + (count - 1) + ", got " + gpu);
            }
        }
        List<Gpu> all = new ArrayList<>();
        for (GpuForm form : kind.gpus()) {
            for (int i = 0; i < form.count(); i++) {
                int index = all.size();
                all.add(form.gpu(index, names.get(index), !unhealthyGpus.contains(index)));
            }
        }
        return all;
    }
}
