package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Does what a remedy says and asks again. */
class RemedyProperties {
    /** Changes that cannot be made exactly without knowing which pods to release. */
    private static final Set<Kind> VAGUE = EnumSet.of(
            Kind.FREE_GPU_COMPUTE, Kind.FREE_GPU_MEMORY, Kind.FREE_GPU_SLOTS, Kind.ADD_NODE, Kind.RAISE_QUOTA);

    @Property(tries = 1500)
    void remedy_onceApplied_letsThePodIn(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(6);
        Pod pod = world.pod();
        if (!(GpuScheduler.create().schedule(cluster, pod) instanceof Unschedulable no)) {
            return;
        }
        List<Change> changes = no.diagnosis().remedy().changes();
        Assume.that(changes.stream().noneMatch(change -> VAGUE.contains(change.kind())));

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
        Assume.that(changes.stream().noneMatch(change -> VAGUE.contains(change.kind())));

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
        if (change.kind() == Kind.CHOOSE_LEVEL) {
            return group.withLocality(PodGroup.Locality.within(change.what()));
        }
        List<PodGroup.Role> roles = group.roles().stream()
                .map(role -> new PodGroup.Role(
                        role.name(),
                        role.minMember(),
                        role.pods().stream().map(pod -> apply(pod, change)).toList()))
                .toList();
        PodGroup.Locality locality = change.kind() == Kind.SPREAD_GROUP ? PodGroup.Locality.ANYWHERE : group.locality();
        return new PodGroup(group.name(), group.minMember(), roles, locality);
    }

    private static Pod apply(Pod pod, Change change) {
        List<Toleration> tolerations = new ArrayList<>(pod.tolerations());
        if (change.kind() == Kind.TOLERATE_TAINT) {
            tolerations.add(Toleration.exists(change.what().split("[=:]", 2)[0]));
        }
        NodeSelector selector = change.kind() == Kind.ACCEPT_LABELS ? NodeSelector.ANY : pod.nodeSelector();
        return new Pod(pod.id(), pod.containers(), selector, tolerations, pod.overhead()).withRules(pod.rules());
    }

    private static Cluster apply(Cluster cluster, Change change, Pod pod) {
        if (change.node().isEmpty()) {
            return cluster;
        }
        NodeState node = cluster.node(change.node()).orElseThrow();
        Node machine = node.node();
        return switch (change.kind()) {
            case UNCORDON -> cluster.withCordoned(change.node(), false);
            case REPAIR_GPU -> cluster.withGpuHealth(change.node(), change.gpu(), true);
            case RELEASE_POD, RELEASE_HOLDER -> withoutPod(cluster, PodId.of(change.what()));
            case RELEASE_ANY_POD -> without(cluster, node, 1);
            case EMPTY_NODE, FREE_GPUS -> without(cluster, node, node.podCount());
            case FREE_GPU ->
                node.placements().stream()
                        .filter(placement -> holds(placement, change.gpu()))
                        .findFirst()
                        .map(cluster::without)
                        .orElse(cluster);
            case FREE_CPU -> cluster.withReplaced(larger(machine, Resources.of(change.amount(), 0)));
            case FREE_MEMORY -> cluster.withReplaced(larger(machine, Resources.of(0, change.amount())));
            case FREE_RESOURCE ->
                cluster.withReplaced(larger(machine, Resources.NONE.with(change.what(), change.amount())));
            case IDLE_GPUS -> withMoreIdle(cluster, node, (int) change.amount(), pod);
            default -> cluster;
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

    private static Cluster without(Cluster cluster, NodeState node, int pods) {
        Cluster fewer = cluster;
        for (Placement placement : node.placements().subList(0, pods)) {
            fewer = fewer.without(placement);
        }
        return fewer;
    }

    private static boolean holds(Placement placement, int gpu) {
        return placement.containers().stream()
                .anyMatch(container -> container.gpus().indexes().contains(gpu));
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
