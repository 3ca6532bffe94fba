package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks the trees of a cluster, those of classes that could take a pod, for the first node with some kind of room. Not thread-safe. */
final class ClassWalk {
    private final PodDemand demand;
    private final Resources resources;
    private final NodeRange range;
    private final List<? extends NodeIndex> classes;

    /** Which of the classes could ever take the pod. */
    private final Admission.Verdict[] verdicts;

    /** How many nodes more may be passed by because they lack what the pod asks for by name; below 0 once they were too many. */
    private long passable = Long.MAX_VALUE;

    /**
     * @param trees trees that hold all nodes that the pod may ever go to, and perhaps others
     */
    ClassWalk(List<? extends NodeIndex> trees, PodDemand demand, NodeRange range) {
        this.demand = demand;
        this.resources = demand.resources();
        this.range = range;
        this.classes = trees;
        this.verdicts = new Admission.Verdict[classes.size()];
        for (int i = 0; i < verdicts.length; i++) {
            verdicts[i] = Admission.of(demand, classes.get(i).nodeClass());
        }
    }

    /** Lets the walk be cut short once so many nodes lacked what the pod asks for by name. */
    void passAtMost(long nodes) {
        passable = nodes;
    }

    /** Whether too many nodes had to be passed by, so that what was returned says nothing. */
    boolean isCutShort() {
        return passable < 0;
    }

    PodDemand demand() {
        return demand;
    }

    Resources resources() {
        return resources;
    }

    /** Returns the number of classes, of which some {@link #mayTake} the pod. */
    int size() {
        return verdicts.length;
    }

    boolean mayTake(int classAt) {
        return verdicts[classAt] != Admission.Verdict.NEVER;
    }

    private boolean asksNodes(int classAt) {
        return verdicts[classAt] == Admission.Verdict.ASK_NODES
                && !classes.get(classAt).isOfAdmitted();
    }

    NodeIndex tree(int classAt) {
        return classes.get(classAt);
    }

    NodeClass nodeClass(int classAt) {
        return classes.get(classAt).nodeClass();
    }

    /** Returns the first node of the range with this room that is wanted, in classes that are worth a look; null if there is none. */
    @Nullable
    NodeState first(CapacityQuery query, Predicate<NodeState> wanted, Predicate<NodeClass> worth) {
        NodeState best = null;
        for (int i = 0; i < verdicts.length; i++) {
            if (mayTake(i) && worth.test(nodeClass(i))) {
                NodeState found = firstBefore(best, i, query, wanted);
                if (isCutShort()) {
                    return null;
                }
                best = found == null ? best : found;
            }
        }
        return best;
    }

    /** Returns the first such node of one class that comes before a node, or in the whole range if that is null. */
    @Nullable
    NodeState firstBefore(@Nullable NodeState end, int classAt, CapacityQuery query, Predicate<NodeState> wanted) {
        NodeRange open = end == null ? range : range.before(end);
        boolean ask = asksNodes(classAt);
        return classes.get(classAt).first(query, open, node -> admits(node, ask) && wanted.test(node));
    }

    /** Returns the first wanted node with as few idle GPUs as there are, but not fewer than so many. */
    @Nullable
    NodeState firstByIdleGpus(int least, Predicate<NodeState> wanted) {
        int most = 0;
        for (int i = 0; i < verdicts.length; i++) {
            most = mayTake(i) ? Math.max(most, nodeClass(i).gpus().size()) : most;
        }
        for (int idle = least; idle <= most; idle++) {
            int exactly = idle;
            NodeState node = first(
                    CapacityQuery.withIdleGpus(idle, resources),
                    candidate -> candidate.idleGpus() == exactly && wanted.test(candidate),
                    nodeClass -> nodeClass.gpus().size() >= exactly);
            if (node != null) {
                return node;
            }
        }
        return null;
    }

    /** Adds the first nodes of one class with this room that are wanted, up to so many. */
    void addFirst(int classAt, CapacityQuery query, int most, Predicate<NodeState> wanted, List<NodeState> found) {
        boolean ask = asksNodes(classAt);
        int end = found.size() + most;
        classes.get(classAt).first(query, range, node -> {
            if (admits(node, ask) && wanted.test(node)) {
                found.add(node);
            }
            return found.size() == end;
        });
    }

    private boolean admits(NodeState node, boolean askLabels) {
        return resources.cpuMillis() <= node.freeCpuMillis()
                && resources.memoryMib() <= node.freeMemoryMib()
                && hasNamed(node)
                && (!askLabels || Admission.admits(demand, node));
    }

    /** Once too many nodes were passed by all pass, so that the walk ends with the next one. */
    private boolean hasNamed(NodeState node) {
        return resources.named().fitsIn(node.freeNamed()) || --passable < 0;
    }
}
