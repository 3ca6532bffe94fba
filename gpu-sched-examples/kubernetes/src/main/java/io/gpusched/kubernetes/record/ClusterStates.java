package io.gpusched.kubernetes.record;

import io.fabric8.kubernetes.api.model.Node;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.decide.SchedulerState;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.cluster.FoundDialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.Trouble;
import io.gpusched.queue.QueueState;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * Follows a cluster as the scheduler of this library does, but with all pods, and decides nothing. Times are in milliseconds since 1970. Not
 * thread-safe.
 */
final class ClusterStates {
    private static final String DISRUPTED = "DisruptionTarget";

    private final SchedulerState state;
    private final Map<String, String> dialectOfNode;

    /**
     * Creates the state of an empty cluster.
     *
     * @param dialects the dialects of its nodes; if none is given they are found by what the nodes say
     * @param nodes the nodes that are known so far
     */
    ClusterStates(List<NamedDialect> dialects, List<Node> nodes, QueueVocabulary queues, Clock clock) {
        FoundDialects found = FoundDialects.of(nodes);
        DialectSet set =
                dialects.isEmpty() ? new DialectSet(found.dialects(), found.byNumber()) : new DialectSet(dialects);
        dialectOfNode = dialects.isEmpty() && found.dialects().size() > 1 ? found.byNode() : Map.of();
        state = new SchedulerState(set, Scope.ofAll(), Backoff.DEFAULT, 0, clock, QueueSettings.of(queues));
    }

    void apply(List<Change> changes, long time) {
        state.apply(
                changes.stream().map(this::labelled).map(ClusterStates::kept).toList(), time);
    }

    /** A pod that its owner deletes runs until it is gone; one that is deleted for something else says so. */
    private static Change kept(Change change) {
        if (!(change instanceof Change.PodPut put)
                || put.pod().getMetadata().getDeletionTimestamp() == null
                || put.pod().getSpec().getNodeName() == null) {
            return change;
        }
        boolean isEvicted = put.pod().getStatus() != null
                && put.pod().getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                DISRUPTED.equals(condition.getType()) && "True".equals(condition.getStatus()));
        return isEvicted
                ? change
                : new Change.PodPut(put.pod()
                        .edit()
                        .editMetadata()
                        .withDeletionTimestamp(null)
                        .endMetadata()
                        .build());
    }

    /** Where there are several dialects each node says its own. */
    private Change labelled(Change change) {
        if (!(change instanceof Change.NodePut put)) {
            return change;
        }
        String dialect = dialectOfNode.get(put.node().getMetadata().getName());
        return dialect == null
                ? change
                : new Change.NodePut(put.node()
                        .edit()
                        .editMetadata()
                        .addToLabels(DialectSet.LABEL, dialect)
                        .endMetadata()
                        .build());
    }

    QueueState seen(long time) {
        return state.seen(time);
    }

    /** Returns what was found wrong since this was asked last. */
    List<Trouble> troubles() {
        return state.troubles();
    }
}
