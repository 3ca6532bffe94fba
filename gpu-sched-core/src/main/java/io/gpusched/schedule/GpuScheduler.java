package io.gpusched.schedule;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Choice;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.internal.diagnosis.ChoiceExplainer;
import io.gpusched.internal.diagnosis.Diagnoser;
import io.gpusched.internal.diagnosis.GangDiagnoser;
import io.gpusched.internal.diagnosis.PlacementWarnings;
import io.gpusched.internal.diagnosis.TreeDiagnoser;
import io.gpusched.internal.fit.GrantFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.GangMemberships;
import io.gpusched.internal.gang.GangResult;
import io.gpusched.internal.gang.GangScheduler;
import io.gpusched.internal.gang.GangTree;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.WorkloadProfile;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Decides where pods go; {@link io.gpusched.queue.SchedulingCycle} decides which of many jobs start, move and leave.
 *
 * <p>A decision depends on the snapshot, the request and the policy alone; nothing is applied and nothing is remembered
 * that could change an answer. If any node has room for a pod, a place is found, and no legal placement scores higher
 * (on a node whose links are known the links choose the GPUs, and the policy compares nodes);
 * where a search would take more steps than its {@link SearchBudget} allows, the decision says that it is not proven.
 *
 * <p>It keeps one index of the cluster, which follows from the snapshot that it was asked about last to the one that it is asked about
 * now by their difference. So snapshots that come of each other, what-ifs among them, cost O(nodes changed &middot; log n); one of another
 * cluster costs O(n), and so does each decision where two clusters are asked about in turn: <em>take a scheduler for each cluster</em>.
 *
 * <p>Cost beside that: with {@link BinPack} and {@link FirstFit}, for pods of at most one GPU container, an intersection of bitmaps in
 * node order, typically O(log n); with {@link io.gpusched.policy.RandomFit} too. With other policies the scheduler
 * remembers, for each spec of pod it saw lately, how the nodes rank: nodes in the same state are scored once, the first pod
 * of a spec costs O(states of nodes), a later one O(nodes changed since &middot; log n), where a node more, a node less or
 * other labels are changes like any other. The statistics of a {@link io.gpusched.policy.ClusterAwarePolicy} are kept up the
 * same way. Policies that look at the pod's name look at every node that may have room.
 *
 * <p>Memory: the index, O(n), and the latest snapshot; at most 4,096 specs; and for all specs together as many scores as it is told, of
 * 20 bytes each. Where that is too few to hold all, each spec keeps its best, and ranks all states again once these are used up. While a
 * group is placed within a domain the ranking of its nodes counts among these; it is forgotten with the decision.
 *
 * <p>Not thread-safe because of what it remembers; take one for each thread. Any number may work on one snapshot. A decision that is
 * asked for while another is made, by a second thread or by a policy, throws {@link ConcurrentModificationException} as far as that
 * is noticed.
 */
public final class GpuScheduler {
    /** How many scores a scheduler remembers unless told otherwise: four million, 80 MiB. */
    public static final long DEFAULT_MEMORY = 4L << 20;

    private static final Consumer<Decided> UNHEARD = GpuScheduler::unheard;

    private final PlacementSearch search;
    private final SearchBudget budget;
    private final Consumer<Decided> listener;
    private final SharedValues shared = new SharedValues();

    /** Whether a decision is being made; not synchronized, so that a second thread is mostly noticed, not always. */
    private boolean isBusy;

    private GpuScheduler(PlacementSearch search, SearchBudget budget, Consumer<Decided> listener) {
        this.search = search;
        this.budget = budget;
        this.listener = listener;
    }

    /**
     * Returns a scheduler with the default policy where it is known what pods usually ask, {@link LookAhead}: of the
     * library's policies the one that allocates most.
     *
     * @param profile what pods usually ask, best taken from all pods of the past
     */
    public static GpuScheduler create(WorkloadProfile profile) {
        Objects.requireNonNull(profile, "profile");
        return of(LookAhead.of(profile));
    }

    /** Returns a scheduler with the default policy where nothing is known of the workload, {@link BinPack}. */
    public static GpuScheduler create() {
        return of(BinPack.of());
    }

    /** Returns a scheduler with this policy, and the default budget and memory. */
    public static GpuScheduler of(PlacementPolicy policy) {
        return builder().policy(policy).build();
    }

    /** Starts a scheduler with the policy {@link BinPack}, the budget {@link SearchBudget#DEFAULT} and the memory {@link #DEFAULT_MEMORY}. */
    public static Builder builder() {
        return new Builder(BinPack.of());
    }

    /** Starts a scheduler with the policy, budget, memory and listener of this one; what this one remembers is not shared. */
    public Builder toBuilder() {
        return new Builder(policy()).budget(budget).memory(search.memory()).listener(listener);
    }

    /** The listener of decisions where none is set. */
    private static void unheard(Decided decided) {}

    /** Returns how much each decision may search. */
    public SearchBudget budget() {
        return budget;
    }

    /** Returns the policy. */
    public PlacementPolicy policy() {
        return search.policy();
    }

    /**
     * Decides where a pod goes.
     *
     * @throws PlacementConflictException if a pod of this name runs already
     */
    public Decision schedule(Cluster cluster, Pod pod) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(pod, "pod");
        requireUnplaced(cluster, pod);
        SearchSteps steps = steps();
        Decision decision;
        begin();
        try {
            PodDemand demand = shared.demand(pod);
            Placement placement = search.find(cluster, demand, SlotRange.EVERYWHERE, steps);
            decision = placement == null
                    ? refuse(cluster, demand, steps.isReached() ? Certainty.LIMIT : Certainty.PROVEN)
                    : placed(cluster, pod, placement, !steps.isReached());
        } finally {
            isBusy = false;
        }
        if (listener != UNHEARD) {
            tell(subject(pod), 1, decision.isPlaced(), decision.certainty(), steps);
        }
        return decision;
    }

    private void begin() {
        if (isBusy) {
            throw new ConcurrentModificationException(this + ": a decision is asked for while another is made"
                    + "\nMaybe two threads share the scheduler: take one for each.");
        }
        isBusy = true;
    }

    private Placed placed(Cluster cluster, Pod pod, Placement placement, boolean isProven) {
        List<Fact> warnings = pod.spec().concernsOthers() || pod.group().isPresent()
                ? PlacementWarnings.of(cluster, search.rules(cluster), pod, placement)
                : List.of();
        return new Placed(placement.withGroup(pod.group()), found(isProven), warnings);
    }

    private void tell(String subject, int pods, boolean isPlaced, Certainty certainty, SearchSteps steps) {
        listener.accept(new Decided(subject, pods, isPlaced, certainty, budget.steps() - steps.left()));
    }

    static String subject(Pod pod) {
        return "pod \"" + pod.id() + "\"";
    }

    /**
     * Returns why a pod cannot go to one node; nothing if it can. The remedy is the least that would have to change there.
     *
     * @throws PlacementConflictException if there is no node of this name, or a pod of this name runs already
     */
    public Optional<Diagnosis> whyNot(Cluster cluster, String node, Pod pod) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        NodeState state = cluster.requireNode(node);
        requireUnplaced(cluster, pod);
        String subject = subject(pod) + " on node \"" + node + "\"";
        return Optional.ofNullable(Diagnoser.diagnose(
                cluster, List.of(state), RuleCounts.of(cluster), new PodDemand(pod), subject, steps()));
    }

    /**
     * Returns why a pod may not be where a placement puts it, now; nothing if it may. Asked is what a new pod is asked: the node's
     * cordon, taints and labels, rules between pods both ways, ports, groups, capacity, health and links of the GPUs; the grants are
     * checked as they are, and no other ones are looked for. If the pod runs already, it is asked as if it did not.
     *
     * <p>The reason is the first that applies, in the order of the codes. It is {@link Code#NODE_NAME} if there is no such node, and
     * {@link Code#GPU_LAYOUT} if the grants are not what the pod's containers ask, or not what a GPU has left for all of them.
     * {@link #whyNot} tells more.
     *
     * <p>Cost: some microseconds; where the pod has rules that the scheduler does not know yet, O(nodes + pods) once.
     *
     * @throws IllegalArgumentException if the placement is another pod's
     */
    public Optional<Code> refusal(Cluster cluster, Pod pod, Placement placement) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(placement, "placement");
        if (!placement.isOf(pod.id())) {
            throw new IllegalArgumentException(
                    subject(pod) + ": the placement must be its own, got that of pod \"" + placement.pod() + "\"");
        }
        Cluster others = cluster.placement(pod.id()).isPresent() ? cluster.without(pod.id()) : cluster;
        NodeState node = others.node(placement.node()).orElse(null);
        if (node == null) {
            return Optional.of(Code.NODE_NAME);
        }
        begin();
        try {
            PodDemand demand = new PodDemand(pod).under(search.rules(others));
            return Optional.ofNullable(GrantFit.refusal(demand, placement, node));
        } finally {
            isBusy = false;
        }
    }

    /**
     * Returns why a pod goes where {@link #schedule(Cluster, Pod)} places it: the score, the runners-up and the rule that decided;
     * nothing if it has no place. Costs a decision for each candidate.
     *
     * @param most how many candidates at most, at least 1
     * @throws PlacementConflictException if a pod of this name runs already
     */
    public Optional<Choice> whyHere(Cluster cluster, Pod pod, int most) {
        requireUnplaced(Objects.requireNonNull(cluster, "cluster"), Objects.requireNonNull(pod, "pod"));
        Checks.inRange("candidates", "most", most, 1, Integer.MAX_VALUE);
        begin();
        try {
            return Optional.ofNullable(new ChoiceExplainer(search, cluster, shared.demand(pod), steps()).explain(most));
        } finally {
            isBusy = false;
        }
    }

    private SearchSteps steps() {
        return SearchSteps.of(budget.steps());
    }

    private static Certainty found(boolean isProven) {
        return isProven ? Certainty.PROVEN : Certainty.FOUND;
    }

    private Unschedulable refuse(Cluster cluster, PodDemand demand, Certainty certainty) {
        String subject = subject(demand.pod());
        boolean isRuled = demand.isAffectedBy(search.rules(cluster));
        return Unschedulable.of(subject, certainty, () -> {
            RuleCounts rules = isRuled ? RuleCounts.of(cluster) : RuleCounts.create();
            return Diagnoser.diagnose(cluster, rules, demand, subject, certainty, steps());
        });
    }

    static void requireUnplaced(Cluster cluster, Pod pod) {
        Placement running = cluster.placement(pod.id()).orElse(null);
        if (running != null) {
            throw new PlacementConflictException(
                    pod.id(),
                    running.node(),
                    "pod",
                    "cannot schedule pod \"" + pod.id() + "\": it already runs on node \"" + running.node()
                            + "\"\nMaybe release it first, or give the new pod another name.");
        }
    }

    /**
     * Decides whether a group of pods can start together, and where its members go: at least as many as the group and
     * each of its roles demand, or none.
     *
     * <p>Members are placed one by one where the policy likes them best, the minimum of each role first, then all others
     * in the group's order; a member without room then waits. Only where that does not get the group started does an
     * exact search decide, so a refusal is proven unless that search reached its limit; groups with rules between pods are
     * refused as {@link Certainty#LIMIT} instead, unless there is no room even without the rules. A group that must stay within a
     * domain gets the tightest domain that has room for all its members, else the roomiest that can start it. One that
     * must stay on a node gets the node that takes the most members, then the one where their scores add up to most. A
     * locality that is only preferred gives way to as few domains as it takes, or to any place. Of equally tight domains the
     * one is taken that stands in the fuller wider domain, so that wide domains stay whole.
     *
     * <p>A group of groups looks for its own domain in the same way, and within it starts its groups one after the other, each in
     * the domain that it needs, with as few members as that takes; when all has started the others follow. Equal slices are counted
     * instead, which is exact. For groups that differ, taking one after the other may miss a way: such a refusal says
     * {@link Certainty#LIMIT} unless counting or all pods as one group prove it.
     *
     * <p>Cost: for equal members O(nodes used · log n), with a domain O(domains · log n) more, and by a policy that scores nodes
     * O(states of its nodes) more for each spec of members, as far as the {@link SearchBudget} allows: beyond that members go
     * where bin-pack would put them; for members of many specs that do not fit one by one, up to the
     * search's limit.
     *
     * @throws PlacementConflictException if a member runs already
     */
    public GroupDecision schedule(Cluster cluster, PodGroup group) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(group, "group");
        group.pods().forEach(pod -> requireUnplaced(cluster, pod));
        SearchSteps steps = steps();
        GroupDecision decision;
        begin();
        try {
            decision = group.groups().isEmpty()
                    ? scheduleFlat(cluster, group, steps)
                    : scheduleTree(cluster, group, steps);
        } finally {
            search.forgetRanges();
            isBusy = false;
        }
        if (listener != UNHEARD) {
            tell(subject(group), group.pods().size(), decision.isPlaced(), decision.certainty(), steps);
        }
        return decision;
    }

    private GroupDecision scheduleFlat(Cluster cluster, PodGroup group, SearchSteps steps) {
        Gang gang = new Gang(group, shared);
        GangResult result = new GangScheduler(search, cluster, gang, steps).schedule(SlotRange.EVERYWHERE);
        GangFill fill = result.fill();
        if (fill != null) {
            return placed(cluster, group, fill.placements(), fill.waiting(), result.isProven());
        }
        return refused(group, result.isProven(), (subject, certainty) -> {
            SearchSteps again = steps();
            return new GangDiagnoser(search.anew(), cluster, gang, again).diagnose(subject, certainty);
        });
    }

    private GroupDecision scheduleTree(Cluster cluster, PodGroup group, SearchSteps steps) {
        GangTree.Result result = new GangTree(search, shared, steps).schedule(cluster, group);
        if (!result.placements().isEmpty()) {
            return placed(cluster, group, result.placements(), result.waiting(), result.isProven());
        }
        return refused(group, result.isProven(), (subject, certainty) -> {
            SearchSteps again = steps();
            return new TreeDiagnoser(search.anew(), cluster, again).diagnose(group, subject, certainty);
        });
    }

    private GroupPlaced placed(
            Cluster cluster, PodGroup group, List<Placement> members, List<PodId> waiting, boolean isProven) {
        List<Placement> placements = GangMemberships.of(group, members);
        Certainty certainty = isProven ? Certainty.PROVEN : Certainty.LIMIT;
        Map<PodId, Unschedulable> refusals = new LinkedHashMap<>();
        if (!waiting.isEmpty()) {
            Set<PodId> ids = Set.copyOf(waiting);
            Map<PodId, GroupMembership> memberships = group.memberships();
            group.pods().stream().filter(pod -> ids.contains(pod.id())).forEach(pod -> {
                Pod member = pod.withGroup(Optional.ofNullable(memberships.get(pod.id())));
                refusals.put(pod.id(), Unschedulable.of(subject(pod), certainty, () -> {
                    Cluster after = cluster.withAll(placements);
                    PodDemand demand = new PodDemand(member);
                    return Diagnoser.diagnose(after, RuleCounts.of(after), demand, subject(pod), certainty, steps());
                }));
            });
        }
        List<Fact> warnings = PlacementWarnings.of(cluster, search.rules(cluster), group, placements);
        return new GroupPlaced(placements, waiting, found(isProven), refusals, warnings);
    }

    static String subject(PodGroup group) {
        return "pod group \"" + group.name() + "\"";
    }

    /** What diagnoses must share nothing with this scheduler, which may decide on while another thread asks for it. */
    private static Unschedulable refused(
            PodGroup group, boolean isProven, BiFunction<String, Certainty, Diagnosis> diagnose) {
        String subject = subject(group);
        Certainty certainty = isProven ? Certainty.PROVEN : Certainty.LIMIT;
        return Unschedulable.of(subject, certainty, () -> diagnose.apply(subject, certainty));
    }

    /**
     * Returns the best way to place a pod on this one node, or nothing if there is none; where the search reaches its budget, the
     * best that it found, or nothing. Labels, taints, mode and cordon are looked at as in {@link #schedule(Cluster, Pod)}; {@linkplain Pod#rules() rules}, for which the other nodes have to be
     * known, are not.
     */
    public Optional<Placement> place(NodeState node, Pod pod) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        SearchSteps steps = steps();
        Placement found;
        begin();
        try {
            found = search.place(node, shared.demand(pod), steps);
        } finally {
            isBusy = false;
        }
        if (listener != UNHEARD) {
            boolean isProven = !steps.isReached();
            Certainty ofNone = isProven ? Certainty.PROVEN : Certainty.LIMIT;
            tell(subject(pod), 1, found != null, found == null ? ofNone : found(isProven), steps);
        }
        return Optional.ofNullable(found).map(placement -> placement.withGroup(pod.group()));
    }

    @Override
    public String toString() {
        return "scheduler by " + policy();
    }

    /** A scheduler to be. Each method replaces what was set before; {@link #build} may be called again. Not thread-safe. */
    public static final class Builder {
        private PlacementPolicy policy;
        private SearchBudget budget = SearchBudget.DEFAULT;
        private long memory = DEFAULT_MEMORY;
        private Consumer<Decided> listener = UNHEARD;

        private Builder(PlacementPolicy policy) {
            this.policy = policy;
        }

        /** Sets how places are compared. */
        public Builder policy(PlacementPolicy policy) {
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(policy.scope(), "policy.scope()");
            Objects.requireNonNull(policy.deviceOrder(), "policy.deviceOrder()");
            this.policy = policy;
            return this;
        }

        /** Sets how much each decision may search. */
        public Builder budget(SearchBudget budget) {
            this.budget = Objects.requireNonNull(budget, "budget");
            return this;
        }

        /**
         * Sets about how many scores the scheduler remembers, each of nodes in one state for one kind of pod, of 20 bytes each. With 0 it
         * remembers nothing between decisions, and every decision looks at every node that may have room. The decisions are the same.
         *
         * @param scores at least 0
         * @throws IllegalArgumentException if the number is negative
         */
        public Builder memory(long scores) {
            if (scores < 0) {
                throw new IllegalArgumentException("scheduler: memory must be at least 0 scores, got " + scores);
            }
            this.memory = scores;
            return this;
        }

        /**
         * Sets the listener of decisions; none unless set. It is called on the thread that decides and must not use the scheduler. An
         * exception of the listener reaches the caller; the scheduler decides on as before.
         */
        public Builder listener(Consumer<Decided> listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Returns the scheduler. */
        public GpuScheduler build() {
            return new GpuScheduler(PlacementSearch.of(policy, memory), budget, listener);
        }
    }
}
