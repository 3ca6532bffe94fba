package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimAllocator;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.GangDecision;
import io.gpusched.manifests.claim.ClaimObjects;
import io.gpusched.manifests.claim.PublishedGpus;
import io.gpusched.manifests.claim.SeenClaim;
import io.gpusched.manifests.cluster.PendingPods;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the claims of pods that wait together can be allocated, on nodes that have room for the rest of what they ask. It is the
 * same for every scheduler: the choice of devices is one of all that there are.
 */
final class ClaimQuestion {
    private final SeenCluster seen;
    private final PublishedGpus published;
    private final ClaimObjects claims;
    private final List<Pod> pods;
    private final GpuScheduler scheduler = GpuScheduler.builder().memory(0).build();

    /**
     * Asks.
     *
     * @param pods the pods as they were read, the one that is asked about first
     */
    ClaimQuestion(SeenCluster seen, List<Pod> pods) {
        this.seen = seen;
        this.published = seen.objects().published();
        this.claims = published.claims();
        this.pods = pods;
    }

    /**
     * The answer.
     *
     * @param hasRoom whether all claims can be allocated
     * @param lines where and to which devices, or why not
     */
    record Answer(boolean hasRoom, List<String> lines) {}

    /** Returns the names of claims of a pod that are neither there nor to be made. */
    static List<String> missing(SeenCluster seen, Pod pod) {
        return pod.getSpec().getResourceClaims().stream()
                .filter(claim ->
                        seen.objects().published().claims().find(pod, claim).isEmpty())
                .map(PodResourceClaim::getName)
                .toList();
    }

    Answer ask() {
        return pods.size() == 1 ? alone(pods.get(0)) : together();
    }

    private Answer alone(Pod pod) {
        Map<String, List<String>> refusals = new LinkedHashMap<>();
        for (NodeState node : seen.cluster().nodes()) {
            Optional<Placement> rest = rest(pod, node);
            if (rest.isEmpty()) {
                refusals.computeIfAbsent("no room for what it asks beside its claims", any -> new ArrayList<>())
                        .add(node.name());
            } else {
                Cluster with = seen.cluster().with(rest.get());
                Optional<Answer> found = allocate(pod, node, published.inUse(with), refusals);
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("its claims cannot be allocated on any of "
                + count(seen.cluster().nodes().size(), "node"));
        refusals.forEach((why, nodes) -> lines.add("  " + count(nodes.size(), "node") + ": " + why));
        return new Answer(false, lines);
    }

    /** Where the rest of what a pod asks has a place on a node. */
    private Optional<Placement> rest(Pod pod, NodeState node) {
        return PendingPods.of(seen).request(withoutClaims(pod)).flatMap(rest -> scheduler.place(node, rest));
    }

    static Pod withoutClaims(Pod pod) {
        Pod bare = pod.edit().editSpec().withResourceClaims(List.of()).endSpec().build();
        bare.getSpec().getContainers().forEach(Question::withoutClaims);
        return bare;
    }

    private Optional<Answer> allocate(Pod pod, NodeState node, DevicesInUse inUse, Map<String, List<String>> refusals) {
        List<Claim> open = new ArrayList<>();
        for (SeenClaim claim : claims.of(pod)) {
            if (claim.allocation().isEmpty()) {
                open.add(claim.claim());
            } else if (!claim.reach().reaches(node.node())) {
                refusals.computeIfAbsent(
                                "claim " + claim.claim().name() + " has its devices elsewhere: "
                                        + devices(claim.allocation().stream().toList()),
                                any -> new ArrayList<>())
                        .add(node.name());
                return Optional.empty();
            }
        }
        ClaimDecision decision = ClaimAllocator.exact()
                .allocate(ClaimNode.of(node.node()), claims.slices(), claims.classes(), inUse, open);
        if (decision instanceof ClaimDecision.Allocated found) {
            return Optional.of(new Answer(true, List.of(room(node.name(), found.allocations()))));
        }
        refusals.computeIfAbsent(decision.toString(), any -> new ArrayList<>()).add(node.name());
        return Optional.empty();
    }

    private static String room(String node, Collection<ClaimAllocation> allocations) {
        String devices = devices(allocations);
        return "on node " + node + (devices.isEmpty() ? "" : " with " + devices);
    }

    private static String devices(Collection<ClaimAllocation> allocations) {
        return allocations.stream()
                .flatMap(allocation -> allocation.grants().stream())
                .map(grant -> grant.device().toString())
                .collect(Collectors.joining(", "));
    }

    private Answer together() {
        Map<String, SeenClaim> all = new LinkedHashMap<>();
        List<ClaimGang.Pod> gang = new ArrayList<>();
        for (Pod pod : pods) {
            List<String> own = new ArrayList<>();
            for (SeenClaim claim : claims.of(pod)) {
                all.put(claim.claim().name(), claim);
                own.add(claim.claim().name());
            }
            Set<String> nodes = seen.cluster().nodes().stream()
                    .filter(node -> rest(pod, node).isPresent())
                    .map(NodeState::name)
                    .collect(Collectors.toSet());
            gang.add(new ClaimGang.Pod(SeenCluster.idOf(pod).toString(), own, Optional.of(nodes)));
        }
        List<ClaimNode> nodes = seen.cluster().nodes().stream()
                .map(node -> ClaimNode.of(node.node()))
                .toList();
        GangDecision decision = ClaimAllocator.exact()
                .allocateGang(
                        nodes,
                        claims.slices(),
                        claims.classes(),
                        published.inUse(seen.cluster()),
                        new ClaimGang(
                                gang,
                                all.values().stream().map(SeenClaim::asked).toList()));
        if (decision instanceof GangDecision.Allocated found) {
            String own = found.nodes().get(gang.get(0).name());
            return new Answer(
                    true,
                    List.of(room(String.valueOf(own), found.allocations()) + ", with " + (pods.size() - 1)
                            + " more of its group"));
        }
        return new Answer(false, List.of(decision.toString()));
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
