package io.gpusched.queue;

import io.gpusched.analysis.MakeRoom;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What leaves for a request; each choice is a statement that the gate judges. */
final class EvictionChoice implements MakeRoom.Victims<Victim> {
    /** How many of the cheapest victims are looked at node by node. */
    private static final int CANDIDATES = 32;

    private final Planning plan;
    private final CyclePass pass;
    private final Request request;
    private final Sources sources;
    private @Nullable Statement statement;
    private @Nullable PendingReason forbidden;

    EvictionChoice(Planning plan, CyclePass pass, Request request, Sources sources) {
        this.plan = plan;
        this.pass = pass;
        this.request = request;
        this.sources = sources;
    }

    /** The last statement that the gate admitted; null if there was none. */
    @Nullable
    Statement statement() {
        return statement;
    }

    /** Why the gate refused the last statement that it refused. */
    @Nullable
    PendingReason forbidden() {
        return forbidden;
    }

    @Override
    public @Nullable Victim next() {
        return sources.next();
    }

    @Override
    public List<Victim> all() {
        return sources.all();
    }

    @Override
    public List<Placement> placements(Victim victim) {
        return victim.placements();
    }

    @Override
    public long[] amounts(Victim victim) {
        return victim.amounts();
    }

    @Override
    public List<Victim> dearestFirst(List<Victim> leaving) {
        List<Victim> order = new ArrayList<>(leaving);
        Collections.reverse(order);
        return order;
    }

    @Override
    public boolean follows(Victim victim, Set<Victim> needed) {
        return followsMinimum(victim, needed);
    }

    /** Members beyond a minimum leave with it. */
    static boolean followsMinimum(Victim victim, Set<Victim> needed) {
        return !victim.isMinimum()
                && needed.stream().anyMatch(other -> other.isMinimum() && other.job() == victim.job());
    }

    @Override
    public List<Victim> members(Victim victim, Collection<Victim> leaving) {
        return members(plan.session(), victim, leaving);
    }

    /** The members of a gang that runs with more than its minimum, or that this plan gives more members. */
    static List<Victim> members(Session session, Victim victim, Collection<Victim> leaving) {
        JobFacts facts = victim.facts();
        Eviction eviction = facts.job.spec().eviction();
        List<Placement> running = session.status(victim.job()).running();
        boolean isGang = victim.isMinimum() && (eviction == Eviction.GANG || eviction == Eviction.ALL);
        boolean isLarger =
                eviction == Eviction.GANG && running.size() > facts.job.group().minMember();
        if (!isGang || !isLarger && !startsMore(facts, running)) {
            return List.of();
        }
        Set<PodId> out = new HashSet<>();
        leaving.stream()
                .filter(other -> other.job() == victim.job())
                .forEach(other -> out.addAll(Members.ids(other.placements())));
        List<Victim> members = new ArrayList<>();
        for (Placement member : running) {
            if (out.contains(member.pod())) {
                long[] amounts = session.held(List.of(member));
                members.add(new Victim(victim.job(), facts, List.of(member), amounts, false, members.size()));
            }
        }
        return members;
    }

    @Override
    public boolean mayLeaveRest(List<Victim> members) {
        return mayLeaveRest(plan.session(), members);
    }

    /** Whether the others of their job may go on without them. */
    static boolean mayLeaveRest(Session session, List<Victim> members) {
        Victim first = members.get(0);
        Set<PodId> before = Members.ids(session.status(first.job()).running());
        Set<PodId> after = new HashSet<>(before);
        members.forEach(member -> after.removeAll(Members.ids(member.placements())));
        return MinimumLaw.mayStay(first.facts(), before, after);
    }

    private static boolean startsMore(JobFacts facts, List<Placement> running) {
        int before = facts.job.status().running().size();
        return before > 0 && running.size() > before;
    }

    @Override
    public boolean mayEnter(List<Victim> leaving) {
        Session session = plan.session();
        PlanInput input = session.input();
        Queues queues = input.queues();
        Map<Integer, long[]> freed = new LinkedHashMap<>();
        for (Victim victim : leaving) {
            for (int q = victim.facts().queue; q >= 0; q = queues.parent(q)) {
                Amounts.add(
                        freed.computeIfAbsent(q, any -> new long[input.table().size()]), victim.amounts());
            }
        }
        for (int q = input.job(request.job()).queue; q >= 0; q = queues.parent(q)) {
            long[] held = session.held().get(q);
            if (freed.containsKey(q)) {
                held = held.clone();
                Amounts.subtract(held, freed.getOrDefault(q, held));
            }
            if (Amounts.firstAbove(held, request.atLeast(), queues.limit(q)) >= 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean areAllowed(List<Victim> leaving, List<Placement> found) {
        List<Placement> placements = plan.ofMembers(request, found);
        Session session = plan.session();
        List<Statement.Change> changes = new ArrayList<>();
        Session after = evict(session, leaving, changes);
        after = after == null ? null : after.nominate(request.job(), placements);
        if (after == null) {
            return false;
        }
        changes.addAll(Statement.changes(Statement.Kind.NOMINATE, request.job(), placements));
        boolean isDecided = request.isAlone() && !session.input().isRuled();
        Statement proposed =
                new Statement(pass, request.job(), request.atLeast(), after, changes, isDecided, isDecided);
        PendingReason reason = plan.judge(proposed);
        if (reason == null) {
            statement = proposed;
        } else {
            forbidden = reason;
        }
        return reason == null;
    }

    /** The session once these leave, the cheapest first; null if they cannot. */
    static @Nullable Session evict(Session session, List<Victim> dearestFirst, List<Statement.Change> changes) {
        Map<Integer, List<Placement>> ofJobs = new LinkedHashMap<>();
        for (int i = dearestFirst.size() - 1; i >= 0; i--) {
            Victim victim = dearestFirst.get(i);
            ofJobs.computeIfAbsent(victim.job(), job -> new ArrayList<>()).addAll(victim.placements());
            changes.addAll(Statement.changes(Statement.Kind.EVICT, victim.job(), victim.placements()));
        }
        Session after = session;
        for (Map.Entry<Integer, List<Placement>> job : ofJobs.entrySet()) {
            after = after == null ? null : after.evict(job.getKey(), job.getValue());
        }
        return after;
    }

    @Override
    public boolean isCheaper(List<Victim> leaving, List<Victim> other) {
        return areCheaper(leaving, other);
    }

    /** Whether the highest priority of the jobs that leave is lower, or the same and fewer pods leave. */
    static boolean areCheaper(List<Victim> leaving, List<Victim> other) {
        int result = Integer.compare(highestPriority(leaving), highestPriority(other));
        return result != 0 ? result < 0 : pods(leaving) < pods(other);
    }

    private static int highestPriority(List<Victim> victims) {
        return victims.stream().mapToInt(Victim::priority).max().orElse(Integer.MIN_VALUE);
    }

    private static int pods(List<Victim> victims) {
        return victims.stream().mapToInt(victim -> victim.placements().size()).sum();
    }

    @Override
    public List<List<Victim>> byNode() {
        Statement found = statement;
        if (found == null || plan.input().settings().kaiVictims()) {
            return List.of();
        }
        Set<Integer> queues = new HashSet<>(); // queues that lose something anyhow
        found.changes().stream()
                .filter(change -> change.kind() == Statement.Kind.EVICT)
                .forEach(change -> queues.add(plan.input().job(change.job()).queue));
        return byNode(sources.all().stream()
                .filter(victim -> queues.contains(victim.facts().queue))
                .limit(CANDIDATES)
                .toList());
    }

    /** Those of the cheapest victims that are on a node, node by node. */
    static List<List<Victim>> byNode(List<Victim> victims) {
        List<Victim> cheapest = victims.stream().limit(CANDIDATES).toList();
        Set<String> nodes = new LinkedHashSet<>();
        cheapest.forEach(victim -> victim.placements().forEach(placement -> nodes.add(placement.node())));
        return nodes.stream().map(node -> on(node, cheapest)).toList();
    }

    /** The jobs with a member on a node, and with a minimum the members beyond it. */
    private static List<Victim> on(String node, List<Victim> victims) {
        Set<Integer> whole = new LinkedHashSet<>();
        for (Victim victim : victims) {
            if (victim.isMinimum() && victim.isOn(node)) {
                whole.add(victim.job());
            }
        }
        return victims.stream()
                .filter(victim -> whole.contains(victim.job()) || victim.isOn(node))
                .toList();
    }
}
