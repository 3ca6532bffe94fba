package io.gpusched.verify;

import io.gpusched.check.Checks;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimFeature;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.GangDecision;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Judges decisions: returns every law that one breaks, none if it is right.
 *
 * <p>A placement is right if all is kept that {@link Law} lists; a refusal that is proven is right if there is no legal placement, which is
 * tried place by place as far as the number of tries allows, so only in small worlds. Immutable and thread-safe. O(nodes times pods) and worse.
 */
public final class Verifier {
    private final long tries;

    private Verifier(long tries) {
        this.tries = tries;
    }

    /** Returns a verifier that tries no places: it takes every refusal. */
    public static Verifier create() {
        return new Verifier(0);
    }

    /**
     * Returns a verifier that looks for places itself where a refusal is proven.
     *
     * @param tries how many places it tries for one refusal at most, at least 0; where that is too few, the refusal is taken
     * @throws IllegalArgumentException if the number is negative
     */
    public static Verifier ofTries(long tries) {
        if (tries < 0) {
            throw new IllegalArgumentException("verifier: tries must be at least 0, got " + tries);
        }
        return new Verifier(tries);
    }

    /** Returns what is wrong with a decision about a pod. */
    public List<Violation> check(Cluster before, Pod pod, Decision decision) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(decision, "decision");
        World world = World.of(before);
        if (decision instanceof Placed placed) {
            return PlacementLaws.check(world, pod, placed.placement());
        }
        List<Violation> broken = new ArrayList<>();
        if (decision.certainty() == Certainty.PROVEN) {
            legalPlace(world, pod)
                    .ifPresent(place -> broken.add(
                            Violation.of(Law.PROVEN_REFUSAL, "pod \"" + pod.id() + "\"", "there is room: " + place)));
        }
        return broken;
    }

    /** Returns what is wrong with a place for a new pod. */
    public List<Violation> check(Cluster before, Pod pod, Placement placement) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(placement, "placement");
        return PlacementLaws.check(World.of(before), pod, placement);
    }

    /** Returns a legal place for a pod, as far as places are tried. */
    Optional<Placement> legalPlace(World world, Pod pod) {
        return Places.first(
                world,
                pod,
                tries,
                place -> PlacementLaws.check(world, pod, place).isEmpty());
    }

    /**
     * Returns what is wrong with a decision about a group: of each member that is placed, as a new pod beside those before it, and of the group
     * as a whole. Of a proven refusal members are tried one after the other in the group's order, which finds some ways to start a group, not all.
     */
    public List<Violation> check(Cluster before, PodGroup group, GroupDecision decision) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(decision, "decision");
        List<Violation> broken = new ArrayList<>();
        World world = World.of(before);
        if (decision instanceof GroupPlaced placed) {
            GroupLaws.members(group, placed.placements(), placed.waiting(), broken);
            Set<PodId> started = new HashSet<>();
            for (Placement placement : placed.placements()) {
                Optional<Pod> pod = group.pods().stream()
                        .filter(member -> member.id().equals(placement.pod()))
                        .findFirst();
                if (pod.isPresent()) {
                    broken.addAll(PlacementLaws.check(world, pod.get().withGroup(placement.group()), placement));
                    world = world.with(placement);
                    started.add(placement.pod());
                }
            }
            GroupLaws.minimum(group, started, broken);
        } else if (decision.certainty() == Certainty.PROVEN) {
            new GroupPlaces(group, tries)
                    .start(world)
                    .ifPresent(places -> broken.add(Violation.of(
                            Law.PROVEN_REFUSAL, "group \"" + group.name() + "\"", "there is room: " + places)));
        }
        return broken;
    }

    /**
     * Returns the laws that a plan of queues breaks: each step at its moment, victims and their beneficiaries, what queues hold, reservations,
     * reasons, and the state afterwards.
     *
     * @param before the state that was planned for
     * @param settings how was decided among jobs
     * @param now the time that was planned for
     */
    public List<Violation> check(QueueState before, CycleSettings settings, long now, Plan plan) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(plan, "plan");
        return new PlanLaws(before, plan, settings, now, tries).check();
    }

    /** Returns what is wrong with a plan for the state after another one, at the same time: it does nothing. */
    public List<Violation> checkAgain(Plan again) {
        Objects.requireNonNull(again, "again");
        return again.isEmpty()
                ? List.of()
                : List.of(Violation.of(Law.PLANNED_AGAIN, "plan", "planned again it is not empty: " + again.steps()));
    }

    /**
     * Returns what is wrong with devices that claims have on a node. That they are the best, or that a refusal is right, is not judged.
     *
     * @param slices every slice of the cluster
     * @param inUse what was in use before
     * @param features what is switched on in the cluster
     */
    public List<Violation> check(
            ClaimNode node,
            List<ResourceSlice> slices,
            Collection<DeviceClass> classes,
            DevicesInUse inUse,
            Set<ClaimFeature> features,
            List<Claim> claims,
            ClaimDecision.Allocated allocated) {
        Objects.requireNonNull(node, "node");
        Checks.noNulls("claims", claims);
        Objects.requireNonNull(allocated, "allocated");
        ClaimLaws laws = new ClaimLaws(slices, classes, inUse, features);
        if (claims.size() != allocated.allocations().size()) {
            laws.wrong(
                    Law.CLAIM_REQUEST,
                    "claims",
                    allocated.allocations().size() + " of " + claims.size() + " are allocated");
            return laws.broken();
        }
        for (int i = 0; i < claims.size(); i++) {
            laws.claim(claims.get(i), allocated.allocations().get(i), List.of(node));
        }
        return laws.broken();
    }

    /**
     * Returns what is wrong with nodes and devices of a gang, as in {@link #check(ClaimNode, List, Collection, DevicesInUse, Set, List,
     * ClaimDecision.Allocated)}.
     */
    public List<Violation> check(
            List<ClaimNode> nodes,
            List<ResourceSlice> slices,
            Collection<DeviceClass> classes,
            DevicesInUse inUse,
            Set<ClaimFeature> features,
            ClaimGang gang,
            GangDecision.Allocated allocated) {
        Checks.noNulls("nodes", nodes);
        Objects.requireNonNull(gang, "gang");
        Objects.requireNonNull(allocated, "allocated");
        ClaimLaws laws = new ClaimLaws(slices, classes, inUse, features);
        laws.gang(nodes, gang, allocated);
        return laws.broken();
    }

    /** Returns what is wrong with what runs: what is given out twice, or is not there. What a new pod would be asked is not. */
    public List<Violation> check(Cluster state) {
        return PlacementLaws.check(World.of(Objects.requireNonNull(state, "state")));
    }
}
