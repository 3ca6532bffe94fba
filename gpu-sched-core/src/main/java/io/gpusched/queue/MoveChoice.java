package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What moves for a request: jobs that find another place each. */
final class MoveChoice extends VictimChoice {
    /** How many nodes are looked at one by one. */
    private static final int NODES = 32;

    /** A minimum before members beyond it, which can only stay if it does. */
    private static final Comparator<Victim> LARGEST_FIRST = Comparator.comparing((Victim victim) -> !victim.isMinimum())
            .thenComparingLong(victim -> -victim.amounts()[ResourceTable.GPU]);

    private final VictimPool all;
    private final Iterator<Victim> rest;
    private String stuck = "";

    /** Jobs of one pod on a node; at least some have to move off it. */
    private record OnNode(List<Victim> victims, int least, long gpus) {}

    MoveChoice(Planning plan, Request request) {
        super(plan, CyclePass.CONSOLIDATE, request);
        this.all = plan.victims().all(plan.session());
        this.rest = all.victims().iterator();
    }

    /** The last job that found no other place. */
    String stuck() {
        return stuck.isEmpty() ? plan.input().job(request.job()).name() : stuck;
    }

    /** The job's own members stay: moved for it they would be apart from each other. */
    private boolean mayMove(Victim victim) {
        return victim.job() != request.job();
    }

    @Override
    public @Nullable Victim next() {
        while (rest.hasNext()) {
            Victim victim = rest.next();
            if (mayMove(victim)) {
                return victim;
            }
        }
        return null;
    }

    @Override
    public List<Victim> all() {
        return all.victims().stream().filter(this::mayMove).toList();
    }

    /** The small ones move: they find another place more easily. */
    @Override
    public List<Victim> dearestFirst(List<Victim> leaving) {
        List<Victim> order = super.dearestFirst(leaving);
        order.sort(LARGEST_FIRST);
        return order;
    }

    /** Finds new places for all that move, the dearest first; what starts by this plan starts there at once if that may be. */
    @Override
    public boolean areAllowed(List<Victim> leaving, List<Placement> found) {
        return isAllowed(leaving, found, true)
                || leaving.stream().anyMatch(MoveChoice::isStartedNow) && isAllowed(leaving, found, false);
    }

    private boolean isAllowed(List<Victim> leaving, List<Placement> found, boolean startsAtOnce) {
        List<Placement> placements = plan.ofMembers(request, found);
        List<Statement.Change> changes = new ArrayList<>();
        Session after = without(leaving, changes);
        after = after == null ? null : after.nominate(request.job(), placements);
        for (Victim victim : leaving) {
            List<Placement> to = after == null ? List.of() : placesOf(victim, after);
            if (after == null || to.isEmpty()) {
                stuck = victim.facts().name();
                return false;
            }
            Session started = startsAtOnce && isStartedNow(victim) ? after.start(victim.job(), to) : null;
            after = started == null ? after.nominate(victim.job(), to) : started;
            Statement.Kind kind = started == null ? Statement.Kind.NOMINATE : Statement.Kind.START;
            changes.addAll(Statement.changes(kind, victim.job(), to));
        }
        return after != null && isAdmitted(after, changes, placements);
    }

    /** What starts by this plan does not run yet, so that it can start elsewhere at once. */
    private static boolean isStartedNow(Victim victim) {
        return Collections.disjoint(
                Members.ids(victim.facts().job.status().running()), Members.ids(victim.placements()));
    }

    private List<Placement> placesOf(Victim victim, Session after) {
        JobFacts facts = victim.facts();
        Cluster later = after.later();
        boolean isAll = after.status(victim.job()).running().isEmpty();
        PodGroup again = Members.again(facts.job.group(), victim.placements(), isAll);
        Request moved = Request.of(
                victim.job(),
                again,
                null,
                Members.ids(after.status(victim.job()).running()),
                victim.amounts(),
                true);
        List<Placement> found =
                plan.places().find(Places.View.WITHOUT, later, moved, facts).placements();
        List<Placement> ordered = new ArrayList<>();
        for (Placement from : victim.placements()) {
            found.stream().filter(to -> to.pod().equals(from.pod())).forEach(ordered::add);
        }
        boolean isMoved = isStartedNow(victim) || ordered.stream().noneMatch(to -> isThere(victim, to));
        return isMoved ? ordered : List.of();
    }

    /** Whether a place is the one that a member has already, so that nothing is moved. */
    private static boolean isThere(Victim victim, Placement to) {
        return victim.placements().stream()
                .anyMatch(from -> from.pod().equals(to.pod())
                        && from.node().equals(to.node())
                        && from.containers().equals(to.containers()));
    }

    /**
     * Jobs of one pod that might move off a node, node by node: where the fewest have to first, then where they hold the fewest GPUs. A
     * job that holds as many GPUs as are requested is not moved: where it could go, the request would have room.
     */
    @Override
    public List<List<Victim>> byNode() {
        if (plan.input().settings().kaiVictims()) {
            return byNode(all());
        }
        long asked = request.atLeast()[ResourceTable.GPU];
        Map<String, List<Victim>> byNode = new LinkedHashMap<>();
        for (Victim victim : all()) {
            boolean isSingle = victim.isMinimum()
                    && plan.session().status(victim.job()).running().size() == 1;
            if (isSingle && (asked == 0 || victim.amounts()[ResourceTable.GPU] < asked)) {
                String node = victim.placements().get(0).node();
                byNode.computeIfAbsent(node, any -> new ArrayList<>()).add(victim);
            }
        }
        List<OnNode> nodes = new ArrayList<>();
        byNode.forEach((node, victims) -> nodes.add(onNode(node, victims, asked)));
        return nodes.stream()
                .filter(one -> one.least() > 0)
                .sorted(Comparator.comparingInt(OnNode::least).thenComparingLong(OnNode::gpus))
                .limit(NODES)
                .map(OnNode::victims)
                .toList();
    }

    /** As many have to move as make as much free as is requested, the largest first; none where all are too few. */
    private OnNode onNode(String node, List<Victim> victims, long asked) {
        long[] held = victims.stream()
                .mapToLong(victim -> victim.amounts()[ResourceTable.GPU])
                .sorted()
                .toArray();
        long free = plan.session().later().node(node).orElseThrow().freeComputeMillis();
        int least = 0;
        while (least < held.length && (least == 0 || free < asked)) {
            free += held[held.length - ++least];
        }
        return new OnNode(victims, free < asked ? 0 : least, LongStream.of(held).sum());
    }
}
