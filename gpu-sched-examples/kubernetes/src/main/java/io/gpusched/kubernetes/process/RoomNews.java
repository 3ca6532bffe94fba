package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.watch.Inbox;
import io.gpusched.kubernetes.write.EventSubject;
import io.gpusched.kubernetes.write.EventWriter;
import io.gpusched.kubernetes.write.RoomListener;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people, metrics and the deciding thread what comes of room that is made.
 *
 * @param reason of the event on a pod that was evicted
 * @param note its words, of the job for which it was
 */
record RoomNews(Inbox inbox, EventWriter events, SchedulerMetrics metrics, String reason, UnaryOperator<String> note)
        implements RoomListener {
    private static final Logger LOG = LoggerFactory.getLogger(RoomNews.class);

    @Override
    public void evicted(NominationRecord.Victim victim, String job) {
        PodId pod = victim.pod();
        metrics.evicted();
        LOG.atInfo().addKeyValue("pod", pod).addKeyValue("for", job).log("evicted");
        events.write(
                new EventSubject("v1", "Pod", pod.namespace(), pod.name(), victim.uid()),
                "Normal",
                reason,
                note.apply(job));
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
