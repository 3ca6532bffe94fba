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

/** What makes room for a request; each choice is a statement that the gate judges. */
abstract class VictimChoice implements MakeRoom.Victims<Victim> {
    /** How many of the cheapest victims are looked at node by node. */
    private static final int CANDIDATES = 32;

    final Planning plan;
    final Request request;
    private final CyclePass pass;
    private @Nullable Statement statement;
    private @Nullable PendingReason forbidden;

    VictimChoice(Planning plan, CyclePass pass, Request request) {
        this.plan = plan;
        this.pass = pass;
        this.request = request;
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

    /** Members beyond a minimum leave with it. */
    @Override
    public boolean follows(Victim victim, Set<Victim> needed) {
        return !victim.isMinimum()
                && needed.stream().anyMatch(other -> other.isMinimum() && other.job() == victim.job());
    }

    /** The members of a gang that runs with more than its minimum, or that this plan gives more members. */
    @Override
    public List<Victim> members(Victim victim, Collection<Victim> leaving) {
        Session session = plan.session();
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

    /** Whether the others of their job may go on without them. */
    @Override
    public boolean mayLeaveRest(List<Victim> members) {
        Victim first = members.get(0);
        Set<PodId> before = Members.ids(plan.session().status(first.job()).running());
        Set<PodId> after = new HashSet<>(before);
        members.forEach(member -> after.removeAll(Members.ids(member.placements())));
        return MinimumLaw.mayStay(first.facts(), before, after);
    }

    private static boolean startsMore(JobFacts facts, List<Placement> running) {
        int before = facts.job.status().running().size();
        return before > 0 && running.size() > before;
    }

    /** The session once these leave, the cheapest first, which is added to the changes; null if they cannot. */
    @Nullable
    Session without(List<Victim> dearestFirst, List<Statement.Change> changes) {
        Map<Integer, List<Placement>> ofJobs = new LinkedHashMap<>();
        for (int i = dearestFirst.size() - 1; i >= 0; i--) {
            Victim victim = dearestFirst.get(i);
            ofJobs.computeIfAbsent(victim.job(), job -> new ArrayList<>()).addAll(victim.placements());
            changes.addAll(Statement.changes(Statement.Kind.EVICT, victim.job(), victim.placements()));
        }
        Session after = plan.session();
        for (Map.Entry<Integer, List<Placement>> job : ofJobs.entrySet()) {
            after = after == null ? null : after.evict(job.getKey(), job.getValue());
        }
        return after;
    }

    /** Holds places for the request after these changes; whether the gate admits it, which then makes it the statement. */
    boolean isAdmitted(Session after, List<Statement.Change> changes, List<Placement> places) {
        changes.addAll(Statement.changes(Statement.Kind.NOMINATE, request.job(), places));
        boolean isDecided = request.isAlone() && !plan.input().isRuled();
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

    /** Whether the highest priority of the jobs that leave is lower, or the same and fewer pods leave. */
    @Override
    public boolean isCheaper(List<Victim> leaving, List<Victim> other) {
        int result = Integer.compare(highestPriority(leaving), highestPriority(other));
        return result != 0 ? result < 0 : pods(leaving) < pods(other);
    }

    private static int highestPriority(List<Victim> victims) {
        return victims.stream().mapToInt(Victim::priority).max().orElse(Integer.MIN_VALUE);
    }

    private static int pods(List<Victim> victims) {
        return victims.stream().mapToInt(victim -> victim.placements().size()).sum();
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
