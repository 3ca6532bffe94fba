package io.gpusched.conformance.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimAllocator;
import io.gpusched.claim.ClaimConflict;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.ClaimRefusal;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.GangDecision;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.conformance.Outcome;
import io.gpusched.decision.Certainty;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Compares what the library says of a gang with what was found by exhaustive search, and by Kubernetes' own steps. */
final class GangVerdict {
    private GangVerdict() {}

    /** Runs the joint choice: feasible as recorded, with a smallest conflict if it is not. */
    static Outcome joint(JsonNode vector) {
        DraCase read = DraCase.of(vector);
        ClaimGang gang = read.gang(vector);
        GangDecision decision = allocate(read, gang);
        boolean feasible = vector.path("expected").path("feasible").asBoolean();
        if (decision instanceof GangDecision.Allocated allocated) {
            if (!feasible || allocated.certainty() != Certainty.PROVEN) {
                return Outcome.failed("$.feasible", feasible + " PROVEN", allocated.certainty() + " " + allocated);
            }
            Outcome legal = isLegal(read, gang, allocated);
            JsonNode stock = vector.path("expected").path("stock");
            return legal instanceof Outcome.Passed
                            && stock.path("outcome").asText().equals("stuck")
                    ? Outcome.passed(Outcome.BETTER + "all " + allocated.nodes().size()
                            + " pods run, Kubernetes is stuck at "
                            + stock.path("failedPod").asText())
                    : legal;
        }
        if (feasible || !(decision instanceof ClaimRefusal refused) || refused.certainty() != Certainty.PROVEN) {
            return Outcome.failed("$.feasible", feasible + " PROVEN", decision.toString());
        }
        return isConflict(read, gang, refused.conflict(), vector.path("expected"));
    }

    private static GangDecision allocate(DraCase read, ClaimGang gang) {
        return ClaimAllocator.exact()
                .withFeatures(read.features())
                .allocateGang(nodes(read), read.slices(), read.classes(), read.inUse(), gang);
    }

    private static List<ClaimNode> nodes(DraCase read) {
        return List.copyOf(read.nodes().values());
    }

    private static Outcome isConflict(DraCase read, ClaimGang gang, ClaimConflict conflict, JsonNode expected) {
        if (!conflict.isSmallest()) {
            return Outcome.failed("$.conflict", "a smallest one", conflict.toString());
        }
        if (expected.has("conflict")
                && conflict.names().size() != expected.path("conflict").size()) {
            return Outcome.failed("$.conflict", expected.path("conflict").toString(), conflict.toString());
        }
        boolean isListed =
                new TreeSet<>(DraCase.texts(expected.path("conflict"))).equals(new TreeSet<>(conflict.names()));
        if (expected.path("conflictsOfThatSize").asInt() == 1 && !isListed) {
            return Outcome.failed("$.conflict", expected.path("conflict").toString(), conflict.toString());
        }
        List<ClaimGang.Pod> some = gang.pods().stream()
                .filter(pod -> conflict.names().contains(pod.name()))
                .toList();
        GangDecision again = allocate(read, new ClaimGang(some, gang.claims()));
        return again instanceof ClaimRefusal
                ? Outcome.passed()
                : Outcome.failed("$.conflict", "pods that cannot run together", conflict + ", but " + again);
    }

    private static Outcome isLegal(DraCase read, ClaimGang gang, GangDecision.Allocated allocated) {
        List<Violation> broken = Verifier.create()
                .check(nodes(read), read.slices(), read.classes(), read.inUse(), read.features(), gang, allocated);
        return broken.isEmpty()
                ? Outcome.passed()
                : Outcome.failed("$.laws", "none broken by " + allocated, broken.toString());
    }

    /** Runs Kubernetes' own steps: pods in order, the first node that serves a pod, a shared claim with the first pod that needs it. */
    static Outcome stock(JsonNode vector) {
        DraCase read = DraCase.of(vector);
        ClaimGang gang = read.gang(vector);
        JsonNode stock = vector.path("expected").path("stock");
        if (!stock.path("placed").isArray()) {
            return Outcome.passed("no steps were recorded");
        }
        Map<String, NodeScope> reach = new HashMap<>();
        Map<String, Claim> claims = new HashMap<>();
        Map<String, Integer> users = new HashMap<>();
        gang.claims().forEach(one -> {
            one.reach().ifPresent(scope -> reach.put(one.claim().name(), scope));
            claims.put(one.claim().name(), one.claim());
        });
        DevicesInUse inUse = read.inUse();
        int placed = 0;
        for (ClaimGang.Pod pod : gang.pods()) {
            Optional<Step> step =
                    mostAreKept(gang, pod, users) ? step(read, pod, reach, claims, inUse) : Optional.empty();
            if (step.isEmpty()) {
                return expect(stock, "stuck " + placed + " " + pod.name());
            }
            String got = step.get().words();
            String want = words(stock.path("placed").path(placed));
            if (!got.equals(want)) {
                return Outcome.failed("$.stock.placed[" + placed + "]", want, got);
            }
            NodeScope here = new NodeScope.Named(step.get().node());
            step.get().allocations().forEach(one -> reach.put(one.claim(), scope(read, one, here)));
            inUse = inUse.with(step.get().allocations());
            placed++;
        }
        return expect(stock, "scheduled " + placed);
    }

    private static boolean mostAreKept(ClaimGang gang, ClaimGang.Pod pod, Map<String, Integer> users) {
        return gang.claims().stream()
                .filter(one -> pod.claims().contains(one.claim().name()))
                .allMatch(one -> users.merge(one.claim().name(), 1, Integer::sum) <= one.mostPods());
    }

    private static Outcome expect(JsonNode stock, String got) {
        String want = stock.path("outcome").asText() + " "
                + stock.path("placed").size()
                + (stock.has("failedPod") ? " " + stock.path("failedPod").asText() : "");
        return want.equals(got) ? Outcome.passed() : Outcome.failed("$.stock", want, got);
    }

    private record Step(String node, List<ClaimAllocation> allocations) {
        String words() {
            List<String> words = new ArrayList<>();
            allocations.forEach(one -> words.add(one.claim() + one.grants()));
            return node + " " + words;
        }
    }

    private static String words(JsonNode placed) {
        List<String> words = new ArrayList<>();
        for (JsonNode claim : placed.path(placed.has("allocatedNow") ? "allocatedNow" : "claims")) {
            List<String> grants = new ArrayList<>();
            claim.path("devices")
                    .forEach(one -> grants.add(one.path("request").asText() + "="
                            + one.path("driver").asText() + "/"
                            + one.path("pool").asText() + "/"
                            + one.path("device").asText()));
            words.add(claim.path("claim").asText() + grants);
        }
        return placed.path("node").asText() + " " + words;
    }

    private static Optional<Step> step(
            DraCase read,
            ClaimGang.Pod pod,
            Map<String, NodeScope> reach,
            Map<String, Claim> claims,
            DevicesInUse inUse) {
        List<Claim> open = pod.claims().stream()
                .filter(name -> !reach.containsKey(name))
                .flatMap(name -> Optional.ofNullable(claims.get(name)).stream())
                .toList();
        for (ClaimNode node : nodes(read)) {
            boolean isReached = pod.claims().stream()
                    .allMatch(name ->
                            reach.getOrDefault(name, new NodeScope.AllNodes()).reaches(node.node()));
            boolean isAllowed =
                    pod.nodes().map(names -> names.contains(node.node().name())).orElse(true);
            if (isReached && isAllowed) {
                ClaimDecision decision = ClaimAllocator.firstFit()
                        .withFeatures(read.features())
                        .allocate(node, read.slices(), read.classes(), inUse, open);
                if (decision instanceof ClaimDecision.Allocated allocated) {
                    return Optional.of(new Step(node.node().name(), allocated.allocations()));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns from where all devices of an allocation can be reached. */
    private static NodeScope scope(DraCase read, ClaimAllocation allocation, NodeScope here) {
        NodeScope scope = new NodeScope.AllNodes();
        for (ResourceSlice slice : read.slices()) {
            boolean isUsed = allocation.grants().stream()
                    .anyMatch(grant -> slice.devices().stream()
                            .anyMatch(device -> slice.idOf(device).equals(grant.device())));
            if (isUsed && !(slice.scope() instanceof NodeScope.AllNodes)) {
                scope = slice.scope() instanceof NodeScope.Selected ? slice.scope() : here;
            }
        }
        return scope;
    }
}
