package io.gpusched.internal.gang;

import io.gpusched.internal.fit.StateSet;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names the states of nodes by hashes, the same for states that differ in GPUs only that no member of a group can tell apart. */
final class NodeHashes {
    /*
     * Two states with one hash make an exact search pass by a way. So each number is mixed into all 64 bits before the next
     * one comes in, and what cannot be mixed without loss, what a GPU is, is compared.
     */
    private final List<EqualNodes> groups;
    private final List<GpuSelector> selectors;

    /** By group: of each GPU of its nodes the lowest one that is like it, once one of these nodes was taken from. */
    private final int[] @Nullable [] types;

    /**
     * @param groups the groups of nodes
     * @param requests what the members ask
     */
    NodeHashes(List<EqualNodes> groups, List<GpuRequest> requests) {
        this.groups = groups;
        this.selectors = requests.stream().map(GpuRequest::selector).distinct().toList();
        this.types = new int[groups.size()][];
    }

    /** Returns the hash of a state of a node of a group. */
    long of(int group, NodeState state) {
        long hash = StateSet.mix(group, state.freeCpuMillis());
        hash = StateSet.mix(hash, state.freeMemoryMib());
        hash = StateSet.mix(hash, state.podCount());
        hash = StateSet.mix(hash, state.isHeldWhole() ? 1 : 0);
        for (String name : state.freeNamed().names()) {
            hash = StateSet.mix(StateSet.mix(hash, name.hashCode()), state.free(name));
        }
        int[] typeOf = typesOf(group);
        long sum = 0;
        for (int g = 0; g < typeOf.length; g++) {
            sum += StateSet.mix(StateSet.mix(typeOf[g], held(state, g)), state.isCut(g) ? 1 : 0);
        }
        return hash + sum;
    }

    /** What is held of a GPU; of one that is cut which partitions, for what they leave room for depends on where they lie. */
    private static long held(NodeState state, int gpu) {
        if (state.isCut(gpu)) {
            return state.partitionWord(gpu);
        }
        long amounts = StateSet.mix(state.heldComputeMillis(gpu), state.heldMemoryMib(gpu));
        return state.isWhole(gpu) ? -1 : StateSet.mix(amounts, state.heldSlots(gpu));
    }

    private int[] typesOf(int group) {
        int[] known = types[group];
        if (known == null) {
            known = typesOf(groups.get(group).nodes().get(0));
            types[group] = known;
        }
        return known;
    }

    /** Returns by GPU the lowest one that no request can tell from it, what is held of both aside. */
    private int[] typesOf(NodeState node) {
        int[] typeOf = new int[node.gpuCount()];
        for (int g = 0; g < typeOf.length; g++) {
            typeOf[g] = g;
            for (int lower = 0; lower < g && typeOf[g] == g; lower++) {
                typeOf[g] = areAlike(node, lower, g) ? lower : g;
            }
        }
        return typeOf;
    }

    private boolean areAlike(NodeState node, int one, int other) {
        List<Gpu> gpus = node.node().gpus();
        return node.isHealthy(one) == node.isHealthy(other)
                && (node.nodeClass().alike(one) >>> other & 1) != 0
                && selectors.stream()
                        .allMatch(selector -> selector.accepts(gpus.get(one)) == selector.accepts(gpus.get(other)));
    }
}
