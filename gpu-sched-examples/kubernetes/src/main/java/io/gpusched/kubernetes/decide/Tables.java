package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.quota.QueueBook;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.ClusterBook;
import java.util.Map;

/**
 * What is known of a cluster, as the deciding thread keeps it.
 *
 * @param book the nodes and what they hold
 * @param pods the pods that wait, are about to be bound, or run
 * @param groups the group objects
 * @param tally how far the pods of each group are
 * @param jobs the pods of this scheduler by what they are decided with
 * @param queues the queues
 */
record Tables(
        ClusterBook book,
        PodTable pods,
        Map<GroupKey, GroupSpec> groups,
        GroupTally tally,
        JobBook jobs,
        QueueBook queues) {}
