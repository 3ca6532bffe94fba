package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Raised;
import io.gpusched.claim.ExactSearch.Open;
import io.gpusched.claim.GangSearch.Choice;
import io.gpusched.decision.Certainty;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.schedule.SearchBudget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The best way to serve the claims of a gang: alternatives first, then nodes, then devices. */
record GangChoice(ClaimProblem problem, ClaimGang gang, boolean leastHarm, SearchBudget budget)
        implements ConflictSearch.Question<Integer> {
    GangDecision decide() {
        SearchSteps steps = SearchSteps.of(budget.steps());
        List<Integer> all = IntStream.range(0, gang.pods().size()).boxed().toList();
        try {
            GangSearch search = new GangSearch(problem, gang, all, steps);
            if (search.isFeasible()) {
                chooseAlternatives(search, steps);
                return allocated(search, steps);
            }
            ClaimError error = search.search().error();
            if (error != null && !steps.isReached()) {
                return error;
            }
        } catch (Raised e) {
            return e.error();
        }
        return new ClaimRefusal(
                steps.isReached() ? Certainty.LIMIT : Certainty.PROVEN, budget.steps() - steps.left(), () -> {
                    ConflictSearch.Core<Integer> core =
                            new ConflictSearch<>(problem, this, SearchSteps.of(budget.steps())).find(all);
                    List<String> names = core.members().stream()
                            .map(pod -> gang.pods().get(pod).name())
                            .toList();
                    return new ClaimConflict(ClaimConflict.Kind.PODS, names, core.isSmallest(), core.obstacles());
                });
    }

    private static void chooseAlternatives(GangSearch search, SearchSteps steps) {
        Choice first = search.found();
        for (int claim : List.copyOf(first.opens().keySet())) {
            for (int r = 0; r < first.of(claim).size(); r++) {
                int known = form(search, claim, r);
                for (int better = 0; better < known && !steps.isReached(); better++) {
                    search.fix(claim, r, better);
                    if (search.isFeasible()) {
                        known = better;
                    }
                }
                search.fix(claim, r, known);
            }
        }
    }

    private static int form(GangSearch search, int claim, int request) {
        Choice choice = search.found();
        return choice.has(choice.of(claim).get(request)).form();
    }

    private GangDecision allocated(GangSearch search, SearchSteps steps) {
        Choice choice = search.found();
        List<Open> all = choice.all();
        all.forEach(open -> open.chosen = choice.has(open).form());
        Set<Open> done = new HashSet<>();
        for (Open open : all) {
            if (!done.contains(open)) {
                List<Open> cluster = search.cluster(all, List.of(open));
                done.addAll(cluster);
                chooseDevices(
                        new ExactSearch(cluster, search.state(), search.search().components, steps), choice, steps);
            }
        }
        List<ClaimAllocation> allocations = new ArrayList<>();
        new TreeMap<>(choice.opens())
                .forEach((claim, opens) -> allocations.add(new ClaimAllocation(
                        problem.claims().get(claim).name(),
                        opens.stream()
                                .flatMap(open -> open.given.stream()
                                        .map(unit -> ClaimProblem.grant(
                                                new StockWalk.Pick(open.forms.get(open.chosen), unit))))
                                .toList())));
        Map<String, String> nodes = new TreeMap<>();
        for (int pod = 0; pod < gang.pods().size(); pod++) {
            nodes.put(
                    gang.pods().get(pod).name(),
                    problem.nodes().get(choice.nodes().get(pod)).node().name());
        }
        return new GangDecision.Allocated(
                steps.isReached() ? Certainty.FOUND : Certainty.PROVEN,
                nodes,
                allocations,
                budget.steps() - steps.left());
    }

    private void chooseDevices(ExactSearch cluster, Choice choice, SearchSteps steps) {
        if (steps.isReached() || !new ExactChoice(cluster, steps, leastHarm).choose()) {
            cluster.open.forEach(open -> open.given.addAll(choice.has(open).units()));
        }
    }

    @Override
    public boolean isFeasible(ClaimProblem asked, List<Integer> pods, SearchSteps steps) {
        try {
            return new GangSearch(asked, gang, pods, steps).isFeasible();
        } catch (Raised e) {
            return false;
        }
    }

    @Override
    public boolean isLike(Integer one, Integer other) {
        ClaimGang.Pod mine = gang.pods().get(one);
        ClaimGang.Pod theirs = gang.pods().get(other);
        boolean alike = mine.nodes().equals(theirs.nodes())
                && mine.claims().size() == theirs.claims().size();
        for (int i = 0; alike && i < mine.claims().size(); i++) {
            String own = mine.claims().get(i);
            String another = theirs.claims().get(i);
            alike = own.equals(another) || !isShared(own) && !isShared(another) && isLike(claim(own), claim(another));
        }
        return alike;
    }

    private static boolean isLike(ClaimGang.PodClaim one, ClaimGang.PodClaim other) {
        return one.reach().equals(other.reach())
                && one.claim().requests().equals(other.claim().requests())
                && one.claim().constraints().equals(other.claim().constraints());
    }

    private boolean isShared(String claim) {
        return gang.pods().stream()
                        .filter(pod -> pod.claims().contains(claim))
                        .limit(2)
                        .count()
                > 1;
    }

    private ClaimGang.PodClaim claim(String name) {
        return gang.claims().stream()
                .filter(one -> one.claim().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public boolean concerns(int claim, List<Integer> some) {
        return claimsOf(some).contains(problem.claims().get(claim).name());
    }

    private Set<String> claimsOf(List<Integer> pods) {
        Set<String> names = new LinkedHashSet<>();
        pods.forEach(pod -> names.addAll(gang.pods().get(pod).claims()));
        return names;
    }

    @Override
    public List<ClaimObstacle> obvious(List<Integer> core) {
        GangSearch search = new GangSearch(problem, gang, core, SearchSteps.of(budget.steps()));
        int overused = search.overusedClaim();
        if (overused >= 0) {
            return List.of(new ClaimObstacle.TooManyPods(
                    problem.claims().get(overused).name(),
                    gang.claims().get(overused).mostPods()));
        }
        return core.size() == 1 ? search.tooFew(core.get(0)) : List.of();
    }
}
