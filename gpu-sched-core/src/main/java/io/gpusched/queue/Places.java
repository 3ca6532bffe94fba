package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where pods go: the scheduler's answers. One scheduler for each snapshot that goes on through a plan and each policy, so that the index
 * of each follows in small steps.
 */
final class Places {
    /** The snapshots that are asked about. */
    enum View {
        NOW,
        STRICT,
        LATER,
        WITHOUT,
        EMPTIED,
        FORECAST
    }

    /** What was found: placements, or why there are none. */
    record Found(List<Placement> placements, @Nullable Unschedulable refusal) {
        /** There are places, but they are not free for long enough. */
        static final Found NONE = new Found(List.of(), null);

        boolean isPlaced() {
            return !placements.isEmpty();
        }
    }

    private static final int MOST_POLICIES = 8;

    private final GpuScheduler like;
    /** Of the policies that were asked for last: jobs name them, and there may be ever others. */
    private final Map<PlacementPolicy, Map<View, GpuScheduler>> schedulers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PlacementPolicy, Map<View, GpuScheduler>> eldest) {
            return size() > MOST_POLICIES;
        }
    };

    Places(GpuScheduler like) {
        this.like = like;
    }

    PlacementPolicy policy() {
        return like.policy();
    }

    SearchBudget budget() {
        return like.budget();
    }

    private GpuScheduler scheduler(View view, JobFacts job) {
        PlacementPolicy policy = job.job.spec().policy().orElse(like.policy());
        return schedulers
                .computeIfAbsent(policy, any -> new EnumMap<>(View.class))
                .computeIfAbsent(
                        view,
                        any -> like.toBuilder()
                                .policy(policy)
                                .listener(decided -> {}) // what-ifs are not its business
                                .build());
    }

    /** Looks for places of all pods of a request: of the first members that make the minimum, else of any that do. */
    Found find(View view, Cluster cluster, Request request, JobFacts job) {
        GpuScheduler scheduler = scheduler(view, job);
        if (request.isPod()) {
            Decision decision = scheduler.schedule(cluster, request.pods().get(0));
            return decision instanceof Placed placed
                    ? new Found(List.of(placed.placement()), null)
                    : new Found(List.of(), (Unschedulable) decision);
        }
        GroupDecision decision = scheduler.schedule(cluster, request.group());
        PodGroup whole = request.whole();
        if (decision instanceof Unschedulable && whole != null) {
            decision = scheduler.schedule(cluster, whole);
        }
        return decision instanceof GroupPlaced placed
                ? new Found(minimal(placed.placements(), request, job), null)
                : new Found(List.of(), (Unschedulable) decision);
    }

    /** Members beyond the minimum come later, one by one, in fair order; where pods look at each other, all that were found start. */
    private static List<Placement> minimal(List<Placement> found, Request request, JobFacts job) {
        boolean isMore = found.size() > Members.size(request.group());
        if (!isMore || !request.isAlone()) {
            return found;
        }
        return Members.fewest(job.job.group(), request.placed(), found);
    }

    /** Whether a pod may be at a place, as a new pod would be asked: conditions of the node, rules between pods, what is free. */
    boolean admits(View view, Cluster cluster, JobFacts job, Placement placement) {
        return scheduler(view, job)
                .refusal(cluster, job.member(placement.pod()), placement)
                .isEmpty();
    }

    /**
     * Whether pods may be at places that they have on a snapshot, one after the other as new pods would be asked: one that must be near
     * others is not near members that come after it.
     */
    boolean admits(View view, Cluster cluster, JobFacts job, List<Placement> placements) {
        return placements.equals(inOrder(view, cluster, job, placements));
    }

    /** Whether pods may be at places that they have on a snapshot in some order. */
    boolean admitsInSomeOrder(View view, Cluster cluster, JobFacts job, List<Placement> placements) {
        return inOrder(view, cluster, job, placements) != null;
    }

    /**
     * Returns places that pods have on a snapshot in an order in which new pods may take them: one that must be near others is not near
     * members that come after it. Null if there is none.
     */
    @Nullable
    List<Placement> inOrder(View view, Cluster cluster, JobFacts job, List<Placement> placements) {
        if (!job.needsOthers) {
            return placements.stream().allMatch(placement -> admits(view, cluster, job, placement)) ? placements : null;
        }
        List<Placement> ordered = new ArrayList<>();
        List<Placement> rest = new ArrayList<>(placements);
        Cluster there = Snapshots.without(cluster, rest);
        while (!rest.isEmpty()) {
            int before = rest.size();
            for (Placement placement : List.copyOf(rest)) {
                Cluster more = Snapshots.with(there, placement);
                if (more != null && admits(view, more, job, placement)) {
                    there = more;
                    rest.remove(placement);
                    ordered.add(placement);
                }
            }
            if (rest.size() == before) {
                return null;
            }
        }
        return ordered;
    }

    /** Returns a refusal of a request that is known to find no room on a snapshot, with its diagnosis if that is asked for. */
    Unschedulable refuse(Cluster cluster, Request request, JobFacts job, Certainty certainty) {
        GpuScheduler alike = like;
        PlacementPolicy policy = job.job.spec().policy().orElse(like.policy());
        String subject = request.isPod()
                ? "pod \"" + request.pods().get(0).id() + "\""
                : "pod group \"" + request.group().name() + "\"";
        return Unschedulable.of(subject, certainty, () -> {
            GpuScheduler scheduler = alike.toBuilder().policy(policy).build();
            return diagnosis(scheduler, cluster, request);
        });
    }

    private static Diagnosis diagnosis(GpuScheduler scheduler, Cluster cluster, Request request) {
        Object decision = request.isPod()
                ? scheduler.schedule(cluster, request.pods().get(0))
                : scheduler.schedule(cluster, request.whole() == null ? request.group() : request.whole());
        return ((Unschedulable) decision).diagnosis();
    }
}
