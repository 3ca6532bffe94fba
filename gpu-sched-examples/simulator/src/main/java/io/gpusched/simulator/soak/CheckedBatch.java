package io.gpusched.simulator.soak;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Set;
import java.util.TreeSet;

/** Changes gathered in a batch and, to compare with, made one by one as well. */
final class CheckedBatch {
    private final CheckedCluster checked;
    private final ClusterBatch batch;
    private final Set<String> touched = new TreeSet<>();
    private Cluster oneByOne;

    CheckedBatch(CheckedCluster checked) {
        this.checked = checked;
        this.batch = checked.cluster().batch();
        this.oneByOne = checked.cluster();
    }

    /** Returns the cluster with the changes so far. */
    Cluster oneByOne() {
        return oneByOne;
    }

    void place(Placement placement) {
        batch.place(placement);
        oneByOne = oneByOne.with(placement);
        checked.noteArrival(placement);
        touched.add(placement.node());
    }

    /** Releases the pod at this position of {@link CheckedCluster#running}. */
    void release(int at) {
        PodId pod = checked.noteLeaving(at);
        touched.add(oneByOne.placement(pod).orElseThrow().node());
        batch.release(pod);
        oneByOne = oneByOne.without(pod);
    }

    void add(Node node) {
        batch.addNode(node);
        oneByOne = oneByOne.withNode(node);
        checked.noteNode(node);
        touched.add(node.name());
    }

    /** Changes the machine at this position of {@link CheckedCluster#nodes}. */
    void replace(int at, Node changed) {
        batch.replaceNode(changed);
        oneByOne = oneByOne.withReplaced(changed);
        checked.noteChange(at, changed);
        touched.add(changed.name());
    }

    /**
     * Carries the changes out, and compares what they touched.
     *
     * @param inFull whether to compare all machines with those changed one by one, which costs as much as there are
     */
    void build(boolean inFull) {
        checked.become(batch.build());
        Cluster built = checked.cluster();
        CheckedCluster.require(
                built.totals().equals(oneByOne.totals()), "a batch adds up to something else than one by one");
        CheckedCluster.require(!inFull || built.equals(oneByOne), "a batch ends otherwise than one by one");
        touched.forEach(checked::compare);
    }
}
