package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Change;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Does what a remedy says and asks again. */
class RemedyProperties {
    /** Whether a change cannot be made exactly without knowing which pods to release. */
    private static boolean isVague(Change change) {
        return change instanceof Change.FreeOnGpu
                || change instanceof Change.MakeRoom
                || change instanceof Change.AddNodes
                || change instanceof Change.RaiseQuota
                || change instanceof Change.ChooseKnown choose
                        && (choose.known().isEmpty() || choose.kind() != Fact.Unknown.Kind.TOPOLOGY_LEVEL);
    }

    @Property(tries = 1500)
    void remedy_onceApplied_letsThePodIn(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(6);
        Pod pod = world.pod();
        if (!(GpuScheduler.create().schedule(cluster, pod) instanceof Unschedulable no)) {
            return;
        }
        List<Change> changes = no.diagnosis().remedy().changes();
        Assume.that(changes.stream().noneMatch(RemedyProperties::isVague));

        Cluster changed = cluster;
        Pod asking = pod;
        for (Change change : changes) {
            changed = apply(changed, change, pod);
            asking = apply(asking, change);
        }

        assertThat(GpuScheduler.create().schedule(changed, asking).isPlaced())
                .as("%s for %s on %s", no.diagnosis(), pod, cluster.nodes())
                .isTrue();
    }

    @Property(tries = 500)
    void remedyOfAGroup_onceApplied_letsItStart(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(5);
        PodGroup group = world.group(4);
        if (!(GpuScheduler.create().schedule(cluster, group) instanceof Unschedulable no)) {
            return;
        }
        List<Change> changes = no.diagnosis().remedy().changes();
        Assume.that(changes.stream().noneMatch(RemedyProperties::isVague));

        Cluster changed = cluster;
        PodGroup asking = group;
        for (Change change : changes) {
            changed = apply(changed, change, group.pods().get(0));
            asking = apply(asking, change);
        }

        assertThat(GpuScheduler.create().schedule(changed, asking).isPlaced())
                .as("%s for %s on %s", no.diagnosis(), group, cluster.nodes())
                .isTrue();
    }

    private static PodGroup apply(PodGroup group, Change change) {
        if (change instanceof Change.ChooseKnown choose) {
            return group.withLocality(Locality.within(choose.known().get(0)));
        }
        List<PodGroup.Role> roles = group.roles().stream()
                .map(role -> new PodGroup.Role(
                        role.name(),
                        role.minMember(),
                        role.pods().stream().map(pod -> apply(pod, change)).toList()))
                .toList();
        Locality locality = change instanceof Change.SpreadGroup ? Locality.ANYWHERE : group.locality();
        return new PodGroup(group.name(), group.minMember(), roles, locality);
    }

    private static Pod apply(Pod pod, Change change) {
        List<Toleration> tolerations = new ArrayList<>(pod.tolerations());
        if (change instanceof Change.TolerateTaint tolerate) {
            tolerations.add(Toleration.exists(tolerate.taint().key()));
        }
        NodeSelector selector = change instanceof Change.AcceptLabels ? NodeSelector.ANY : pod.nodeSelector();
        return new Pod(pod.id(), pod.containers(), selector, tolerations, pod.overhead()).withRules(pod.rules());
    }

    private static Cluster apply(Cluster cluster, Change change, Pod pod) {
        if (change instanceof Change.Uncordon uncordon) {
            return cluster.withCordoned(uncordon.node(), false);
        } else if (change instanceof Change.RepairGpu repair) {
            return cluster.withGpuHealth(repair.node(), repair.gpu(), true);
        } else if (change instanceof Change.ReleasePods release) {
            Cluster fewer = cluster;
            for (PodId id : release.pods().subList(0, release.count())) {
                fewer = withoutPod(fewer, id);
            }
            return fewer;
        } else if (change instanceof Change.FreeOnNode free) {
            return cluster.withReplaced(larger(node(cluster, free.node()).node(), amount(free)));
        } else if (change instanceof Change.FreeIdleGpus free) {
            return withMoreIdle(cluster, node(cluster, free.node()), free.more(), pod);
        }
        return cluster;
    }

    private static NodeState node(Cluster cluster, String name) {
        return cluster.node(name).orElseThrow();
    }

    private static Resources amount(Change.FreeOnNode free) {
        return switch (free.quantity()) {
            case CPU_MILLIS -> Resources.of(free.amount(), 0);
            case MEMORY_MIB -> Resources.of(0, free.amount());
            default -> Resources.NONE.with(free.resource(), free.amount());
        };
    }

    /** An earlier change may have released it already. */
    private static Cluster withoutPod(Cluster cluster, PodId pod) {
        return cluster.placement(pod).isPresent() ? cluster.without(pod) : cluster;
    }

    private static Node larger(Node machine, Resources more) {
        return new Node(
                machine.name(),
                machine.mode(),
                machine.capacity().plus(more),
                machine.maxPods(),
                machine.labels(),
                machine.taints(),
                machine.topology(),
                machine.gpus(),
                machine.links(),
                machine.cordoned(),
                machine.residents());
    }

    /** Releases pods until so many more of the GPUs that the pod accepts are idle. */
    private static Cluster withMoreIdle(Cluster cluster, NodeState node, int more, Pod pod) {
        Cluster fewer = cluster;
        int wanted = idleAccepted(node, pod) + more;
        for (Placement placement : node.placements()) {
            boolean missing = idleAccepted(fewer.node(node.name()).orElseThrow(), pod) < wanted;
            fewer = missing ? fewer.without(placement) : fewer;
        }
        return fewer;
    }

    private static int idleAccepted(NodeState node, Pod pod) {
        int idle = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            Gpu device = node.node().gpus().get(gpu);
            boolean accepted = pod.containers().stream()
                    .allMatch(container -> container.gpu().selector().accepts(device));
            idle += accepted && node.isIdle(gpu) ? 1 : 0;
        }
        return idle;
    }
}
