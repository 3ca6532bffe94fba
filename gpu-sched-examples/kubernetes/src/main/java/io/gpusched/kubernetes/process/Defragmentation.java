package io.gpusched.kubernetes.process;

import io.gpusched.analysis.DefragPlan;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.defrag.DefragRound;
import io.gpusched.kubernetes.defrag.DefragSettings;
import io.gpusched.kubernetes.write.RoomWriter;
import io.gpusched.model.Cluster;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves running pods, or says which it would move, and tells people of it. Not thread-safe but for what it hears. */
final class Defragmentation {
    private static final Logger LOG = LoggerFactory.getLogger(Defragmentation.class);

    private final DefragRound round;
    private final boolean evicts;
    private final RoomWriter writer;

    Defragmentation(DefragSettings settings, Scope scope, RoomWriter writer) {
        this.round = new DefragRound(settings, scope);
        this.evicts = settings.evicts();
        this.writer = writer;
    }

    void apply(Change change) {
        round.apply(change);
    }

    /** Goes on with what is under way, or makes a new plan. */
    void decide(Cluster cluster, long now) {
        DefragRound.Turn turn = round.decide(cluster, now);
        turn.plan().ifPresent(this::say);
        turn.evict().ifPresent(writer::make);
    }

    /** The nodes that take no new pods for now. */
    Set<String> closed() {
        return round.closed();
    }

    private void say(DefragPlan plan) {
        for (DefragPlan.Stage stage : plan.stages()) {
            LOG.atInfo()
                    .addKeyValue("moves", stage.moves())
                    .addKeyValue("gain", stage.gains())
                    .log(evicts ? "defragmentation planned" : "defragmentation would move");
        }
    }
}
