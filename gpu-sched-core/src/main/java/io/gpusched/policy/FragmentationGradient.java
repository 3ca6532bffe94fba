package io.gpusched.policy;

import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Places a pod where it makes least of the idle GPU useless to what is usually asked: the fragmentation gradient of
 * "Beware of Fragmentation" (USENIX ATC 2023), in integers and with a best fit among equals.
 *
 * <p>For each typical shape, a node's idle compute is a fragment as far as a pod of that shape could not use it: all of
 * it if no such pod fits on the node (or the shape asks for no GPU), else the part on GPUs that have too little left. The
 * node's fragmentation is the sum over the shapes, weighted by how often each is asked for; a placement is the better,
 * the more it lowers that, or the less it raises it. Gradients are compared in steps of 80
 * milli; within a step the node wins that is left with the least CPU and GPU compute ({@link BestFit}). The paper's own
 * score has steps of about 40 milli and then takes the first node in a random order. Some step is part of what makes the
 * policy good: without one, small differences in fragmentation outweigh large ones in fit.
 *
 * <p>Evaluating a node costs O(GPUs) after O(shapes &times; distinct CPU amounts) once for each class of nodes.
 * Thread-safe.
 */
public final class FragmentationGradient implements PlacementPolicy {
    /** Room for the best-fit term, in milli. */
    private static final int TIE_BITS = 22;

    /** Gradients within this many milli of GPU compute count as equal. */
    private static final long STEP_MILLIS = 80;

    private final WorkloadProfile profile;
    private final long totalWeight;
    private final Map<NodeClass, FragmentTable> tables = new ConcurrentHashMap<>();

    private FragmentationGradient(WorkloadProfile profile) {
        this.profile = profile;
        this.totalWeight = profile.totalWeight();
    }

    /** Returns the policy that measures by this profile. */
    public static FragmentationGradient of(WorkloadProfile profile) {
        return new FragmentationGradient(profile);
    }

    /** Returns the profile it measures by. */
    public WorkloadProfile profile() {
        return profile;
    }

    /** Returns the fragmentation of a node: milli of compute times weight, summed over the shapes. O(GPUs). */
    public long fragmentation(NodeState node) {
        FragmentTable table = tables.get(node.nodeClass());
        if (table == null) {
            table = FragmentTable.of(profile, node.nodeClass());
            tables.put(node.nodeClass(), table);
        }
        return table.fragmentation(node);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        long step = STEP_MILLIS * totalWeight;
        long gradient = Math.floorDiv(fragmentation(before) - fragmentation(after), step);
        long left = after.freeCpuMillis() + BestFit.CPU_PER_GPU * after.freeComputeMillis();
        return (gradient << TIE_BITS) - Math.min(left, (1L << TIE_BITS) - 1);
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "fgd";
    }
}
