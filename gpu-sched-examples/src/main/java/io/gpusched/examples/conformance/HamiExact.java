package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.HamiDialect;
import io.gpusched.dialect.HamiGreedy;
import io.gpusched.dialect.HamiNode;
import io.gpusched.dialect.HamiScores;
import io.gpusched.dialect.HamiSettings;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.VgpuCodec;
import io.gpusched.dialect.VgpuRequest;
import io.gpusched.dialect.VgpuSnapshot;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the library answers where HAMi's own rule is a documented defect: the dialect, which places exactly. */
final class HamiExact {
    private HamiExact() {}

    /** Returns the answer for one container, as a case of one container words it. */
    static JsonNode place(HamiNode node, Map<String, String> annotations, VgpuRequest request) {
        return HamiFitKinds.answer(place(node, annotations, List.of(), List.of(Optional.of(request))));
    }

    /** Returns the answer for a pod. */
    static HamiGreedy.OnNode place(
            HamiNode node,
            Map<String, String> annotations,
            List<Optional<VgpuRequest>> init,
            List<Optional<VgpuRequest>> apps) {
        List<ContainerManifest> containers = new ArrayList<>();
        init.forEach(request -> containers.add(container("init-" + containers.size(), true, request)));
        apps.forEach(request -> containers.add(container("app-" + containers.size(), false, request)));
        PodManifest pod =
                new PodManifest(PodId.of("pod"), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
        Cluster cluster = VgpuSnapshot.of(Node.builder(node.name()).build(), node.gpus());
        HamiDialect dialect = HamiDialect.of(HamiSettings.DEFAULT).withTopology(node.topology());
        Decision decision = dialect.schedule(cluster, pod);
        double score = HamiScores.node(node.gpus());
        if (decision instanceof Placed placed) {
            Node machine = cluster.node(0).node();
            String devices = dialect.write(pod, machine, placed.placement())
                    .annotations()
                    .get("hami.io/vgpu-devices-to-allocate");
            return new HamiGreedy.OnNode(node.name(), score, VgpuCodec.decode(String.valueOf(devices)), "");
        }
        String refusal = dialect.refusals(cluster, pod).getOrDefault(node.name(), decision.toString());
        return new HamiGreedy.OnNode(node.name(), score, List.of(), refusal);
    }

    private static ContainerManifest container(String name, boolean init, Optional<VgpuRequest> request) {
        Map<String, String> limits = new LinkedHashMap<>();
        request.ifPresent(asked -> {
            limits.put("nvidia.com/gpu", Integer.toString(asked.count()));
            limits.put("nvidia.com/gpucores", Long.toString(Math.min(100, asked.cores())));
            if (asked.memoryMib() > 0) {
                limits.put("nvidia.com/gpumem", Long.toString(asked.memoryMib()));
            }
            asked.memoryPercent()
                    .ifPresent(percent -> limits.put("nvidia.com/gpumem-percentage", Integer.toString(percent)));
        });
        return new ContainerManifest(name, init, Map.of(), limits);
    }
}
