package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.queue.Backfill;
import java.util.Objects;

/**
 * How is decided where there are queues.
 *
 * @param vocabulary which queues decide what starts and what is evicted
 * @param backfill which jobs may start while a job before them waits
 * @param verify whether each plan is judged by {@link io.gpusched.verify.Verifier} before anything of it is written
 * @param listener hears of each plan
 */
public record QueueSettings(QueueVocabulary vocabulary, Backfill backfill, boolean verify, PlanListener listener) {
    /** One queue that is open to all pods, in which those of higher priority come first. */
    public static final QueueSettings NONE = of(QueueVocabulary.NONE);

    /** Refuses null. */
    public QueueSettings {
        Objects.requireNonNull(vocabulary, "vocabulary");
        Objects.requireNonNull(backfill, "backfill");
        Objects.requireNonNull(listener, "listener");
    }

    /** Returns settings by which any job may start while others wait, and no plan is judged. */
    public static QueueSettings of(QueueVocabulary vocabulary) {
        return new QueueSettings(vocabulary, Backfill.ANYONE, false, PlanListener.NONE);
    }

    /** Returns these settings with another rule of backfill. */
    public QueueSettings withBackfill(Backfill value) {
        return new QueueSettings(vocabulary, value, verify, listener);
    }

    /** Returns these settings with each plan being judged. */
    public QueueSettings verifying() {
        return new QueueSettings(vocabulary, backfill, true, listener);
    }

    /** Returns these settings with another listener. */
    public QueueSettings withListener(PlanListener value) {
        return new QueueSettings(vocabulary, backfill, verify, value);
    }
}
