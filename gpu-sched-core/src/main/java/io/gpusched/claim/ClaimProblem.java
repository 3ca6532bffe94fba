package io.gpusched.claim;

import io.gpusched.check.Checks;
import io.gpusched.claim.ClaimError.Raised;
import io.gpusched.claim.ExactSearch.Open;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.schedule.SearchBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

/** What is asked, and of which devices, as it came in and as the engine sees it. */
record ClaimProblem(
        List<ClaimNode> nodes,
        List<ResourceSlice> slices,
        Map<String, DeviceClass> classes,
        DevicesInUse inUse,
        List<Claim> claims,
        Set<ClaimFeature> features,
        Units units) {
    ClaimProblem(
            List<ClaimNode> nodes,
            List<ResourceSlice> slices,
            Map<String, DeviceClass> classes,
            DevicesInUse inUse,
            List<Claim> claims,
            Set<ClaimFeature> features) {
        this(
                nodes,
                Checks.list("slices", slices),
                classes,
                Objects.requireNonNull(inUse, "inUse"),
                claims,
                features,
                new Units(slices, inUse, features, nodes));
    }

    /** Returns the answer of an engine, what it raised as a failure. */
    ClaimDecision solve(BiFunction<ClaimProblem, SearchSteps, ClaimDecision> engine, SearchBudget budget) {
        try {
            return engine.apply(this, SearchSteps.of(budget.steps()));
        } catch (Raised e) {
            return e.error();
        }
    }

    Forms forms(int node) {
        return new Forms.Maker(classes, units, features).of(claims, units.views.get(node));
    }

    /** As {@link #forms(int)}, of one claim. */
    List<List<Form>> forms(int claim, int node) {
        return new Forms.Maker(classes, units, features).claim(claims, claim, units.views.get(node));
    }

    ClaimState state() {
        return state(new int[claims.size()]);
    }

    /** As {@link #state()}, of claims that belong to different pods: by claim, its call. */
    ClaimState state(int[] calls) {
        return new ClaimState(units, claims, features, calls);
    }

    boolean hasInvalidPool(int node) {
        return units.views.get(node).pools.stream().anyMatch(pool -> pool.state() == Pool.State.INVALID);
    }

    ClaimProblem withClaims(List<Claim> others) {
        return new ClaimProblem(nodes, slices, classes, inUse, others, features, units);
    }

    ClaimProblem withSlices(List<ResourceSlice> others) {
        return new ClaimProblem(nodes, others, classes, inUse, claims, features);
    }

    ClaimProblem withInUse(DevicesInUse others) {
        return new ClaimProblem(nodes, slices, classes, others, claims, features);
    }

    static List<Open> open(Forms forms) {
        List<Open> open = new ArrayList<>();
        forms.byClaim().forEach(claim -> claim.forEach(request -> open.add(new Open(request))));
        return open;
    }

    /** Returns the devices of each claim, of requests that have all of theirs. */
    static List<List<StockWalk.Pick>> picks(Forms forms, List<Open> open) {
        List<List<StockWalk.Pick>> picks = new ArrayList<>();
        forms.claims().forEach(claim -> picks.add(new ArrayList<>()));
        for (Open request : open) {
            Form form = request.forms.get(request.chosen);
            request.given.forEach(unit -> picks.get(form.claim).add(new StockWalk.Pick(form, unit)));
        }
        return picks;
    }

    static List<ClaimAllocation> allocations(List<Claim> claims, List<List<StockWalk.Pick>> picks) {
        List<ClaimAllocation> allocations = new ArrayList<>();
        for (int c = 0; c < claims.size(); c++) {
            allocations.add(new ClaimAllocation(
                    claims.get(c).name(),
                    picks.get(c).stream().map(ClaimProblem::grant).toList()));
        }
        return allocations;
    }

    static ClaimAllocation.Grant grant(StockWalk.Pick pick) {
        Map<String, DeviceAmount> consumed = new HashMap<>();
        if (pick.unit().isShareable) {
            List<DeviceAmount> amounts = pick.form().capacity(pick.unit()).amounts();
            for (int i = 0; i < amounts.size(); i++) {
                consumed.put(pick.unit().capacities.get(i).published(), amounts.get(i));
            }
        }
        return new ClaimAllocation.Grant(
                pick.form().name(), pick.unit().id, pick.form().spec.adminAccess(), pick.unit().isShareable, consumed);
    }
}
