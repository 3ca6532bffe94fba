package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.gang.Member;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has to change on one node for some members of a group to go there, given that they fit once it is empty, open and
 * healthy: each of these is taken back where the members fit without it, so all that remain are needed.
 */
final class Vacancy {
    /** What one try to put a member on the node may cost. */
    private static final long STEPS = 2_000;

    private final NodeState node;
    private final List<Member> members;
    private final PlacementPolicy policy;

    Vacancy(NodeState node, List<Member> members, PlacementPolicy policy) {
        this.node = node;
        this.members = members;
        this.policy = policy;
    }

    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        if (node.isCordoned()) {
            changes.add(Change.of(Kind.UNCORDON, node.name()));
        }
        Node machine = PodCapacity.healed(node.node());
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            Node broken = machine.withGpuHealth(gpu, node.isHealthy(gpu));
            if (fits(broken, List.of())) {
                machine = broken;
            } else {
                changes.add(Change.onGpu(Kind.REPAIR_GPU, node.name(), gpu, 0));
            }
        }
        List<Placement> victims = victims(machine);
        if (victims.size() > 1 && victims.size() == node.podCount()) {
            changes.add(Change.of(Kind.EMPTY_NODE, node.name(), node.podCount()));
        } else {
            victims.forEach(victim -> changes.add(
                    Change.of(Kind.RELEASE_POD, node.name(), victim.pod().toString())));
        }
        return changes;
    }

    /** The pods that have to go, by name; the largest stay first. */
    private List<Placement> victims(Node machine) {
        List<Placement> running = new ArrayList<>(node.placements());
        running.sort(Comparator.comparingInt(Vacancy::gpus)
                .thenComparingLong(placement -> placement.resources().cpuMillis())
                .reversed()
                .thenComparing(Placement::pod));
        List<Placement> kept = new ArrayList<>();
        List<Placement> victims = new ArrayList<>();
        for (Placement placement : running) {
            kept.add(placement);
            if (!fits(machine, kept)) {
                kept.remove(kept.size() - 1);
                victims.add(placement);
            }
        }
        victims.sort(Comparator.comparing(Placement::pod));
        return victims;
    }

    private static int gpus(Placement placement) {
        int sum = 0;
        for (ContainerGrant container : placement.containers()) {
            sum += container.gpus().indexes().size();
        }
        return sum;
    }

    /** Whether all members are known to fit beside these pods. */
    private boolean fits(Node machine, List<Placement> kept) {
        NodeState state = Cluster.of(List.of(machine), kept).node(0);
        for (Member member : members) {
            Placement place = place(member.demand(), state);
            if (place == null) {
                return false;
            }
            state = state.with(place);
        }
        return true;
    }

    /** A place in the most wanted shape that fits, labels and taints aside. */
    private @Nullable Placement place(PodDemand demand, NodeState state) {
        for (PodDemand shape = demand; shape != null; shape = shape.otherwise()) {
            LayoutSearch.Found found = Admission.admitsMode(shape, state.nodeClass())
                    ? PolicyLayouts.best(shape, state, policy, SearchSteps.of(STEPS))
                    : null;
            if (found != null) {
                return found.placement();
            }
        }
        return null;
    }
}
