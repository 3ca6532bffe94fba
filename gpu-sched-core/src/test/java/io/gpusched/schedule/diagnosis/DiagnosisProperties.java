package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class DiagnosisProperties {
    @Property(tries = 2000)
    void diagnosis_refusedPod_countsEachNodeUnderTheReasonThatANaiveLookFinds(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(12);
        Pod pod = world.pod();

        if (GpuScheduler.create().schedule(cluster, pod) instanceof Unschedulable no) {
            Diagnosis diagnosis = no.diagnosis();

            Map<Code, Integer> expected = new EnumMap<>(Code.class);
            cluster.nodes().forEach(node -> expected.merge(classify(node, pod), 1, Integer::sum));
            Map<Code, Integer> counted = new EnumMap<>(Code.class);
            diagnosis.reasons().forEach(reason -> counted.put(reason.code(), reason.nodes()));
            assertThat(counted).as("%s for %s", cluster.nodes(), pod).isEqualTo(expected);
            assertThat(diagnosis.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(diagnosis.remedy().changes()).isNotEmpty();
            assertThat(diagnosis.reasons()).extracting(Reason::detail).allMatch(detail -> !detail.isBlank());
        }
    }

    @Property(tries = 1000)
    void couldFitLater_refusedPod_exactlyWhenItFitsTheClusterEmptyAndHealthy(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(6);
        Pod pod = world.pod();

        if (GpuScheduler.create().schedule(cluster, pod) instanceof Unschedulable no) {
            boolean fitsEmpty = cluster.nodes().stream()
                    .anyMatch(node -> !BruteForce.ways(emptied(node, true), pod).isEmpty());
            assertThat(no.couldFitLater()).isEqualTo(fitsEmpty);
        }
    }

    private static NodeState emptied(NodeState node, boolean healed) {
        Node machine = node.node().withCordoned(false);
        for (Gpu gpu : machine.gpus()) {
            machine = healed ? machine.withGpuHealth(gpu.index(), true) : machine;
        }
        return Cluster.of(List.of(machine)).node(0);
    }

    /** The reason by the words of {@link Code}, without a thought for speed. */
    private static Code classify(NodeState node, Pod pod) {
        Node machine = node.node();
        List<GpuRequest> requests = pod.containers().stream()
                .map(Container::gpu)
                .filter(request -> !(request instanceof GpuRequest.None))
                .toList();
        if (machine.cordoned() && !toleratesCordon(pod)) {
            return Code.CORDONED;
        }
        if (!BruteForce.isTolerated(node, pod)) {
            return Code.TAINT;
        }
        if (!pod.nodeSelector().matches(machine.labels())) {
            return Code.NODE_SELECTOR;
        }
        boolean shares = requests.stream().anyMatch(request -> request instanceof GpuRequest.Share);
        boolean whole = requests.stream().anyMatch(request -> !(request instanceof GpuRequest.Share));
        if (shares && !machine.mode().admitsShares() || whole && !machine.mode().admitsWhole()) {
            return Code.NODE_MODE;
        }
        if (machine.gpus().size() < needed(pod)) {
            return Code.TOO_FEW_GPUS;
        }
        for (GpuRequest request : requests) {
            long accepted =
                    machine.gpus().stream().filter(request.selector()::accepts).count();
            if (accepted
                    < (request instanceof GpuRequest.WholeNode ? machine.gpus().size() : count(request))) {
                return Code.GPU_SELECTOR;
            }
        }
        if (!pod.resources().fitsIn(machine.capacity()) || machine.maxPods() == 0) {
            return Code.NODE_TOO_SMALL;
        }
        if (BruteForce.ways(emptied(node, true), pod).isEmpty()) {
            return Code.GPU_TOO_SMALL;
        }
        if (BruteForce.ways(emptied(node, false), pod).isEmpty()) {
            return Code.GPU_UNHEALTHY;
        }
        return ofUse(node, pod, requests);
    }

    private static boolean toleratesCordon(Pod pod) {
        Taint cordon = Taint.noSchedule("node.kubernetes.io/unschedulable", "");
        return pod.tolerations().stream().anyMatch(toleration -> toleration.tolerates(cordon));
    }

    private static Code ofUse(NodeState node, Pod pod, List<GpuRequest> requests) {
        if (node.isHeldWhole()) {
            return Code.HELD_WHOLE;
        }
        if (node.podCount() >= node.node().maxPods()) {
            return Code.POD_LIMIT;
        }
        if (requests.stream().anyMatch(request -> request instanceof GpuRequest.WholeNode) && !node.isEmpty()) {
            return Code.NOT_EMPTY;
        }
        if (pod.resources().cpuMillis() > node.freeCpuMillis()) {
            return Code.CPU;
        }
        if (pod.resources().memoryMib() > node.freeMemoryMib()) {
            return Code.MEMORY;
        }
        if (pod.resources().named().names().stream()
                .anyMatch(name -> pod.resources().amount(name) > node.free(name))) {
            return Code.RESOURCE;
        }
        int together = 0;
        for (Container container : pod.containers()) {
            boolean exclusive = container.gpu() instanceof GpuRequest.Exclusive;
            together += exclusive && container.kind() != ContainerKind.INIT ? count(container.gpu()) : 0;
            if (exclusive && idle(node, container.gpu()) < count(container.gpu())) {
                return Code.IDLE_GPUS;
            }
        }
        if (node.idleGpus() < together) {
            return Code.IDLE_GPUS;
        }
        for (GpuRequest request : requests) {
            if (request instanceof GpuRequest.Share share && alone(node, share) < share.count()) {
                return Code.GPU_SHARE;
            }
        }
        return BruteForce.ways(node, pod).isEmpty() ? Code.GPU_LAYOUT : Code.GROUP;
    }

    private static int needed(Pod pod) {
        int whole = 0;
        int shared = 0;
        int sidecars = 0;
        int init = 0;
        for (Container container : pod.containers()) {
            int count = count(container.gpu());
            if (container.kind() == ContainerKind.INIT) {
                init = Math.max(init, sidecars + count);
            } else if (container.gpu() instanceof GpuRequest.Share) {
                shared = Math.max(shared, count);
            } else {
                whole += count;
                sidecars += container.kind() == ContainerKind.SIDECAR ? count : 0;
            }
        }
        return Math.max(init, whole + shared);
    }

    private static int count(GpuRequest request) {
        if (request instanceof GpuRequest.Exclusive exclusive) {
            return exclusive.count();
        }
        if (request instanceof GpuRequest.Share share) {
            return share.count();
        }
        return request instanceof GpuRequest.None ? 0 : 1;
    }

    private static long idle(NodeState node, GpuRequest request) {
        return node.node().gpus().stream()
                .filter(gpu -> node.isIdle(gpu.index()) && request.selector().accepts(gpu))
                .count();
    }

    private static long alone(NodeState node, GpuRequest.Share share) {
        return node.node().gpus().stream()
                .filter(gpu -> share.selector().accepts(gpu)
                        && node.freeComputeMillis(gpu.index()) >= share.computeMillis()
                        && node.freeMemoryMib(gpu.index()) >= share.memory().on(gpu.memoryMib())
                        && node.freeSlots(gpu.index()) >= share.slots())
                .count();
    }
}
