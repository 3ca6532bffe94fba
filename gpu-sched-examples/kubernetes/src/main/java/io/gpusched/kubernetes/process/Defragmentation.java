package io.gpusched.kubernetes.process;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.analysis.DefragPlan;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.defrag.DefragRound;
import io.gpusched.kubernetes.defrag.DefragSettings;
import io.gpusched.kubernetes.watch.Inbox;
import io.gpusched.kubernetes.write.EventSubject;
import io.gpusched.kubernetes.write.EventWriter;
import io.gpusched.kubernetes.write.RoomListener;
import io.gpusched.kubernetes.write.RoomWriter;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves running pods, or says which it would move, and tells people of it. Not thread-safe but for what it hears. */
final class Defragmentation implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Defragmentation.class);

    private final DefragRound round;
    private final boolean evicts;
    private final RoomWriter writer;

    Defragmentation(
            KubernetesClient client,
            DefragSettings settings,
            Scope scope,
            BooleanSupplier mayWrite,
            Inbox inbox,
            EventWriter events,
            SchedulerMetrics metrics) {
        this.round = new DefragRound(settings, scope);
        this.evicts = settings.evicts();
        this.writer = new RoomWriter(client, mayWrite, new News(inbox, events, metrics));
    }

    void apply(Change change) {
        round.apply(change);
    }

    /** Goes on with what is under way, or plans anew. */
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

    @Override
    public void close() {
        writer.close();
    }

    /** Tells what comes of evictions. */
    private record News(Inbox inbox, EventWriter events, SchedulerMetrics metrics) implements RoomListener {
        @Override
        public void evicted(NominationRecord.Victim victim, String job) {
            PodId pod = victim.pod();
            metrics.evicted();
            LOG.atInfo().addKeyValue("pod", pod).addKeyValue("for", job).log("evicted");
            events.write(
                    new EventSubject("v1", "Pod", pod.namespace(), pod.name(), victim.uid()),
                    "Normal",
                    "Moved",
                    "evicted so that its node becomes whole; there is room for its successor elsewhere");
        }

        @Override
        public void blocked(String job) {
            metrics.blocked();
        }

        @Override
        public void givenUp(String job, Optional<PodId> kept, String why) {
            kept.ifPresent(pod -> metrics.refused());
            inbox.add(new Change.RoomGivenUp(job, kept, why));
        }
    }
}
