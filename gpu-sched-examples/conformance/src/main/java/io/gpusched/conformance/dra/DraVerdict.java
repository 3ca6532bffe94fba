package io.gpusched.conformance.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimAllocator;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimError;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.ClaimRefusal;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.conformance.Outcome;
import io.gpusched.decision.Certainty;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares an answer of the library with a recorded one. */
final class DraVerdict {
    private static final Map<ClaimError.Kind, String> KINDS = Map.ofEntries(
            Map.entry(ClaimError.Kind.SELECTOR_MALFORMED, "cel-compile"),
            Map.entry(ClaimError.Kind.SELECTOR_FAILED, "cel-runtime"),
            Map.entry(ClaimError.Kind.SELECTOR_UNKNOWN, "unknown-selector"),
            Map.entry(ClaimError.Kind.CLASS_NOT_FOUND, "class-not-found"),
            Map.entry(ClaimError.Kind.CLASS_MISSING, "class-missing"),
            Map.entry(ClaimError.Kind.FEATURE_DISABLED, "feature-disabled"),
            Map.entry(ClaimError.Kind.TOO_MANY_DEVICES, "too-many-devices"),
            Map.entry(ClaimError.Kind.ALL_FROM_INCOMPLETE_POOL, "all-from-incomplete-pool"),
            Map.entry(ClaimError.Kind.ALL_FROM_INVALID_POOL, "all-from-invalid-pool"),
            Map.entry(ClaimError.Kind.INVALID_POOL, "invalid-pool"),
            Map.entry(ClaimError.Kind.ALL_BREAKS_CONSTRAINT, "all-breaks-constraint"),
            Map.entry(ClaimError.Kind.CONSTRAINT_UNKNOWN, "unknown-constraint"),
            Map.entry(ClaimError.Kind.MODE_UNKNOWN, "unknown-mode"),
            Map.entry(ClaimError.Kind.DERIVED_ATTRIBUTE, "derived-attribute"),
            Map.entry(ClaimError.Kind.ATTRIBUTE_UNSUPPORTED, "unsupported-attribute-value"),
            Map.entry(ClaimError.Kind.CAPACITY_NOT_REPRESENTABLE, "capacity-not-representable"),
            Map.entry(ClaimError.Kind.CAPACITY_NEGATIVE, "capacity-negative"),
            Map.entry(ClaimError.Kind.CAPACITY_NAMED_TWICE, "capacity-named-twice"));

    /** Verdicts that were recorded on 1.37 and are other ones in 1.38, which tells unsupported values of attributes. */
    private static final Map<String, String> CHANGED_IN_1_38 = Map.of(
            "table/list-attributes-disabled-match-constraint-with-lists", "error unsupported-attribute-value",
            "table/list-attributes-disabled-distinct-constraint-with-lists", "error unsupported-attribute-value");

    private DraVerdict() {}

    /** Runs the mode that chooses as Kubernetes does: outcome, kind of error and devices must be the recorded ones. */
    static Outcome firstFit(JsonNode vector, JsonNode expected) {
        ClaimDecision decision = decide(ClaimAllocator.firstFit(), vector, expected);
        if (decision instanceof ClaimRefusal refused && refused.certainty() != Certainty.PROVEN) {
            return Outcome.failed("$.certainty", "PROVEN", decision.toString());
        }
        if (decision instanceof ClaimDecision.Allocated
                && expected.path("outcome").asText().equals("allocated")
                && !expected.has("claims")) {
            return Outcome.passed("Kubernetes was not let to find its answer, only the outcome was compared");
        }
        if (decision instanceof ClaimDecision.Allocated allocated
                && lawful(allocated, vector, expected) instanceof Outcome.Failed failed) {
            return failed;
        }
        String changed = CHANGED_IN_1_38.get(vector.path("name").asText());
        return changed == null ? recorded(decision, expected) : same(changed, actual(decision));
    }

    /** Compares outcome, kind of error and devices with what was recorded. */
    static Outcome recorded(ClaimDecision decision, JsonNode expected) {
        return same(expected(expected), actual(decision));
    }

    /** Returns that the case has passed if both are equal. */
    static Outcome same(String want, String got) {
        return want.equals(got) ? Outcome.passed() : Outcome.failed("$", want, got);
    }

    /** Runs the exact mode: as feasible as recorded, one of the solutions, alternatives as good as the best. */
    static Outcome exact(JsonNode vector, JsonNode expected) {
        ClaimDecision decision = decide(ClaimAllocator.exact(), vector, expected);
        String outcome = expected.path("outcome").asText();
        if (CHANGED_IN_1_38.containsKey(vector.path("name").asText())) {
            outcome = "error";
        }
        if (decision instanceof ClaimDecision.Allocated allocated) {
            if (allocated.certainty() != Certainty.PROVEN) {
                return Outcome.failed("$.certainty", "PROVEN", allocated.toString());
            }
            return outcome.equals("allocated") || isLazy(expected)
                    ? quality(allocated, vector, expected)
                    : Outcome.failed("$.outcome", outcome, actual(decision));
        }
        if (decision instanceof ClaimRefusal refused && refused.certainty() != Certainty.PROVEN) {
            return Outcome.failed("$.certainty", "PROVEN", decision.toString());
        }
        if (decision instanceof ClaimRefusal refused
                && refused.conflict().names().isEmpty()) {
            return Outcome.failed("$.conflict", "at least one request", "none");
        }
        boolean failed = decision instanceof ClaimError;
        boolean agrees = outcome.equals("error") ? failed : outcome.equals("nothing");
        if (!agrees) {
            return Outcome.failed("$.outcome", outcome, actual(decision) + " " + decision);
        }
        return Outcome.passed();
    }

    /** Returns whether the recorded error came of a device that the search happened to look at; other devices may serve. */
    private static boolean isLazy(JsonNode expected) {
        return Set.of(
                        "cel-runtime",
                        "unsupported-attribute-value",
                        "all-breaks-constraint",
                        "capacity-not-representable",
                        "capacity-negative",
                        "capacity-named-twice",
                        "derived-attribute")
                .contains(expected.path("error").path("kind").asText());
    }

    private static ClaimDecision decide(ClaimAllocator allocator, JsonNode vector, JsonNode expected) {
        DraCase read = DraCase.of(vector);
        ClaimNode node = read.node(expected.path("node").asText());
        return allocator
                .withFeatures(read.features())
                .allocate(node, read.slices(), read.classes(), read.inUse(), read.claims());
    }

    /** Judges an answer by the checker. */
    private static Outcome lawful(ClaimDecision.Allocated allocated, JsonNode vector, JsonNode expected) {
        if (!hasUniqueNames(vector)) {
            return Outcome.passed();
        }
        DraCase read = DraCase.of(vector);
        ClaimNode node = read.node(expected.path("node").asText());
        List<Violation> broken = Verifier.create()
                .check(node, read.slices(), read.classes(), read.inUse(), read.features(), read.claims(), allocated);
        return broken.isEmpty()
                ? Outcome.passed()
                : Outcome.failed("$.laws", "none broken by " + allocated, broken.toString());
    }

    private static Outcome quality(ClaimDecision.Allocated allocated, JsonNode vector, JsonNode expected) {
        if (lawful(allocated, vector, expected) instanceof Outcome.Failed failed) {
            return failed;
        }
        JsonNode list = expected.path("solutions").path("list");
        List<Set<String>> answer = allocated.allocations().stream()
                .map(one -> (Set<String>) new TreeSet<>(one.grants().stream()
                        .map(ClaimAllocation.Grant::toString)
                        .toList()))
                .toList();
        if (list.isArray()) {
            boolean listed = DraCase.list(list).stream()
                    .anyMatch(solution -> DraCase.list(solution).stream()
                            .map(claim -> (Set<String>) new TreeSet<>(DraCase.texts(claim)))
                            .toList()
                            .equals(answer));
            if (!listed) {
                return Outcome.failed("$.solutions.list", "one of " + list.size(), answer.toString());
            }
        }
        JsonNode best = expected.path("solutions").path("alternatives").path("lexicographicBest");
        if (best.isArray() && hasUniqueNames(vector)) {
            String chosen = chosen(allocated, vector).toString();
            if (!chosen.equals(DraCase.texts(best).toString())) {
                return Outcome.failed("$.alternatives", best.toString(), chosen);
            }
            String recorded = DraCase.texts(
                            expected.path("solutions").path("alternatives").path("chosen"))
                    .toString();
            if (!chosen.equals(recorded)) {
                return Outcome.passed(Outcome.BETTER + "alternatives " + chosen + ", Kubernetes chose " + recorded);
            }
        }
        return Outcome.passed();
    }

    /** Returns whether an alternative is known by its name; one recorded case has two of one name. */
    private static boolean hasUniqueNames(JsonNode vector) {
        for (JsonNode claim : vector.path("claims")) {
            for (JsonNode request : claim.path("requests")) {
                List<String> names = DraCase.list(request.path("firstAvailable")).stream()
                        .map(one -> one.path("name").asText())
                        .toList();
                if (Set.copyOf(names).size() < names.size()) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<Integer> chosen(ClaimDecision.Allocated allocated, JsonNode vector) {
        List<Integer> chosen = new ArrayList<>();
        for (int c = 0; c < allocated.allocations().size(); c++) {
            for (JsonNode request : vector.path("claims").path(c).path("requests")) {
                if (request.has("firstAvailable")) {
                    List<JsonNode> forms = DraCase.list(request.path("firstAvailable"));
                    for (int a = 0; a < forms.size(); a++) {
                        String name = request.path("name").asText() + "/"
                                + forms.get(a).path("name").asText();
                        boolean taken = allocated.allocations().get(c).grants().stream()
                                .anyMatch(grant -> grant.request().equals(name));
                        if (taken) {
                            chosen.add(a);
                        }
                    }
                }
            }
        }
        return chosen;
    }

    private static String expected(JsonNode expected) {
        if (expected.path("outcome").asText().equals("error")) {
            String kind = expected.path("error").path("kind").asText();
            // 1.37 gave up all nodes for such a pool; where 1.38 was recorded too, it says that it does not
            boolean ofNode = expected.path("error").path("onlyThisNode").asBoolean()
                    || kind.startsWith("all-from-") && !expected.has("kubernetes");
            return "error " + kind + (ofNode ? " of this node" : "");
        }
        List<String> claims = new ArrayList<>();
        for (JsonNode claim : expected.path("claims")) {
            List<String> grants = new ArrayList<>();
            for (JsonNode one : claim.path("devices")) {
                Map<String, String> consumed = new TreeMap<>();
                one.path("consumedCapacity")
                        .properties()
                        .forEach(entry -> consumed.put(
                                entry.getKey(),
                                DeviceAmount.parse(entry.getValue().asText()).toString()));
                grants.add(one.path("request").asText() + "="
                        + one.path("driver").asText() + "/"
                        + one.path("pool").asText() + "/" + one.path("device").asText()
                        + (one.path("adminAccess").asBoolean() ? " admin" : "")
                        + (one.path("shared").asBoolean() ? " share" : "") + (consumed.isEmpty() ? "" : consumed));
            }
            claims.add(claim.path("claim").asText() + " " + grants);
        }
        return expected.path("outcome").asText() + " " + claims;
    }

    private static String actual(ClaimDecision decision) {
        if (decision instanceof ClaimError error) {
            return "error " + KINDS.get(error.kind()) + (error.isOfOneNode() ? " of this node" : "");
        }
        if (!(decision instanceof ClaimDecision.Allocated allocated)) {
            return "nothing []";
        }
        return "allocated "
                + allocated.allocations().stream()
                        .map(one -> one.claim() + " "
                                + one.grants().stream().map(DraVerdict::words).toList())
                        .toList();
    }

    private static String words(ClaimAllocation.Grant grant) {
        Map<String, String> consumed = new TreeMap<>();
        grant.consumed().forEach((name, amount) -> consumed.put(name, amount.toString()));
        return grant
                + (grant.adminAccess() ? " admin" : "")
                + (grant.isShare() ? " share" : "")
                + (consumed.isEmpty() ? "" : consumed.toString());
    }
}
