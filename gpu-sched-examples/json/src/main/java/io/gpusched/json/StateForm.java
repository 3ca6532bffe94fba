package io.gpusched.json;

import io.gpusched.model.Cluster;
import io.gpusched.queue.Job;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.UsageHistory;
import java.util.List;

/** What a scheduling cycle looks at, as it is written. */
record StateForm(Cluster cluster, QueueTree queues, List<Job> jobs, UsageHistory usage) {
    static StateForm of(QueueState state) {
        return new StateForm(state.cluster(), state.queues(), state.jobs(), state.usage());
    }

    QueueState state() {
        return QueueState.of(cluster, queues, jobs).withUsage(usage);
    }
}
