package io.gpusched.analysis;

import io.gpusched.analysis.DefragPlan.Gain;
import io.gpusched.analysis.DefragPlan.Stage;
import io.gpusched.model.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Lets pods that move twice go to their last place at once, where all moves can still be made and each stage still gains something. */
final class MoveShortcuts {
    private final Cluster cluster;
    private final MoveOrder order;
    private final BiFunction<Cluster, List<Move>, List<Gain>> gains;
    private List<Stage> stages;

    /**
     * @param order tells whether a move can be made
     * @param gains tells what moves buy
     */
    MoveShortcuts(
            Cluster cluster, List<Stage> stages, MoveOrder order, BiFunction<Cluster, List<Move>, List<Gain>> gains) {
        this.cluster = cluster;
        this.stages = stages;
        this.order = order;
        this.gains = gains;
    }

    /** Returns the stages with as many moves saved as can be. */
    List<Stage> taken() {
        for (int late = stages.size() - 1; late > 0; late--) {
            for (Move second : stages.get(late).moves()) {
                saveFirst(late, second);
            }
        }
        return stages;
    }

    /** Looks for the latest move before that takes the same pods. */
    private void saveFirst(int late, Move second) {
        for (int early = late - 1; early >= 0; early--) {
            for (Move first : stages.get(early).moves()) {
                if (first.pods().equals(second.pods())) {
                    replayed(early, first, late, second).ifPresent(shorter -> stages = shorter);
                    return;
                }
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // these two moves, and not others like them
    private Optional<List<Stage>> replayed(int early, Move first, int late, Move second) {
        List<Stage> shorter = new ArrayList<>();
        Cluster now = cluster;
        for (int s = 0; s < stages.size(); s++) {
            List<Move> moves = new ArrayList<>();
            Cluster before = now;
            for (Move move : stages.get(s).moves()) {
                if (s != late || move != second) {
                    Move made = s == early && move == first ? new Move(first.from(), second.to()) : move;
                    Optional<Cluster> after = order.made(now, made);
                    if (after.isEmpty()) {
                        return Optional.empty();
                    }
                    now = after.get();
                    moves.add(made);
                }
            }
            Stage stage = new Stage(moves, gains.apply(before, moves));
            if (stage.value() <= 0) {
                return Optional.empty();
            }
            shorter.add(stage);
        }
        return Optional.of(shorter);
    }
}
