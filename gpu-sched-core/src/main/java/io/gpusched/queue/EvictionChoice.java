package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What leaves for a request. */
final class EvictionChoice extends VictimChoice {
    private final Sources sources;

    EvictionChoice(Planning plan, CyclePass pass, Request request, Sources sources) {
        super(plan, pass, request);
        this.sources = sources;
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
        List<Statement.Change> changes = new ArrayList<>();
        Session after = without(leaving, changes);
        after = after == null ? null : after.nominate(request.job(), placements);
        return after != null && isAdmitted(after, changes, placements);
    }

    @Override
    public List<List<Victim>> byNode() {
        Statement found = statement();
        if (found == null || plan.input().settings().kaiVictims()) {
            return List.of();
        }
        Set<Integer> queues = new HashSet<>(); // queues that lose something anyhow
        found.changes().stream()
                .filter(change -> change.kind() == Statement.Kind.EVICT)
                .forEach(change -> queues.add(plan.input().job(change.job()).queue));
        return byNode(sources.all().stream()
                .filter(victim -> queues.contains(victim.facts().queue))
                .toList());
    }
}
