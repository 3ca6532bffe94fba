package io.gpusched.kubernetes.defrag;

import io.gpusched.analysis.DefragPlan;
import io.gpusched.analysis.DefragPlan.Stage;
import io.gpusched.analysis.Defragmenter;
import io.gpusched.analysis.Move;
import io.gpusched.analysis.WantedRoom;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.manifests.grant.NominationRecord.Victim;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.schedule.SearchBudget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Carries out defragmentation, one move after the other. A plan is made of the cluster as it is; of it the first stage is taken. Its
 * nodes take no new pods meanwhile, so that an evicted pod's successor does not come back. The next pod leaves once the successor of
 * the one before runs. If that takes too long, a budget says no for good, or the cluster is no more as planned, the rest is dropped.
 *
 * <p>Nothing of it is written but evictions: a process that starts after this one was killed makes new plans. Times are the caller's, in
 * milliseconds. Not thread-safe.
 */
public final class DefragRound {
    /** What is told of a defragmentation in place of a job. */
    public static final String NAME = "defragmentation";

    /** A second or two. */
    private static final SearchBudget STEPS = SearchBudget.ofSteps(20_000_000);

    private final DefragSettings settings;
    private final MovablePods pods;
    private final Deque<Move> left = new ArrayDeque<>();
    private final Set<String> closed = new TreeSet<>();
    private long nextAt = Long.MIN_VALUE;
    private @Nullable Running running;

    /** A move under way: the pods that leave, and whose successors must run. */
    private record Running(List<Victim> victims, Set<String> owners, Set<String> before, long until) {}

    /**
     * What to do now.
     *
     * @param plan what was planned, if anything was and it gains something
     * @param evict the pod to evict, if any
     */
    public record Turn(Optional<DefragPlan> plan, Optional<Room> evict) {
        private static final Turn NOTHING = new Turn(Optional.empty(), Optional.empty());
    }

    /** Creates it; the scope says whose pods are moved. */
    public DefragRound(DefragSettings settings, Scope scope) {
        this.settings = settings;
        this.pods = new MovablePods(scope);
    }

    /** Takes note of changes. */
    public void apply(Change change) {
        pods.apply(change);
        if (change instanceof Change.RoomGivenUp given && given.job().equals(NAME)) {
            drop();
        }
    }

    /** Returns the nodes that take no new pods for now. */
    public Set<String> closed() {
        return Set.copyOf(closed);
    }

    /** Returns what to do, on the cluster as it is. */
    public Turn decide(Cluster cluster, long now) {
        if (running != null) {
            boolean isOver = isOver(running);
            if (!isOver && now < running.until()) {
                return Turn.NOTHING;
            }
            running = null;
            if (!isOver) {
                drop();
            }
            if (left.isEmpty()) {
                closed.clear();
                nextAt = now + settings.interval().toMillis();
            }
        }
        return left.isEmpty() ? plan(cluster, now) : new Turn(Optional.empty(), evict(cluster, now));
    }

    private Turn plan(Cluster cluster, long now) {
        if (now < nextAt) {
            return Turn.NOTHING;
        }
        nextAt = now + settings.interval().toMillis();
        DefragPlan plan =
                Defragmenter.plan(cluster, List.of(WantedRoom.wholeNodes()), pods.limits(settings.moves()), STEPS);
        if (plan.stages().isEmpty()) {
            return Turn.NOTHING;
        }
        if (!settings.evicts()) {
            return new Turn(Optional.of(plan), Optional.empty());
        }
        Stage first = plan.stages().get(0);
        left.addAll(first.moves());
        first.gains().stream().filter(gain -> gain.units() > 0).forEach(gain -> closed.add(gain.where()));
        return new Turn(Optional.of(plan), evict(cluster, now));
    }

    private Optional<Room> evict(Cluster cluster, long now) {
        Move move = left.remove();
        List<Victim> victims =
                move.pods().stream().flatMap(pod -> pods.victim(pod).stream()).toList();
        if (victims.size() < move.pods().size() || !isFeasible(cluster, move)) {
            drop();
            return Optional.empty();
        }
        Set<String> owners = pods.owners(victims);
        long until = now + settings.patience().toMillis();
        running = new Running(victims, owners, pods.ofOwners(owners), until);
        return Optional.of(new Room(NAME, List.of(), victims));
    }

    private static boolean isFeasible(Cluster cluster, Move move) {
        for (Placement held : move.from()) {
            if (cluster.placement(held.pod())
                    .filter(now -> now.node().equals(held.node()))
                    .isEmpty()) {
                return false;
            }
        }
        try {
            Cluster unused = move.applyTo(cluster);
            return true;
        } catch (PlacementConflictException e) {
            return false;
        }
    }

    /** Whether all have left and as many successors run. */
    private boolean isOver(Running move) {
        Set<String> successors = new HashSet<>(pods.ofOwners(move.owners()));
        successors.removeAll(move.before());
        return move.victims().stream().noneMatch(pods::isThere)
                && successors.size() >= move.victims().size();
    }

    private void drop() {
        left.clear();
        closed.clear();
        running = null;
    }
}
