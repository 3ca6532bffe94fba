package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Raised;
import io.gpusched.internal.fit.SearchSteps;
import java.util.ArrayList;
import java.util.List;

/** Which requests of claims conflict on one node, and why. */
record RequestConflict(ClaimProblem problem) implements ConflictSearch.Question<RequestConflict.Name> {
    record Name(int claim, int request) {}

    ClaimConflict find(SearchSteps steps) {
        List<Name> all = new ArrayList<>();
        for (int c = 0; c < problem.claims().size(); c++) {
            for (int r = 0; r < problem.claims().get(c).requests().size(); r++) {
                all.add(new Name(c, r));
            }
        }
        ConflictSearch.Core<Name> core = new ConflictSearch<>(problem, this, steps).find(all);
        List<String> names = core.members().stream()
                .map(name -> problem.claims().get(name.claim()).name() + "/"
                        + request(name).name())
                .toList();
        return new ClaimConflict(ClaimConflict.Kind.REQUESTS, names, core.isSmallest(), core.obstacles());
    }

    private Claim.Request request(Name name) {
        return problem.claims().get(name.claim()).requests().get(name.request());
    }

    @Override
    public boolean isFeasible(ClaimProblem asked, List<Name> names, SearchSteps steps) {
        try {
            Forms forms = asked.forms(0);
            ClaimState state = asked.state();
            List<ExactSearch.Open> open = new ArrayList<>();
            names.forEach(name -> open.add(
                    new ExactSearch.Open(forms.byClaim().get(name.claim()).get(name.request()))));
            return new ExactSearch(open, state, new Components(state.units, state, forms), steps).isFeasible();
        } catch (Raised e) {
            return false;
        }
    }

    @Override
    public boolean isLike(Name one, Name other) {
        boolean sameClaim = one.claim() == other.claim();
        for (int c : sameClaim ? new int[] {one.claim()} : new int[] {one.claim(), other.claim()}) {
            for (Claim.Constraint constraint : problem.claims().get(c).constraints()) {
                if (!sameClaim || !constraint.requests().isEmpty()) {
                    return false;
                }
            }
        }
        return request(one).isLike(request(other));
    }

    @Override
    public boolean concerns(int claim, List<Name> some) {
        return some.stream().anyMatch(name -> name.claim() == claim);
    }

    @Override
    public List<ClaimObstacle> obvious(List<Name> core) {
        List<ClaimObstacle> found = new ArrayList<>();
        Forms forms = problem.forms(0);
        for (Name name : core) {
            List<Form> alternatives = forms.byClaim().get(name.claim()).get(name.request());
            Form form = alternatives.get(alternatives.size() - 1);
            int accepted = form.countAccepted();
            if (accepted < Math.max(1, form.need)) {
                found.add(new ClaimObstacle.TooFewDevices(form.toString(), form.need, accepted));
            }
        }
        return found;
    }
}
