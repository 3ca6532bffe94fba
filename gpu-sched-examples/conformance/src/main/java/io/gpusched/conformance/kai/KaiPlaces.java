package io.gpusched.conformance.kai;

import io.gpusched.conformance.VectorCase;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts what runs at the beginning of a case where the case says: tasks with the same GPU label share a GPU of their node. */
final class KaiPlaces {
    private final GpuScheduler scheduler = GpuScheduler.create();
    private final Map<String, Map<String, Integer>> gpus = new HashMap<>();
    private final VectorCase vector;
    private final Map<String, YamlNode> listed = new HashMap<>();
    private Cluster cluster;

    private KaiPlaces(VectorCase vector, Cluster empty) {
        this.vector = vector;
        this.cluster = empty;
        for (YamlNode job : vector.field("jobs").list()) {
            job.need("tasks")
                    .list()
                    .forEach(task -> listed.put(task.need("name").text(), task));
        }
    }

    /** Places all tasks that run or end; those that share a GPU first, for they name it. */
    static void fill(VectorCase vector, Cluster empty, List<KaiJob> jobs) {
        KaiPlaces places = new KaiPlaces(vector, empty);
        for (boolean shares : new boolean[] {true, false}) {
            for (KaiJob job : jobs) {
                for (KaiTask task : job.tasks) {
                    if (task.holds() && places.says(task).has("gpuGroups") == shares) {
                        places.place(task);
                    }
                }
            }
        }
        for (KaiJob job : jobs) {
            for (KaiTask task : job.tasks) {
                if (task.status == KaiTask.Status.NOMINATED) {
                    task.place = places.at(task, task.pod);
                }
            }
        }
    }

    private YamlNode says(KaiTask task) {
        return listed.getOrDefault(task.name, vector.field("jobs"));
    }

    private void place(KaiTask task) {
        YamlNode says = says(task);
        Set<String> uuids = new LinkedHashSet<>();
        String node = says.need("node").text();
        for (YamlNode label : says.at("gpuGroups").list()) {
            uuids.add(KaiNodes.uuid(node, gpu(node, label.text())));
        }
        Placement place = at(task, uuids.isEmpty() ? task.pod : restricted(task.pod, uuids));
        task.place =
                new Placement(task.pod.id(), node, place.resources(), place.containers()).withSpec(task.pod.spec());
        cluster = cluster.with(task.place);
    }

    private Placement at(KaiTask task, Pod pod) {
        NodeState node = cluster.node(says(task).need("node").text())
                .orElseThrow(() -> says(task).error("names a node that does not exist"));
        return scheduler.place(node, pod).orElseThrow(() -> says(task).error("does not fit where it runs"));
    }

    /** A label that is a number names that GPU, if it is free; another one takes the first that no label names. */
    private int gpu(String node, String label) {
        Map<String, Integer> named = gpus.computeIfAbsent(node, any -> new HashMap<>());
        return named.computeIfAbsent(label, any -> {
            Set<Integer> taken = new HashSet<>(named.values());
            int gpu = label.matches("\\d") ? Integer.parseInt(label) : 0;
            int count = cluster.node(node).orElseThrow().node().gpus().size();
            while (gpu >= count || taken.contains(gpu)) {
                gpu = gpu >= count ? 0 : gpu + 1;
            }
            return gpu;
        });
    }

    private static Pod restricted(Pod pod, Set<String> uuids) {
        Container container = pod.containers().get(0);
        GpuSelector these = GpuSelector.ANY.withAllowedUuids(uuids);
        GpuRequest request = container.gpu() instanceof GpuRequest.Share share
                ? share.withSelector(these)
                : container.gpu() instanceof GpuRequest.Exclusive whole
                        ? GpuRequest.exclusive(whole.count(), these)
                        : container.gpu();
        return pod.withContainers(
                List.of(new Container(container.name(), container.kind(), container.resources(), request)));
    }
}
