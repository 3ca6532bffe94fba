package io.gpusched.race;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.policy.LookAhead;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;

/** What the races have in common: a small cluster, requests, and what one thread alone decides. */
final class Races {
    static final List<Pod> PODS = List.of(
            pod("whole", GpuRequest.exclusive(2)),
            pod("share", GpuRequest.percent(30)),
            pod("cut", GpuRequest.partition("1g.5gb", 2)),
            pod("much", GpuRequest.exclusive(8)));

    private Races() {}

    private static Pod pod(String name, GpuRequest gpus) {
        return Pod.of(name, Resources.of(1_000, 1_024), gpus);
    }

    /** A cluster that nobody has asked anything yet, with a partition table of its own. */
    static Cluster freshCluster() {
        PartitionGeometry geometry = MigGeometry.A100_40GB.geometry();
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Node.Builder node = Node.builder("n" + i).capacity(64_000, 262_144);
            for (int gpu = 0; gpu < 2; gpu++) {
                node.gpu(Gpu.of(gpu, "gpu-" + i + gpu, GpuModel.of("nvidia", "A100", 40_960))
                        .withPartitions(geometry));
            }
            nodes.add(node.build());
        }
        return Cluster.of(nodes);
    }

    /** A refusal that nobody has asked for its diagnosis yet. */
    static Unschedulable refusal() {
        return (Unschedulable) GpuScheduler.create().schedule(freshCluster(), PODS.get(PODS.size() - 1));
    }

    static LookAhead freshPolicy() {
        return LookAhead.of(WorkloadProfile.of(PODS));
    }

    /** Everything that is decided, in one text: each pod, then what the snapshot holds. */
    static String decisions(GpuScheduler scheduler, Cluster empty) {
        StringBuilder text = new StringBuilder();
        Cluster cluster = empty;
        for (Pod pod : PODS) {
            Decision decision = scheduler.schedule(cluster, pod);
            text.append(decision);
            cluster = decision.toPlacement().map(cluster::with).orElse(cluster);
        }
        cluster.validate();
        return text.append(cluster.nodes()).toString();
    }

    /** 1 if a thread saw what one thread alone sees, else 2. */
    static int verdict(String seen, String alone) {
        return seen.equals(alone) ? 1 : 2;
    }
}
