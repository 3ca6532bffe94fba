package io.gpusched.internal.gang;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.StateSet;
import io.gpusched.internal.index.TextHash;
import io.gpusched.internal.usage.GpuUsage;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names the states of nodes by hashes, the same for states that differ in GPUs only that no member of a group can tell apart. */
final class NodeHashes {
    /*
     * Two states with one hash make an exact search pass by a way. So each number is mixed into all 64 bits before the next
     * one comes in, and what cannot be mixed without loss, the type of a GPU, is compared and numbered.
     */
    private final List<NodeGroups.Group> groups;
    private final List<GpuSelector> selectors;

    /** By group: the types of the GPUs of its nodes, once one of these was taken from. */
    private final int[] @Nullable [] types;

    /**
     * All of a GPU that a request looks at, what is held of it aside.
     *
     * @param accepted which of the selectors accept it
     * @param linked its place among the links of the node, 0 where there are none
     */
    private record Type(
            GpuModel model,
            int computeMillis,
            long memoryMib,
            int slots,
            int numaNode,
            boolean healthy,
            PartitionGeometry partitions,
            BitSet accepted,
            int linked) {}

    /**
     * @param groups the groups of nodes
     * @param requests what the members ask
     */
    NodeHashes(List<NodeGroups.Group> groups, List<GpuRequest> requests) {
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
            hash = StateSet.mix(StateSet.mix(hash, TextHash.of(name)), state.free(name));
        }
        GpuUsage gpus = NodeAccess.gpus(state);
        int[] typeOf = typesOf(group);
        long sum = 0;
        for (int g = 0; g < typeOf.length; g++) {
            // of a GPU that is cut the word tells where its partitions lie, which amounts do not
            sum += StateSet.mix(StateSet.mix(typeOf[g], gpus.word(g)), gpus.isCut(g) ? 1 : 0);
        }
        return hash + sum;
    }

    private int[] typesOf(int group) {
        int[] known = types[group];
        if (known == null) {
            known = typesOf(groups.get(group).nodes().get(0));
            types[group] = known;
        }
        return known;
    }

    /** Returns by GPU the number of its type, from 0 on in the order of the first of each. */
    private int[] typesOf(NodeState node) {
        Map<Type, Integer> known = new HashMap<>();
        int[] typeOf = new int[node.gpuCount()];
        for (int g = 0; g < typeOf.length; g++) {
            Integer number = known.putIfAbsent(type(node, g), known.size());
            typeOf[g] = number == null ? known.size() - 1 : number;
        }
        return typeOf;
    }

    private Type type(NodeState node, int index) {
        Gpu gpu = node.node().gpus().get(index);
        BitSet accepted = new BitSet();
        for (int i = 0; i < selectors.size(); i++) {
            accepted.set(i, selectors.get(i).accepts(gpu));
        }
        return new Type(
                gpu.model(),
                gpu.computeMillis(),
                gpu.memoryMib(),
                gpu.slots(),
                gpu.numaNode(),
                node.isHealthy(index),
                gpu.partitions(),
                accepted,
                node.nodeClass().links().isNone() ? 0 : index);
    }
}
