package io.gpusched.conformance.vgpu;

import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.emulation.HamiGreedy;
import io.gpusched.conformance.emulation.HamiNode;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the library answers to a pod of HAMi on one node: HAMi's dialect and the scheduler. HAMi itself never looks back
 * and so refuses some pods that fit; there the emulation of HAMi's own way is asked ({@link HamiGreedy}).
 *
 * @param node the node with its GPUs in order
 * @param annotations the pod's
 * @param init what init containers ask
 * @param apps what app containers ask
 * @param quota the namespace's quota
 */
record HamiLibrary(
        HamiNode node,
        Map<String, String> annotations,
        List<Optional<VgpuRequest>> init,
        List<Optional<VgpuRequest>> apps,
        HamiQuota quota) {
    private static final String TOGETHER = "each container would fit alone";

    /**
     * Whether the case can be said in manifests: NVIDIA's GPUs alone, with an amount of memory, and no sharing mode that is
     * asked for and stated.
     */
    private boolean isExpressible() {
        return all().stream()
                        .flatMap(Optional::stream)
                        .allMatch(request -> request.type().equals(VgpuRequest.NVIDIA)
                                && (request.memoryMib() > 0
                                        || request.memoryPercent().isPresent()))
                && node.gpus().stream()
                        .allMatch(gpu -> gpu.type().toUpperCase(Locale.ROOT).contains(VgpuRequest.NVIDIA)
                                && (gpu.mode().isEmpty() || !annotations.containsKey(HamiPodRules.MODE)))
                && VgpuFixture.canShow(node.gpus());
    }

    private List<Optional<VgpuRequest>> all() {
        List<Optional<VgpuRequest>> all = new ArrayList<>(init);
        all.addAll(apps);
        return all;
    }

    /**
     * An answer.
     *
     * @param onNode what happens to the pod on the node
     * @param byEmulation whether the emulation gave it
     */
    record Choice(HamiGreedy.OnNode onNode, boolean byEmulation) {}

    /**
     * Returns the library's answer. Only what cannot be said in manifests, what HAMi refuses though it fits, and the words
     * for a refusal between containers come from the emulation.
     */
    Choice place() {
        HamiGreedy.OnNode greedy =
                HamiGreedy.of(HamiPodRules.of(annotations), quota).place(node, init, apps);
        if (!isExpressible()) {
            return new Choice(greedy, true);
        }
        HamiGreedy.OnNode exact = exact();
        if (exact.fits()) {
            List<List<VgpuShare>> containers = VgpuJson.inOrderOf(greedy.containers(), exact.containers());
            return !greedy.fits() && mayGiveUp()
                    ? new Choice(greedy, true)
                    : new Choice(new HamiGreedy.OnNode(exact.node(), exact.score(), containers, ""), false);
        }
        // HAMi's words count what it met on its way: earlier containers' GPUs, runs of NUMA nodes, cordoned GPUs by
        // name
        return greedy.fits() || greedy.refusal().equals(exact.refusal())
                ? new Choice(exact, false)
                : new Choice(greedy, true);
    }

    /** HAMi goes from one container to the next, and over runs of GPUs of one NUMA node, without looking back. */
    private boolean mayGiveUp() {
        boolean several = all().stream().flatMap(Optional::stream).count() > 1;
        return several || HamiPodRules.of(annotations).numaBind();
    }

    /** Returns what dialect and scheduler answer, whatever HAMi itself does. */
    HamiGreedy.OnNode exact() {
        PodManifest pod = pod();
        HamiDialect dialect = HamiDialect.of(HamiSettings.DEFAULT)
                .withTopology(node.topology())
                .withQuota(quota);
        Cluster cluster = VgpuFixture.of(Node.builder(node.name()).build(), open());
        double score = HamiPodRules.fullness(node.gpus());
        if (DialectScheduler.of(dialect).schedule(cluster, pod) instanceof Placed placed) {
            String devices = dialect.write(pod, cluster.node(0).node(), placed.placement())
                    .annotations()
                    .getOrDefault("hami.io/vgpu-devices-to-allocate", "");
            return new HamiGreedy.OnNode(node.name(), score, VgpuCodec.decode(devices), "");
        }
        String words = dialect.refusal(cluster.node(0), pod);
        return new HamiGreedy.OnNode(node.name(), score, List.of(), words.isEmpty() ? TOGETHER : words);
    }

    /** Returns the node that dialect and scheduler take of these, which are asked the same; nothing if none has room. */
    static Optional<String> chooseNode(List<HamiLibrary> nodes) {
        Map<String, List<VgpuDevice>> gpus = new LinkedHashMap<>();
        Map<String, Map<String, Integer>> pairScores = new LinkedHashMap<>();
        nodes.forEach(one -> {
            gpus.put(one.node.name(), one.open());
            pairScores.putAll(one.node.topology().pairScores());
        });
        HamiDialect dialect = HamiDialect.of(HamiSettings.DEFAULT)
                .withTopology(new HamiTopology(pairScores))
                .withQuota(nodes.get(0).quota);
        return NodeFixture.placement(DialectScheduler.of(dialect)
                        .schedule(VgpuFixture.of(gpus), nodes.get(0).pod()))
                .map(Placement::node);
    }

    private List<VgpuDevice> open() {
        return node.gpus().stream()
                .map(gpu -> node.cordoned().contains(gpu.id()) ? gpu.withHealthy(false) : gpu)
                .toList();
    }

    private PodManifest pod() {
        List<ContainerManifest> containers = new ArrayList<>();
        init.forEach(request -> containers.add(container("init-" + containers.size(), ContainerKind.INIT, request)));
        apps.forEach(request -> containers.add(container("app-" + containers.size(), ContainerKind.ORDINARY, request)));
        // GPUs that state no sharing mode go with whatever is asked
        Map<String, String> said = new LinkedHashMap<>(annotations);
        said.remove(HamiPodRules.MODE);
        return new PodManifest(PodId.of("pod"), Map.of(), said, containers, NodeSelector.ANY, List.of());
    }

    private static ContainerManifest container(String name, ContainerKind kind, Optional<VgpuRequest> request) {
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
        return new ContainerManifest(name, kind, Map.of(), limits);
    }
}
