package io.gpusched.claim;

import io.gpusched.check.Checks;
import io.gpusched.claim.ClaimError.Kind;
import io.gpusched.decision.Certainty;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.schedule.SearchBudget;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Allocates devices to claims on one node: a pure function of what drivers publish, what is in use and what is asked.
 *
 * <p>In mode {@link Mode#EXACT} an answer is the best there is: the first alternatives that can be had together, earlier requests
 * before later ones; then for each request in turn the smallest devices that leave all others possible; then, by
 * {@link Order}, the devices that leave most to others. In mode {@link Mode#FIRST_FIT} it is what Kubernetes 1.38 would choose, error
 * for error and device for device.
 *
 * <p>Example: on a GPU cut into seven slices, "three partitions of one slice, then one of four" is served: the small ones go to the
 * slices that a partition of four cannot have. With four such GPUs, Kubernetes' own search does not find that within a minute.
 *
 * <p>Immutable and thread-safe.
 */
public final class ClaimAllocator {
    /** How devices are chosen. */
    public enum Mode {
        /** The best way there is. */
        EXACT,
        /** The choice of Kubernetes 1.38. */
        FIRST_FIT
    }

    /** Which of equally small devices is taken in mode {@link Mode#EXACT}. */
    public enum Order {
        /** That which makes the fewest others unusable, then the first in the pool. */
        LEAST_HARM,
        /** The first in the pool. */
        LISTED
    }

    private static final ClaimError INVALID_POOL =
            new ClaimError(Kind.INVALID_POOL, "a pool contradicts itself, and no other serves the claims");

    /** Steps after which a walk is guided. */
    private static final long ALONE = 2_000;

    private final Mode mode;
    private final Order order;
    private final Set<ClaimFeature> features;
    private final SearchBudget budget;

    private ClaimAllocator(Mode mode, Order order, Set<ClaimFeature> features, SearchBudget budget) {
        this.mode = mode;
        this.order = order;
        this.features = features;
        this.budget = budget;
    }

    /** Returns an exact allocator of a cluster of Kubernetes 1.38, with {@link Order#LEAST_HARM} and the default budget. */
    public static ClaimAllocator exact() {
        return new ClaimAllocator(Mode.EXACT, Order.LEAST_HARM, ClaimFeature.KUBERNETES_1_38, SearchBudget.DEFAULT);
    }

    /** Returns an allocator that chooses as Kubernetes 1.38 does. */
    public static ClaimAllocator firstFit() {
        return new ClaimAllocator(Mode.FIRST_FIT, Order.LISTED, ClaimFeature.KUBERNETES_1_38, SearchBudget.DEFAULT);
    }

    /** Returns one that prefers among equally small devices by this order. */
    public ClaimAllocator withOrder(Order preferred) {
        return new ClaimAllocator(mode, Objects.requireNonNull(preferred, "preferred"), features, budget);
    }

    /** Returns one for a cluster in which just these features are on. */
    public ClaimAllocator withFeatures(Set<ClaimFeature> on) {
        Checks.noNulls("on", on);
        Set<ClaimFeature> copy = EnumSet.noneOf(ClaimFeature.class);
        copy.addAll(on);
        return new ClaimAllocator(mode, order, copy, budget);
    }

    /** Returns one with this budget for each decision. */
    public ClaimAllocator withBudget(SearchBudget steps) {
        return new ClaimAllocator(mode, order, features, Objects.requireNonNull(steps, "steps"));
    }

    /**
     * Allocates claims on a node, all or none.
     *
     * @param slices every slice of the cluster; slices of other nodes count for the state of pools
     * @param claims the claims; answers name them in this order
     * @throws IllegalArgumentException if two classes have one name
     */
    public ClaimDecision allocate(
            ClaimNode node,
            List<ResourceSlice> slices,
            Collection<DeviceClass> classes,
            DevicesInUse inUse,
            List<Claim> claims) {
        Objects.requireNonNull(node, "node");
        return new ClaimProblem(List.of(node), slices, byName(classes), inUse, Checks.list("claims", claims), features)
                .solve(this::solve, budget);
    }

    /**
     * Allocates the claims of a gang: a node for each of its pods and devices for their claims, all or none, chosen together.
     * Alternatives are the best that can be had together, as in {@link #allocate}; with those, each pod in turn has the first node that
     * leaves room for all others; then devices are chosen as in {@link #allocate}. That is so in either mode: Kubernetes
     * has no choice of its own for a gang, it takes pod after pod.
     *
     * @param nodes nodes on which pods may run, in the order in which they are preferred
     * @param slices every slice of the cluster
     * @throws IllegalArgumentException if two classes have one name
     */
    public GangDecision allocateGang(
            List<ClaimNode> nodes,
            List<ResourceSlice> slices,
            Collection<DeviceClass> classes,
            DevicesInUse inUse,
            ClaimGang gang) {
        Objects.requireNonNull(gang, "gang");
        List<Claim> claims =
                gang.claims().stream().map(ClaimGang.PodClaim::claim).toList();
        ClaimProblem problem =
                new ClaimProblem(Checks.list("nodes", nodes), slices, byName(classes), inUse, claims, features);
        return new GangChoice(problem, gang, order == Order.LEAST_HARM, budget).decide();
    }

    private ClaimDecision solve(ClaimProblem problem, SearchSteps steps) {
        return mode == Mode.FIRST_FIT ? firstFit(problem, steps) : exact(problem, steps);
    }

    private ClaimDecision firstFit(ClaimProblem problem, SearchSteps steps) {
        Forms forms = problem.forms(0);
        SearchSteps alone = steps.atMost(ALONE);
        long allowed = alone.left();
        List<List<StockWalk.Pick>> picks = new StockWalk(forms, problem.state(), alone, null).run();
        steps.spend(allowed, alone);
        if (alone.isReached() && steps.left() > 0) {
            ClaimState state = problem.state();
            StockWalk.Guide guide = StockWalk.Guide.of(forms, state, steps);
            picks = new StockWalk(forms, state, steps, guide.isTrusted() ? guide : null).run();
        }
        if (picks != null) {
            return new ClaimDecision.Allocated(
                    Certainty.PROVEN, ClaimProblem.allocations(problem.claims(), picks), taken(steps));
        }
        if (!steps.isReached() && problem.hasInvalidPool(0)) {
            return INVALID_POOL;
        }
        Certainty certainty = steps.isReached() ? Certainty.LIMIT : Certainty.PROVEN;
        return refused(problem, certainty, steps);
    }

    private ClaimDecision exact(ClaimProblem problem, SearchSteps steps) {
        Forms forms = problem.forms(0);
        ClaimState state = problem.state();
        Components components = new Components(state.units, state, forms);
        List<ExactSearch.Open> open = ClaimProblem.open(forms);
        ExactSearch search = new ExactSearch(open, state, components, steps);
        if (new ExactChoice(search, steps, order == Order.LEAST_HARM).choose()) {
            Certainty certainty = steps.isReached() ? Certainty.FOUND : Certainty.PROVEN;
            return new ClaimDecision.Allocated(
                    certainty,
                    ClaimProblem.allocations(problem.claims(), ClaimProblem.picks(forms, open)),
                    taken(steps));
        }
        Optional<ClaimError> error = Optional.ofNullable(search.error()).or(() -> state.brokenByAll(forms));
        if (steps.isReached()) {
            return refused(problem, Certainty.LIMIT, steps);
        }
        if (error.isPresent()) {
            return error.get();
        }
        if (problem.hasInvalidPool(0)) {
            return INVALID_POOL;
        }
        return refused(problem, Certainty.PROVEN, steps);
    }

    private ClaimDecision refused(ClaimProblem problem, Certainty certainty, SearchSteps steps) {
        return new ClaimRefusal(
                certainty, taken(steps), () -> new RequestConflict(problem).find(SearchSteps.of(budget.steps())));
    }

    private long taken(SearchSteps steps) {
        return budget.steps() - steps.left();
    }

    private static Map<String, DeviceClass> byName(Collection<DeviceClass> classes) {
        Checks.noNulls("classes", classes);
        Map<String, DeviceClass> byName = new TreeMap<>();
        for (DeviceClass one : classes) {
            if (byName.put(one.name(), one) != null) {
                throw new IllegalArgumentException("device classes: two have the name \"" + one.name() + "\"");
            }
        }
        return byName;
    }
}
