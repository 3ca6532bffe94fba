package io.gpusched.replay;

import io.gpusched.json.JsonFormat;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.UsageHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of a history: what changed in the state that a scheduler looks at, or what it decided. Events are applied in the order of the
 * lines; those before a decision make its input. Values are in the form of {@link JsonFormat}.
 */
public sealed interface HistoryEvent {
    /** How a line is written. */
    JsonFormat<HistoryEvent> FORMAT = JsonFormat.of("event", HistoryEvent.class);

    /**
     * The first line of each file.
     *
     * @param history the version of the form; a reader refuses those that it does not know
     * @param file the number of the file, from 1
     * @param unitsPerSecond how many units of time make a second
     * @param previous the hash at the end of the file before, if the same process wrote it
     */
    record Header(int history, int file, long unitsPerSecond, Optional<String> previous) implements HistoryEvent {}

    /**
     * By which rules is decided from now on.
     *
     * @param settings how jobs are chosen
     * @param policy how places are compared
     * @param searchSteps how much one decision about a place may search
     */
    record Settings(CycleSettings settings, PlacementPolicy policy, long searchSteps) implements HistoryEvent {}

    /**
     * The whole state, with which each file begins.
     *
     * @param state the cluster, its queues and the jobs
     */
    record Snapshot(QueueState state) implements HistoryEvent {}

    /**
     * A node came or is another.
     *
     * @param node the node
     */
    record NodeSet(Node node) implements HistoryEvent {}

    /**
     * A node is gone.
     *
     * @param name the node
     */
    record NodeGone(String name) implements HistoryEvent {}

    /**
     * A pod of no job runs.
     *
     * @param placement what it holds
     */
    record PodRuns(Placement placement) implements HistoryEvent {}

    /**
     * A pod of no job is gone.
     *
     * @param pod the pod
     */
    record PodGone(PodId pod) implements HistoryEvent {}

    /**
     * A namespace has other labels.
     *
     * @param name the namespace
     * @param labels its labels, none if it has no more
     */
    record NamespaceSet(String name, Map<String, String> labels) implements HistoryEvent {}

    /**
     * The queues are others.
     *
     * @param queues all queues
     */
    record QueuesSet(QueueTree queues) implements HistoryEvent {}

    /**
     * The queues have used something else.
     *
     * @param usage what all have used
     */
    record UsageSet(UsageHistory usage) implements HistoryEvent {}

    /**
     * A job came, after all others, or something else is said of it.
     *
     * @param spec what is said of it
     */
    record JobSet(JobSpec spec) implements HistoryEvent {}

    /**
     * A job is gone, and its members hold nothing.
     *
     * @param job its name
     */
    record JobGone(String job) implements HistoryEvent {}

    /**
     * A job stands elsewhere.
     *
     * @param job its name
     * @param running what members hold that run
     * @param terminating what members hold that are to end
     * @param nominated places that are held for members
     * @param started when its minimum started
     * @param staleSince since when it runs below its minimum
     * @param reservedStart from when on places are reserved
     * @param reserved the reserved places
     */
    record StatusSet(
            String job,
            List<Place> running,
            List<Place> terminating,
            List<Place> nominated,
            OptionalLong started,
            OptionalLong staleSince,
            OptionalLong reservedStart,
            List<Place> reserved)
            implements HistoryEvent {}

    /**
     * What a member of a job holds: what follows from the job is left out.
     *
     * @param pod the pod
     * @param node its node
     * @param containers what its containers hold
     * @param ungrouped whether the placement does not name the group
     * @param whole the placement, where it does not follow from the pod that the job has
     */
    record Place(
            PodId pod, String node, List<ContainerGrant> containers, boolean ungrouped, Optional<Placement> whole) {}

    /**
     * The last jobs are in another order.
     *
     * @param jobs their names; the jobs before them stay in their order
     */
    record JobsOrdered(List<String> jobs) implements HistoryEvent {}

    /**
     * A cycle was planned on the state so far.
     *
     * @param time the time that it was told
     * @param answer the {@linkplain AnswerHash hash} of the plan
     * @param changes what the state after the plan differs in, which later events go on from
     * @param reasons what kind of reason jobs wait for, of those that wait for another kind than after the plan
     *     before; empty for a job that does not wait any more
     */
    record Decided(long time, String answer, List<HistoryEvent> changes, Map<String, String> reasons)
            implements HistoryEvent {}

    /**
     * The state so far was seen at a time, and no plan was made: another scheduler decides.
     *
     * @param time the time
     */
    record Seen(long time) implements HistoryEvent {}
}
