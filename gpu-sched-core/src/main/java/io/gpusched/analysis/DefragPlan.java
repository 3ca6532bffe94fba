package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.model.Cluster;
import java.util.List;
import java.util.Objects;

/**
 * Moves that make room, in the order in which they are made.
 *
 * @param stages the moves, in stages; each makes room of its own; what buys most a pod moved comes first, as far as it can be had
 *     by then
 * @param before how many units of each wanted kind of room there were
 * @param after how many there are once all moves have been made
 * @param cluster the cluster once all moves have been made
 * @param extent whether the search came to its end; if the budget of steps ended before, more may be had
 */
public record DefragPlan(List<Stage> stages, List<Long> before, List<Long> after, Cluster cluster, Extent extent) {
    /**
     * Moves that together make room.
     *
     * @param moves the moves; each can be made once those before it have been made
     * @param gains what they buy
     */
    public record Stage(List<Move> moves, List<Gain> gains) {
        /** Copies the lists. */
        public Stage {
            moves = Checks.list("moves", moves);
            gains = Checks.list("gains", gains);
        }

        /** Returns how many pods move. */
        public int pods() {
            return moves.stream().mapToInt(move -> move.pods().size()).sum();
        }

        /** Returns what is gained, less what is lost elsewhere, by the worth of the units. */
        public long value() {
            return gains.stream()
                    .mapToLong(gain -> gain.units() * gain.room().weight())
                    .sum();
        }

        @Override
        public String toString() {
            return pods() + (pods() == 1 ? " pod" : " pods") + " moved for " + gains;
        }
    }

    /**
     * Room that is gained, or lost.
     *
     * @param room the kind of room
     * @param where the name of the node, or of the domain
     * @param units how many units more there are, negative if fewer
     */
    public record Gain(WantedRoom room, String where, long units) {
        /** Checks that nothing is missing. */
        public Gain {
            Objects.requireNonNull(room, "room");
            Objects.requireNonNull(where, "where");
        }

        @Override
        public String toString() {
            return (units > 0 ? "+" : "") + units + " " + room + " at " + where;
        }
    }

    /** Copies the lists. */
    public DefragPlan {
        stages = Checks.list("stages", stages);
        before = Checks.list("before", before);
        after = Checks.list("after", after);
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(extent, "extent");
    }

    /** Returns all moves in order. */
    public List<Move> moves() {
        return stages.stream().flatMap(stage -> stage.moves().stream()).toList();
    }

    /** Returns how many pods move; one that moves twice counts twice. */
    public int pods() {
        return stages.stream().mapToInt(Stage::pods).sum();
    }

    @Override
    public String toString() {
        return pods() + (pods() == 1 ? " pod" : " pods") + " moved: from " + before + " to " + after
                + (extent == Extent.COMPLETE ? "" : " (more may be had)");
    }
}
