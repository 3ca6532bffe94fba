package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Of a gang that would leave as a whole, members stay if those that need not leave for a newcomer make up its minimum. */
final class Spared {
    private final Planning plan;
    private final Newcomer newcomer;
    private final List<Victim> victims;
    private final List<Placement> newcomers;
    private final Predicate<List<Victim>> mayEnter;
    private @Nullable Cluster beside;

    /**
     * @param victims what would leave, the dearest first
     * @param newcomers where the newcomer goes
     * @param mayEnter whether limits allow the newcomer if only these leave
     */
    Spared(
            Planning plan,
            Newcomer newcomer,
            List<Victim> victims,
            List<Placement> newcomers,
            Predicate<List<Victim>> mayEnter) {
        this.plan = plan;
        this.newcomer = newcomer;
        this.victims = victims;
        this.newcomers = newcomers;
        this.mayEnter = mayEnter;
    }

    /** Returns what leaves then, the dearest first; null if no gang is spared. */
    @Nullable
    List<Victim> leaving() {
        Map<Integer, List<Victim>> gangs = new LinkedHashMap<>();
        for (Victim victim : victims) {
            boolean isGang = victim.facts().job.spec().eviction() == Eviction.GANG;
            if (isGang && victim.isMinimum() && isLarger(victim)) {
                gangs.put(victim.job(), List.of());
            }
        }
        boolean isSpared = false;
        for (Map.Entry<Integer, List<Victim>> gang : gangs.entrySet()) {
            gang.setValue(leaving(gang.getKey()));
            isSpared |= !gang.getValue().isEmpty();
        }
        return isSpared ? withParts(gangs) : null;
    }

    private boolean isLarger(Victim minimum) {
        return plan.session().status(minimum.job()).running().size()
                > minimum.facts().job.group().minMember();
    }

    /** The members that have to leave, each for itself; none if no minimum is left without them. */
    private List<Victim> leaving(int job) {
        Session session = plan.session();
        JobFacts facts = session.input().job(job);
        List<Placement> staying = new ArrayList<>();
        List<Victim> leaving = new ArrayList<>();
        Cluster before = beside();
        for (Placement member : session.status(job).running()) {
            leaving.add(new Victim(job, facts, List.of(member), session.held(List.of(member)), false, leaving.size()));
        }
        for (Victim part : List.copyOf(leaving)) {
            leaving.remove(part);
            Placement member = part.placements().get(0);
            Cluster more = mayEnter.test(withOthers(job, leaving)) ? running(beside(), member) : null;
            if (more != null && newcomer.isAdmitted(Snapshots.without(more, newcomers), newcomers)) {
                beside = more;
                staying.add(member);
            } else {
                leaving.add(part);
            }
        }
        if (Members.isMinimum(facts.job.group(), Members.ids(staying))) {
            return leaving;
        }
        beside = before;
        return List.of();
    }

    private List<Victim> withOthers(int job, List<Victim> parts) {
        List<Victim> all = new ArrayList<>(parts);
        victims.stream().filter(victim -> victim.job() != job).forEach(all::add);
        return all;
    }

    private static @Nullable Cluster running(Cluster cluster, Placement member) {
        try {
            return cluster.batch().placeRunning(member).build();
        } catch (PlacementConflictException e) {
            return null;
        }
    }

    private Cluster beside() {
        Cluster known = beside;
        if (known == null) {
            List<Placement> gone = new ArrayList<>();
            victims.forEach(victim -> gone.addAll(victim.placements()));
            known = Snapshots.without(plan.session().later(), gone).withAll(newcomers);
            beside = known;
        }
        return known;
    }

    private List<Victim> withParts(Map<Integer, List<Victim>> gangs) {
        List<Victim> leaving = new ArrayList<>();
        Set<Integer> done = new HashSet<>();
        for (Victim victim : victims) {
            List<Victim> parts = gangs.getOrDefault(victim.job(), List.of());
            if (parts.isEmpty()) {
                leaving.add(victim);
            } else if (done.add(victim.job())) {
                leaving.addAll(parts);
            }
        }
        return leaving;
    }
}
