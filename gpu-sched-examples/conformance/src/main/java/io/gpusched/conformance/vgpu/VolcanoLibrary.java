package io.gpusched.conformance.vgpu;

import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.emulation.VolcanoGreedy;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the library answers to a pod of Volcano on one node: Volcano's dialect and the scheduler. Volcano itself never looks
 * back; where it refuses a pod of several containers that fits, the emulation of its own way is asked
 * ({@link VolcanoGreedy}).
 *
 * @param policy the plugin's policy
 * @param annotations the pod's
 * @param gpus the node's GPUs
 */
record VolcanoLibrary(VolcanoPolicy policy, Map<String, String> annotations, List<VgpuDevice> gpus) {

    /**
     * An answer.
     *
     * @param onNode what happens to the pod on the node
     * @param byEmulation whether the emulation gave it
     */
    record Choice(VolcanoGreedy.OnNode onNode, boolean byEmulation) {}

    /** Returns the library's answer; the emulation's only for sharing modes and for what Volcano refuses though it fits. */
    Choice place(List<Optional<VgpuRequest>> containers) {
        VolcanoPodRules rules = VolcanoPodRules.of("default", annotations);
        VolcanoGreedy.OnNode greedy = VolcanoGreedy.of(policy, rules, Map.of()).place("node", gpus, containers);
        if (rules.mode().isPresent() || !VgpuFixture.canShow(gpus)) {
            return new Choice(greedy, true);
        }
        VolcanoGreedy.OnNode exact = exact(containers);
        boolean several = containers.stream().flatMap(Optional::stream).count() > 1;
        if (exact.fits() && !greedy.fits() && several) {
            return new Choice(greedy, true);
        }
        List<List<VgpuShare>> inOrder = VgpuJson.inOrderOf(withGpus(greedy), withGpus(exact));
        return new Choice(new VolcanoGreedy.OnNode(inOrder, exact.score(), gpus, exact.refusal()), false);
    }

    /** Volcano leaves out containers that ask for no GPU. */
    private static List<List<VgpuShare>> withGpus(VolcanoGreedy.OnNode placed) {
        return placed.containers().stream().filter(shares -> !shares.isEmpty()).toList();
    }

    private VolcanoGreedy.OnNode exact(List<Optional<VgpuRequest>> requests) {
        PodManifest pod = pod("pod", annotations, requests);
        VolcanoDialect dialect = VolcanoDialect.of(policy);
        Cluster cluster = VgpuFixture.of(Node.builder("node").build(), gpus);
        Optional<Placement> placed =
                NodeFixture.placement(DialectScheduler.of(dialect).schedule(cluster, pod));
        if (placed.isEmpty()) {
            return new VolcanoGreedy.OnNode(List.of(), 0, gpus, dialect.refusal(cluster.node(0), pod));
        }
        String devices = dialect.write(pod, cluster.node(0).node(), placed.get())
                .annotations()
                .getOrDefault("volcano.sh/vgpu-ids-new", "");
        List<List<VgpuShare>> shares = VgpuCodec.decode(devices);
        double score = shares.stream()
                .flatMap(List::stream)
                .mapToDouble(share -> policy.score(after(share)))
                .sum();
        return new VolcanoGreedy.OnNode(shares, score, gpus, "");
    }

    private VgpuDevice after(VgpuShare share) {
        return gpus.stream()
                .filter(gpu -> gpu.id().equals(share.gpu()))
                .findFirst()
                .orElseThrow()
                .plus(share);
    }

    /** Returns a pod in Volcano's words. */
    static PodManifest pod(String name, Map<String, String> annotations, List<Optional<VgpuRequest>> requests) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (Optional<VgpuRequest> request : requests) {
            containers.add(ContainerManifest.limits(
                    "c" + containers.size(), request.map(VolcanoLibrary::limits).orElse(Map.of())));
        }
        return new PodManifest(PodId.of(name), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
    }

    private static Map<String, String> limits(VgpuRequest asked) {
        Map<String, String> limits = new LinkedHashMap<>();
        limits.put("volcano.sh/vgpu-number", Integer.toString(asked.count()));
        limits.put("volcano.sh/vgpu-cores", Long.toString(asked.cores()));
        if (asked.memoryMib() > 0) {
            limits.put("volcano.sh/vgpu-memory", Long.toString(asked.memoryMib()));
        }
        asked.memoryPercent()
                .ifPresent(percent -> limits.put("volcano.sh/vgpu-memory-percentage", Integer.toString(percent)));
        return limits;
    }
}
