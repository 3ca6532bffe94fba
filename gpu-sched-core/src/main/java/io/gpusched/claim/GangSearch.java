package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Raised;
import io.gpusched.claim.ExactSearch.Group;
import io.gpusched.claim.ExactSearch.Open;
import io.gpusched.internal.fit.SearchSteps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes for the pods of a gang, such that all their claims can be served at once; exact.
 *
 * <p>Pods choose nodes in order, depth first. With each pod the claims of all pods so far must be served together, which
 * {@link ExactSearch} decides: first beside the devices that it found for the others, else with all those devices shared out again among
 * the pods that can use them ({@link #cluster}). So a dead end is met at the first pod that cannot join those before it. Three things
 * keep the search short: bounds over all pods, those without a node included; equal nodes and equal pods stand for each other in the memory of
 * dead ends; and what was found for a pod is kept until another pod needs it.
 */
final class GangSearch {
    /** Devices of a request in its form. */
    record Held(int form, List<Unit> units) {}

    /** Where pods are so far, and what their claims have. */
    record Choice(List<Integer> nodes, Map<Integer, List<Open>> opens, Map<Open, Held> held) {
        Choice copy() {
            return new Choice(new ArrayList<>(nodes), new LinkedHashMap<>(opens), new HashMap<>(held));
        }

        /** Returns the requests of a claim of a pod that has a node. */
        List<Open> of(int claim) {
            return Objects.requireNonNull(opens.get(claim), "no such claim");
        }

        /** Returns what a request has. */
        Held has(Open open) {
            return Objects.requireNonNull(held.get(open), "no devices");
        }

        List<Open> all() {
            return opens.values().stream().flatMap(List::stream).toList();
        }
    }

    private final ClaimProblem problem;
    private final ClaimGang gang;
    private final List<Integer> pods;
    private final SearchSteps steps;
    private final ClaimState state;
    private final ExactSearch search;
    private final Map<String, Integer> numbers = new HashMap<>();
    /** By claim and node the forms of its requests; absent: not asked yet, empty: the node cannot be asked. */
    private final Map<List<Integer>, List<List<Form>>> forms = new HashMap<>();

    private final int[][] fixed;
    private final Map<Open, BitSet> touched = new HashMap<>();
    private final Set<List<Object>> dead = new HashSet<>();
    private boolean hasFailed;
    private final Kinds kinds = new Kinds();
    private @Nullable Choice found;

    /**
     * Prepares the search for some pods of a gang, by number.
     *
     * @throws Raised if a claim cannot be allocated as it stands
     */
    GangSearch(ClaimProblem problem, ClaimGang gang, List<Integer> pods, SearchSteps steps) {
        this.problem = problem;
        this.gang = gang;
        this.pods = pods;
        this.steps = steps;
        state = problem.state(calls(gang));
        fixed = new int[gang.claims().size()][];
        for (int c = 0; c < fixed.length; c++) {
            Claim claim = gang.claims().get(c).claim();
            numbers.put(claim.name(), c);
            fixed[c] = new int[claim.requests().size()];
            Arrays.fill(fixed[c], -1);
        }
        List<List<List<Form>>> some = new ArrayList<>();
        for (int c = 0; c < fixed.length; c++) {
            some.add(anyForms(c));
        }
        Components components = new Components(state.units, state, new Forms(problem.claims(), some));
        search = new ExactSearch(List.of(), state, components, steps);
    }

    /** Returns by claim the first pod that names it: with this pod's other claims it is allocated. */
    private static int[] calls(ClaimGang gang) {
        return gang.claims().stream()
                .mapToInt(one -> IntStream.range(0, gang.pods().size())
                        .filter(pod -> gang.pods()
                                .get(pod)
                                .claims()
                                .contains(one.claim().name()))
                        .findFirst()
                        .orElse(-1))
                .toArray();
    }

    ClaimState state() {
        return state;
    }

    ExactSearch search() {
        return search;
    }

    private List<List<Form>> anyForms(int claim) {
        boolean isUsed = pods.stream().anyMatch(pod -> openClaims(pod).contains(claim));
        for (int n = 0; isUsed && n < problem.nodes().size(); n++) {
            if (!forms(claim, n).isEmpty()) {
                return forms(claim, n);
            }
        }
        return List.of();
    }

    private List<List<Form>> forms(int claim, int node) {
        return forms.computeIfAbsent(List.of(claim, node), key -> {
            try {
                return problem.forms(claim, node);
            } catch (Raised e) {
                if (e.error().isOfOneNode()) {
                    return List.of();
                }
                throw e;
            }
        });
    }

    /** Returns the claims of a pod that are to be allocated. */
    private List<Integer> openClaims(int pod) {
        return gang.pods().get(pod).claims().stream()
                .map(name -> numbers.getOrDefault(name, -1))
                .filter(c -> gang.claims().get(c).reach().isEmpty())
                .toList();
    }

    private boolean mayRun(int pod, int node) {
        ClaimGang.Pod asked = gang.pods().get(pod);
        return asked.nodes()
                        .map(names ->
                                names.contains(problem.nodes().get(node).node().name()))
                        .orElse(true)
                && asked.claims().stream()
                        .map(name -> gang.claims().get(numbers.getOrDefault(name, -1)))
                        .flatMap(one -> one.reach().stream())
                        .allMatch(
                                reach -> reach.reaches(problem.nodes().get(node).node()));
    }

    /** Returns the claim that more pods name than may use it; -1 if there is none. */
    int overusedClaim() {
        int[] users = new int[fixed.length];
        for (int pod : pods) {
            for (String name : gang.pods().get(pod).claims()) {
                int c = numbers.getOrDefault(name, -1);
                if (++users[c] > gang.claims().get(c).mostPods()) {
                    return c;
                }
            }
        }
        return -1;
    }

    /** Returns the requests of a pod that accept too few devices on each of its nodes, in their last form, with the most that a node has. */
    List<ClaimObstacle> tooFew(int pod) {
        List<ClaimObstacle> few = new ArrayList<>();
        for (int claim : openClaims(pod)) {
            for (int r = 0; r < problem.claims().get(claim).requests().size(); r++) {
                Form fullest = null;
                for (int n = 0; n < problem.nodes().size(); n++) {
                    List<List<Form>> requests = mayRun(pod, n) ? forms(claim, n) : List.of();
                    Form form = requests.isEmpty()
                            ? null
                            : requests.get(r).get(requests.get(r).size() - 1);
                    if (form != null && (fullest == null || form.countAccepted() > fullest.countAccepted())) {
                        fullest = form;
                    }
                }
                if (fullest != null && fullest.countAccepted() < Math.max(1, fullest.need)) {
                    few.add(new ClaimObstacle.TooFewDevices(fullest.toString(), fullest.need, fullest.countAccepted()));
                }
            }
        }
        return few;
    }

    /** Fixes the alternative of a request; -1 leaves it open. */
    void fix(int claim, int request, int alternative) {
        fixed[claim][request] = alternative;
        dead.clear();
    }

    /** Returns the choice of {@link #isFeasible} that was found last. */
    Choice found() {
        return Objects.requireNonNull(found, "found");
    }

    /** Returns whether all pods can run at once; false also if the limit of steps was reached. */
    boolean isFeasible() {
        Choice none = new Choice(Collections.nCopies(gang.pods().size(), -1), Map.of(), Map.of());
        return overusedClaim() < 0 && isBounded(0, none) && place(0, none);
    }

    private boolean place(int depth, Choice choice) {
        if (depth == pods.size()) {
            found = choice;
            return true;
        }
        if (hasFailed && (dead.contains(kinds.keyOf(depth, choice)) || !isBounded(depth, choice))) {
            return false;
        }
        int pod = pods.get(depth);
        for (int n = 0; n < problem.nodes().size(); n++) {
            if (!steps.take(1)) {
                return false;
            }
            Choice next = mayRun(pod, n) ? with(choice, pod, n) : null;
            if (next != null && place(depth + 1, next)) {
                return true;
            }
        }
        hasFailed = true;
        if (!steps.isReached()) {
            dead.add(kinds.keyOf(depth, choice));
        }
        return false;
    }

    /** Returns the choice with one more pod on a node; null if the claims so far cannot be served with it. */
    private @Nullable Choice with(Choice choice, int pod, int node) {
        Choice next = choice.copy();
        next.nodes().set(pod, node);
        List<Open> fresh = new ArrayList<>();
        for (int claim : openClaims(pod)) {
            List<Open> had = next.opens().get(claim);
            List<Open> opens = had == null ? opens(claim, node) : barred(had, node, next.held());
            if (opens == null) {
                return null;
            }
            if (opens != had) {
                next.opens().put(claim, opens);
                fresh.addAll(opens.stream()
                        .filter(one -> !next.held().containsKey(one))
                        .toList());
            }
        }
        return fresh.isEmpty() || extend(next, fresh) || rearrange(next, fresh) ? next : null;
    }

    private @Nullable List<Open> opens(int claim, int node) {
        List<List<Form>> requests = forms(claim, node);
        if (requests.isEmpty() && !problem.claims().get(claim).requests().isEmpty()) {
            return null;
        }
        List<Open> opens = new ArrayList<>();
        for (int r = 0; r < requests.size(); r++) {
            Open open = new Open(requests.get(r));
            open.chosen = fixed[claim][r];
            opens.add(open);
        }
        return opens;
    }

    /** Returns the requests of a claim without the devices that a further node does not reach; they keep what they have if they may. */
    private List<Open> barred(List<Open> had, int node, Map<Open, Held> held) {
        BitSet reached = state.units.views.get(node).reached(state.units);
        BitSet missed = new BitSet();
        had.forEach(open -> open.forms.forEach(form -> missed.or(search.accepted(form))));
        missed.andNot(reached);
        if (had.stream().allMatch(open -> isWithin(missed, open.barred))) {
            return had;
        }
        List<Open> opens = new ArrayList<>();
        boolean keeps = true;
        for (Open open : had) {
            Open narrow = new Open(open.forms);
            narrow.chosen = open.chosen;
            narrow.barred = (BitSet) open.barred.clone();
            narrow.barred.or(missed);
            Held own = held.get(open);
            keeps &= own != null && own.units().stream().noneMatch(unit -> missed.get(unit.index));
            opens.add(narrow);
        }
        for (int i = 0; i < opens.size(); i++) {
            Held own = held.remove(had.get(i));
            if (keeps && own != null) {
                held.put(opens.get(i), own);
            }
        }
        return opens;
    }

    private static boolean isWithin(BitSet some, BitSet all) {
        BitSet rest = (BitSet) some.clone();
        rest.andNot(all);
        return rest.isEmpty();
    }

    /** Serves requests beside what the others have. */
    private boolean extend(Choice next, List<Open> fresh) {
        fresh.forEach(open -> open.forms.forEach(search::accepted));
        int taken = 0;
        for (Map.Entry<Open, Held> one : next.held().entrySet()) {
            Form form = one.getKey().forms.get(one.getValue().form());
            for (Unit unit : one.getValue().units()) {
                state.take(form, unit);
                taken++;
            }
        }
        boolean served = search.isFeasible(fresh);
        for (; taken > 0; taken--) {
            state.undo();
        }
        return served && keep(next, fresh);
    }

    /** Serves requests together with all others that may have to give way to them. */
    private boolean rearrange(Choice next, List<Open> fresh) {
        List<Open> cluster = cluster(next.all(), fresh);
        return cluster.size() > fresh.size() && search.isFeasible(cluster) && keep(next, cluster);
    }

    private boolean keep(Choice next, List<Open> served) {
        ExactSearch.Witness witness = search.witness();
        IdentityHashMap<List<Unit>, Integer> used = new IdentityHashMap<>();
        for (Open open : served) {
            int form = witness.chosen().getOrDefault(open, 0);
            int need = (int) open.forms.get(form).need;
            List<Unit> units = witness.devices().getOrDefault(open, List.of());
            int from = used.getOrDefault(units, 0);
            used.put(units, from + need);
            next.held().put(open, new Held(form, List.copyOf(units.subList(from, from + need))));
        }
        return true;
    }

    /** Returns, in their order, the requests that may want devices that some others may want, and so on. */
    List<Open> cluster(List<Open> all, List<Open> some) {
        Set<Open> in = new LinkedHashSet<>(some);
        Set<Integer> claims = new HashSet<>();
        BitSet components = new BitSet();
        some.forEach(open -> {
            claims.add(open.forms.get(0).claim);
            components.or(touched(open));
        });
        boolean grows = true;
        while (grows) {
            grows = false;
            for (Open open : all) {
                if (!in.contains(open)
                        && (claims.contains(open.forms.get(0).claim)
                                || touched(open).intersects(components))) {
                    in.add(open);
                    claims.add(open.forms.get(0).claim);
                    components.or(touched(open));
                    grows = true;
                }
            }
        }
        return all.stream().filter(in::contains).toList();
    }

    private BitSet touched(Open open) {
        return touched.computeIfAbsent(open, key -> {
            BitSet components = new BitSet();
            for (Form form : open.forms) {
                search.accepted(form).stream()
                        .filter(d -> !open.barred.get(d))
                        .forEach(d -> components.set(search.components.of[d]));
            }
            return components;
        });
    }

    /** Returns whether no bound says that the claims of all pods, with or without a node, cannot be served. */
    private boolean isBounded(int depth, Choice choice) {
        List<Group> groups = search.groups(choice.all());
        if (groups == null) {
            return false;
        }
        Map<List<Object>, Group> equal = new HashMap<>();
        Set<Integer> seen = new HashSet<>(choice.opens().keySet());
        for (int pod : pods.subList(depth, pods.size())) {
            for (int claim : openClaims(pod)) {
                if (seen.add(claim)) {
                    List<Group> undecided = kinds.undecided(pod, claim);
                    if (undecided.size()
                            < problem.claims().get(claim).requests().size()) {
                        return false;
                    }
                    for (Group group : undecided) {
                        if (group.candidates.cardinality() < group.need) {
                            return false;
                        }
                        search.add(groups, equal, group.copy());
                    }
                }
            }
        }
        return search.isBounded(groups);
    }

    /** Which pods, claims and nodes are equal but for their names. */
    private final class Kinds {
        private final Map<List<Object>, Integer> claimKinds = new HashMap<>();
        private final Map<List<Object>, List<Group>> undecided = new HashMap<>();
        private final Map<List<Object>, Integer> podKinds = new HashMap<>();
        private final Map<Integer, Integer> kindOfPod = new HashMap<>();
        private final List<Integer> examples = new ArrayList<>();
        private int @Nullable [] kindOfNode;

        private int kind(int claim) {
            Claim asked = problem.claims().get(claim);
            return claimKinds.computeIfAbsent(List.of(asked.requests(), asked.constraints()), key -> claimKinds.size());
        }

        private BitSet nodes(int pod) {
            BitSet nodes = new BitSet();
            for (int n = 0; n < problem.nodes().size(); n++) {
                nodes.set(n, mayRun(pod, n));
            }
            return nodes;
        }

        /** Returns what bounds may know of a claim's requests while its pod has no node, except of requests that no node serves. */
        List<Group> undecided(int pod, int claim) {
            BitSet nodes = nodes(pod);
            List<Object> key = new ArrayList<>(List.of(kind(claim), nodes));
            for (int alternative : fixed[claim]) {
                key.add(alternative);
            }
            return undecided.computeIfAbsent(key, any -> {
                List<Group> groups = new ArrayList<>();
                for (int r = 0; r < problem.claims().get(claim).requests().size(); r++) {
                    undecided(claim, r, nodes).ifPresent(groups::add);
                }
                return groups;
            });
        }

        private Optional<Group> undecided(int claim, int request, BitSet nodes) {
            long need = Long.MAX_VALUE;
            BitSet candidates = new BitSet();
            List<Form> any = new ArrayList<>();
            for (int n = nodes.nextSetBit(0); n >= 0; n = nodes.nextSetBit(n + 1)) {
                for (Form form : forms(claim, n).isEmpty()
                        ? List.<Form>of()
                        : forms(claim, n).get(request)) {
                    int alternative = fixed[claim][request];
                    BitSet own = search.accepted(form);
                    if ((alternative < 0 || alternative == form.alternative)
                            && own.cardinality() >= form.need
                            && (form.everyDevice == null || form.everyDevice.length > 0)) {
                        need = Math.min(need, form.need);
                        candidates.or(own);
                        any.add(form);
                    }
                }
            }
            return any.isEmpty() ? Optional.empty() : Optional.of(Group.undecided(any, need, candidates));
        }

        private int podKind(int pod) {
            return kindOfPod.computeIfAbsent(pod, key -> {
                List<Object> parts = new ArrayList<>();
                parts.add(nodes(pod));
                for (int claim : openClaims(pod)) {
                    String name = problem.claims().get(claim).name();
                    boolean isShared = gang.pods().stream()
                                    .filter(one -> one.claims().contains(name))
                                    .limit(2)
                                    .count()
                            > 1;
                    parts.add(isShared ? name : kind(claim));
                    for (int alternative : fixed[claim]) {
                        parts.add(alternative);
                    }
                }
                Integer known = podKinds.get(parts);
                if (known == null) {
                    known = podKinds.size();
                    podKinds.put(parts, known);
                    examples.add(pod);
                }
                return known;
            });
        }

        /** Returns what the future of a choice depends on: how many pods of each kind are on how many nodes of each kind. */
        List<Object> keyOf(int depth, Choice choice) {
            int[] nodeKinds = nodeKinds();
            Map<Integer, List<Integer>> podsOn = new TreeMap<>();
            for (int pod : pods.subList(0, depth)) {
                podsOn.computeIfAbsent(choice.nodes().get(pod), n -> new ArrayList<>())
                        .add(podKind(pod));
            }
            List<List<Integer>> nodes = new ArrayList<>();
            podsOn.forEach((n, on) -> {
                on.sort(Comparator.naturalOrder());
                on.add(0, nodeKinds[n]);
                nodes.add(on);
            });
            nodes.sort(Comparator.comparing(Object::toString));
            List<Object> key = new ArrayList<>(nodes);
            key.add(depth);
            return key;
        }

        private int[] nodeKinds() {
            int[] known = kindOfNode;
            if (known != null) {
                return known;
            }
            pods.forEach(this::podKind);
            int[] reachedBy = new int[search.components.members.length];
            List<BitSet> components = new ArrayList<>();
            for (Units.View view : state.units.views) {
                BitSet own = new BitSet();
                view.reached(state.units).stream().forEach(d -> own.set(search.components.of[d]));
                own.stream().forEach(c -> reachedBy[c]++);
                components.add(own);
            }
            Map<List<Object>, Integer> kinds = new HashMap<>();
            known = new int[components.size()];
            for (int n = 0; n < known.length; n++) {
                known[n] = kinds.computeIfAbsent(kindOf(n, components.get(n), reachedBy), key -> kinds.size());
            }
            kindOfNode = known;
            return known;
        }

        private List<Object> kindOf(int node, BitSet components, int[] reachedBy) {
            List<Object> parts = new ArrayList<>();
            List<BitSet> accepted = new ArrayList<>();
            accepted.add(state.units.views.get(node).reached(state.units));
            for (int pod : examples) {
                parts.add(mayRun(pod, node));
                for (int claim : openClaims(pod)) {
                    forms(claim, node).forEach(request -> request.forEach(form -> accepted.add(search.accepted(form))));
                    parts.add(forms(claim, node).size());
                }
            }
            for (int c = components.nextSetBit(0); c >= 0; c = components.nextSetBit(c + 1)) {
                parts.add(reachedBy[c] > 1 ? -1 - c : search.components.signature[c]);
                for (int column : search.components.columns[c]) {
                    parts.add(state.free[column]);
                }
                for (int d : search.components.members[c]) {
                    parts.add(state.residue(state.units.all.get(d)));
                    BitSet acceptedBy = new BitSet();
                    for (int i = 0; i < accepted.size(); i++) {
                        acceptedBy.set(i, accepted.get(i).get(d));
                    }
                    parts.add(acceptedBy);
                }
            }
            return parts;
        }
    }
}
