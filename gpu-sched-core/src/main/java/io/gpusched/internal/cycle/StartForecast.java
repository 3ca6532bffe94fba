package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import java.util.Objects;

/**
 * When jobs are expected to start for which nothing is reserved: each as early as possible beside what is reserved and those that come
 * before it in fair order, until as many are told as the settings say.
 */
final class StartForecast {
    private final Cycle cycle;
    private final Timeline timeline;
    private int left;

    StartForecast(Cycle cycle, Timeline known) {
        this.cycle = cycle;
        this.timeline = new Timeline(known);
        this.left = cycle.settings.forecasts();
    }

    void run() {
        FairOrder order = cycle.fairOrder();
        boolean more = true;
        while (more && left > 0) {
            more = order.serveNext(ask -> {
                foresee(ask);
                return FairOrder.Answer.REFUSED;
            });
        }
    }

    private void foresee(Ask ask) {
        JobState job = ask.job();
        PendingReason now = job.reason == null ? new PendingReason.NotAsked() : job.reason;
        boolean isAsked = ask.isMinimum()
                && timeline.reservation(job) == null
                && !(now instanceof PendingReason.OverLimit)
                && !(now instanceof PendingReason.OverDeserved);
        if (!isAsked) {
            return;
        }
        left--;
        if (timeline.reserve(ask, cycle.placers.timeline(), Timeline.NEVER)) {
            long start = Objects.requireNonNull(timeline.reservation(job), "reservation")
                    .from();
            job.reason =
                    new PendingReason.Expected(start, timeline.endingAt(start).map(JobState::name), now);
        }
    }
}
