package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the victims that must leave so that a newcomer has a place, for evictions and for moves.
 *
 * <p>Victims are taken out from the cheapest end, twice as many each time, until the newcomer finds a place. Then they are put back, the
 * dearest first. A victim that cannot be put back is needed: with it on the cluster the newcomer was searched for once more, and had no
 * place. Of a gang that cannot be put back as a whole the members are, one by one, if enough of them can stay. For a single pod the nodes
 * of the cheapest victims are then tried one by one, as fewer may do there. A refusal without all that may leave is a proof, as long as
 * the newcomer needs none of them.
 *
 * <p>Cost: O(log victims) searches until a place is found, and at most {@code probes} more.
 *
 * <pre>{@code
 * MakeRoom.Answer<Placement> answer = MakeRoom.find(cluster, newcomer, victims, 64);
 * }</pre>
 *
 * <p>Not thread-safe.
 *
 * @param <V> what may leave: one pod, or pods that leave together
 */
public final class MakeRoom<V> {
    /** What needs a place. */
    public interface Newcomer {
        /** Looks for a place on a snapshot. */
        Found find(Cluster cluster);

        /**
         * Returns whether the newcomer may be where it was found beside these others, which leave it what it takes: rules between pods
         * can forbid it.
         */
        default boolean isAdmitted(Cluster others, List<Placement> placements) {
            Objects.requireNonNull(others, "others");
            Objects.requireNonNull(placements, "placements");
            return true;
        }

        /** Returns how much of each resource it lacks at least beside all that run, in the units of {@link Victims#amounts}; nothing if unknown. */
        default long[] lacks() {
            return new long[0];
        }

        /** Returns whether it is one pod, so that one node is enough for it. */
        boolean isSinglePod();

        /** Returns whether a place may depend on pods that leave, as with required affinity or spread: then no refusal is a proof. */
        boolean needsOthers();
    }

    /**
     * Where a newcomer goes, or why nowhere.
     *
     * @param placements its places; empty if it has none
     * @param refusal why it has none; null if it has
     */
    public record Found(
            List<Placement> placements, @Nullable Unschedulable refusal) {
        /** Copies the list. */
        public Found {
            placements = Checks.list("placements", placements);
        }
    }

    /**
     * What may leave for one newcomer.
     *
     * @param <V> what leaves together
     */
    public interface Victims<V> {
        /** Returns the cheapest that may leave beside all that were returned before; null if there is none. */
        @Nullable
        V next();

        /** Returns all that may leave, each for itself, the cheapest first. */
        List<V> all();

        /** Returns what leaves with a victim. */
        List<Placement> placements(V victim);

        /** Returns how much of each resource a victim frees, of as many as the newcomer {@linkplain Newcomer#lacks lacks}. */
        default long[] amounts(V victim) {
            Objects.requireNonNull(victim, "victim");
            return new long[0];
        }

        /** Returns victims in the order in which they are put back, the dearest first. */
        List<V> dearestFirst(List<V> leaving);

        /** Returns whether a victim cannot stay once these leave, as with members beyond a minimum that leaves. */
        default boolean follows(V victim, Set<V> needed) {
            Objects.requireNonNull(victim, "victim");
            Objects.requireNonNull(needed, "needed");
            return false;
        }

        /**
         * Returns the members of a gang that would leave as a whole, each for itself: those of a victim, and of all others of its gang among
         * these that leave; none if the gang leaves only whole.
         */
        default List<V> members(V victim, Collection<V> leaving) {
            Objects.requireNonNull(victim, "victim");
            Objects.requireNonNull(leaving, "leaving");
            return List.of();
        }

        /** Returns whether the rest of a gang may stay if these {@linkplain #members members} leave. */
        default boolean mayLeaveRest(List<V> members) {
            Objects.requireNonNull(members, "members");
            return false;
        }

        /** Returns whether limits allow the newcomer if only these leave: with fewer victims it can only become false. */
        default boolean mayEnter(List<V> leaving) {
            Objects.requireNonNull(leaving, "leaving");
            return true;
        }

        /** Returns whether these may leave for a newcomer with these places: the last word. */
        default boolean areAllowed(List<V> leaving, List<Placement> placements) {
            Objects.requireNonNull(leaving, "leaving");
            Objects.requireNonNull(placements, "placements");
            return true;
        }

        /** Returns whether one choice costs less than another. */
        boolean isCheaper(List<V> leaving, List<V> other);

        /** Returns choices of victims for a single pod; each clears one node as far as it may; the most promising first. */
        List<List<V>> byNode();
    }

    /**
     * Where the newcomer goes and what leaves for it, or why there is no room.
     *
     * @param placements its places; empty if it has none
     * @param victims what leaves, the cheapest first
     * @param refusal why there is no place even without all that may leave; empty if there is one, or if a place was found that is not
     *     allowed
     * @param certainty whether a refusal is proven
     * @param <V> what leaves together
     */
    public record Answer<V>(
            List<Placement> placements, List<V> victims, Optional<Unschedulable> refusal, Certainty certainty) {
        /** Copies the lists. */
        public Answer {
            placements = Checks.list("placements", placements);
            victims = Checks.list("victims", victims);
            Objects.requireNonNull(refusal, "refusal");
            Objects.requireNonNull(certainty, "certainty");
        }

        /** Returns whether there is room. */
        public boolean isFound() {
            return !placements.isEmpty();
        }
    }

    private final Cluster cluster;
    private final Newcomer newcomer;
    private final Victims<V> victims;
    private int probes;

    private MakeRoom(Cluster cluster, Newcomer newcomer, Victims<V> victims, int probes) {
        this.cluster = cluster;
        this.newcomer = newcomer;
        this.victims = victims;
        this.probes = probes;
    }

    /**
     * Finds out what must leave.
     *
     * @param cluster what runs
     * @param newcomer what needs a place
     * @param victims what may leave
     * @param probes how many searches for a better choice are made at most once a place was found
     */
    public static <V> Answer<V> find(Cluster cluster, Newcomer newcomer, Victims<V> victims, int probes) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(newcomer, "newcomer");
        Objects.requireNonNull(victims, "victims");
        return new MakeRoom<>(cluster, newcomer, victims, probes).find();
    }

    private Answer<V> find() {
        List<V> out = new ArrayList<>();
        while (grow(out)) {
            Found found = newcomer.find(without(out));
            Choice choice = found.placements().isEmpty() ? null : allowed(out, found.placements());
            if (choice != null) {
                return answer(Objects.requireNonNull(cheapest(choice), "choice"));
            }
        }
        return withoutAll();
    }

    /** The last question: without all that may leave, a refusal is a proof. */
    private Answer<V> withoutAll() {
        List<V> all = victims.all();
        Found found = newcomer.find(without(all));
        if (!found.placements().isEmpty()) {
            Choice best = cheapest(allowed(all, found.placements()));
            return best != null ? answer(best) : new Answer<>(List.of(), List.of(), Optional.empty(), Certainty.LIMIT);
        }
        Unschedulable refusal = found.refusal();
        boolean isProven = refusal != null
                && refusal.certainty() == Certainty.PROVEN
                && !(newcomer.needsOthers() && !all.isEmpty());
        return new Answer<>(
                List.of(), List.of(), Optional.ofNullable(refusal), isProven ? Certainty.PROVEN : Certainty.LIMIT);
    }

    private Answer<V> answer(Choice choice) {
        List<V> cheapestFirst = new ArrayList<>(choice.victims);
        Collections.reverse(cheapestFirst);
        return new Answer<>(choice.placements, cheapestFirst, Optional.empty(), Certainty.FOUND);
    }

    /** Some that leave, the dearest first, and where the newcomer goes then. */
    private final class Choice {
        final List<V> victims;
        final List<Placement> placements;

        Choice(List<V> victims, List<Placement> placements) {
            this.victims = victims;
            this.placements = placements;
        }

        int pods() {
            return victims.stream()
                    .mapToInt(victim -> MakeRoom.this.victims.placements(victim).size())
                    .sum();
        }
    }

    /** Takes out twice as many as before, but at least what is lacking; returns whether there were more. */
    private boolean grow(List<V> out) {
        int before = out.size();
        int target = Math.max(1, 2 * before);
        long[] lacks = newcomer.lacks().clone();
        out.forEach(victim -> subtract(lacks, victims.amounts(victim)));
        while (out.size() < target || isPositive(lacks)) {
            V victim = victims.next();
            if (victim == null) {
                return out.size() > before && !isPositive(lacks);
            }
            out.add(victim);
            subtract(lacks, victims.amounts(victim));
        }
        return true;
    }

    private static void subtract(long[] sums, long[] taken) {
        for (int r = 0; r < sums.length; r++) {
            sums[r] -= taken[r];
        }
    }

    private static boolean isPositive(long[] amounts) {
        for (long amount : amounts) {
            if (amount > 0) {
                return true;
            }
        }
        return false;
    }

    private Cluster without(List<V> leaving) {
        ClusterBatch batch = cluster.batch();
        for (V victim : leaving) {
            victims.placements(victim).forEach(placement -> batch.release(placement.pod()));
        }
        return batch.build();
    }

    /** What leaves of these, if that is allowed: where members of a gang may not leave without the others, all of it; null if neither is. */
    private @Nullable Choice allowed(List<V> out, List<Placement> placements) {
        PutBack putBack = new PutBack(out, placements);
        Choice choice = putBack.choice(true);
        if (!victims.areAllowed(choice.victims, choice.placements)) {
            choice = putBack.isDivided ? new PutBack(out, placements).choice(false) : null;
            return choice != null && victims.areAllowed(choice.victims, choice.placements) ? choice : null;
        }
        return choice;
    }

    /** Puts back what can stay, the dearest first; what stays out is needed. */
    private final class PutBack {
        private final boolean isLimited = !victims.mayEnter(List.of());
        private final Set<V> needed = new LinkedHashSet<>();
        private final List<V> order;
        private Set<V> leaving;
        private long[] lacks;
        private Beside beside;
        private boolean isDivided;

        PutBack(List<V> out, List<Placement> placements) {
            order = victims.dearestFirst(out);
            leaving = new LinkedHashSet<>(order);
            lacks = newcomer.lacks().clone();
            out.forEach(victim -> subtract(lacks, victims.amounts(victim)));
            beside = new Beside(without(out), placements);
        }

        /** @param divides whether members of a gang are also put back one by one */
        Choice choice(boolean divides) {
            for (V victim : order) {
                boolean isDone = !leaving.contains(victim) // a member of a gang that was divided
                        || !victims.follows(victim, needed) && (isBack(victim, true) || divides && isDivided(victim));
                if (!isDone) {
                    needed.add(victim);
                }
            }
            return new Choice(List.copyOf(needed), beside.placements);
        }

        /** Puts a victim back, if the newcomer still has a place, perhaps another, and may enter. */
        private boolean isBack(V victim, boolean mayBeElsewhere) {
            long[] amounts = victims.amounts(victim);
            for (int r = 0; r < lacks.length; r++) {
                if (lacks[r] + amounts[r] > 0) {
                    return false;
                }
            }
            Beside back = isLimited && !mayEnterWithout(victim)
                    ? null
                    : beside.with(victims.placements(victim), mayBeElsewhere);
            if (back == null) {
                return false;
            }
            beside = back;
            leaving.remove(victim);
            add(lacks, amounts);
            return true;
        }

        private boolean mayEnterWithout(V victim) {
            return victims.mayEnter(
                    leaving.stream().filter(other -> !other.equals(victim)).toList());
        }

        /** Puts members of a gang back one by one, if these may run without the others; if need be around the place that was found. */
        private boolean isDivided(V victim) {
            List<V> members = victims.members(victim, leaving);
            return !members.isEmpty() && (isDivided(members, true) || isDivided(members, false));
        }

        private boolean isDivided(List<V> members, boolean mayBeElsewhere) {
            Set<V> leavingBefore = leaving;
            long[] lacksBefore = lacks.clone();
            Beside besideBefore = beside;
            Set<Placement> placements = new HashSet<>();
            members.forEach(member -> placements.addAll(victims.placements(member)));
            leaving = new LinkedHashSet<>(leaving);
            leaving.removeIf(other -> placements.containsAll(victims.placements(other)));
            leaving.addAll(members);
            List<V> left = new ArrayList<>(members);
            left.removeIf(member -> isBack(member, mayBeElsewhere));
            if (left.isEmpty() || left.size() < members.size() && victims.mayLeaveRest(left)) {
                needed.addAll(left);
                isDivided = true;
                return true;
            }
            leaving = leavingBefore;
            lacks = lacksBefore;
            beside = besideBefore;
            return false;
        }
    }

    private static void add(long[] sums, long[] added) {
        for (int r = 0; r < sums.length; r++) {
            sums[r] += added[r];
        }
    }

    /** What stays, without the newcomer and with it. */
    private final class Beside {
        private final Cluster others;
        private final Cluster all;
        private final List<Placement> placements;

        Beside(Cluster others, List<Placement> placements) {
            this(others, others.withAll(placements), placements);
        }

        private Beside(Cluster others, Cluster all, List<Placement> placements) {
            this.others = others;
            this.all = all;
            this.placements = placements;
        }

        /** Returns this with a victim back; null if the newcomer then has no place. */
        @Nullable
        Beside with(List<Placement> back, boolean mayBeElsewhere) {
            Cluster next = running(others, back);
            Cluster together = fitting(all, back);
            if (together != null && newcomer.isAdmitted(next, placements)) {
                return new Beside(next, together, placements);
            }
            if (probes <= 0 || !mayBeElsewhere) {
                return null;
            }
            probes--;
            Found again = newcomer.find(next);
            return again.placements().isEmpty() ? null : new Beside(next, again.placements());
        }
    }

    /** The snapshot with pods that ran in it before. */
    private static Cluster running(Cluster cluster, List<Placement> placements) {
        ClusterBatch batch = cluster.batch();
        placements.forEach(batch::placeRunning);
        return batch.build();
    }

    private static @Nullable Cluster fitting(Cluster cluster, List<Placement> placements) {
        try {
            return running(cluster, placements);
        } catch (PlacementConflictException e) {
            return null;
        }
    }

    /** For a single pod: the cheapest of a choice and of the choices that clear one node; null if there is none. */
    private @Nullable Choice cheapest(@Nullable Choice found) {
        if (!newcomer.isSinglePod() || found != null && found.pods() < 2) {
            return found;
        }
        Choice best = found;
        for (List<V> onNode : victims.byNode()) {
            Found place = newcomer.find(without(onNode));
            Choice choice = place.placements().isEmpty() ? null : new PutBack(onNode, place.placements()).choice(true);
            boolean isBetter = choice != null
                    && (best == null || victims.isCheaper(choice.victims, best.victims))
                    && victims.areAllowed(choice.victims, choice.placements);
            best = isBetter ? choice : best;
        }
        return best;
    }
}
