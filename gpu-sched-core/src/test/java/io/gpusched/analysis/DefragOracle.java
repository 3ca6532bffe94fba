package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The most whole nodes that any sequence of moves of single pods with whole GPUs reaches, by going through all of them. */
final class DefragOracle {
    private final int[] size;
    private final int[] gpus;

    private DefragOracle(int[] size, int[] gpus) {
        this.size = size;
        this.gpus = gpus;
    }

    /** Returns by number of moves the most whole nodes that can be had with so many; the last entry holds for any more. */
    static List<Integer> wholeNodes(Cluster cluster) {
        List<NodeState> nodes = cluster.nodes();
        int[] gpus = nodes.stream().mapToInt(NodeState::gpuCount).toArray();
        List<Integer> at = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        for (int n = 0; n < nodes.size(); n++) {
            for (Placement held : nodes.get(n).placements()) {
                at.add(n);
                sizes.add(held.gpus().size());
            }
        }
        return new DefragOracle(sizes.stream().mapToInt(Integer::intValue).toArray(), gpus).search(at);
    }

    private List<Integer> search(List<Integer> start) {
        Set<List<Integer>> seen = new HashSet<>(Set.of(start));
        List<List<Integer>> layer = List.of(start);
        List<Integer> best = new ArrayList<>();
        int most = 0;
        while (!layer.isEmpty()) {
            most = Math.max(most, layer.stream().mapToInt(this::whole).max().orElseThrow());
            best.add(most);
            List<List<Integer>> next = new ArrayList<>();
            layer.forEach(state -> neighbours(state).stream().filter(seen::add).forEach(next::add));
            layer = next;
        }
        return best;
    }

    private List<List<Integer>> neighbours(List<Integer> state) {
        List<List<Integer>> neighbours = new ArrayList<>();
        int[] free = free(state);
        for (int pod = 0; pod < size.length; pod++) {
            for (int node = 0; node < gpus.length; node++) {
                if (node != state.get(pod) && free[node] >= size[pod]) {
                    List<Integer> next = new ArrayList<>(state);
                    next.set(pod, node);
                    neighbours.add(next);
                }
            }
        }
        return neighbours;
    }

    private int[] free(List<Integer> state) {
        int[] free = gpus.clone();
        for (int pod = 0; pod < size.length; pod++) {
            free[state.get(pod)] -= size[pod];
        }
        return free;
    }

    private int whole(List<Integer> state) {
        int[] free = free(state);
        int whole = 0;
        for (int node = 0; node < gpus.length; node++) {
            whole += free[node] == gpus[node] ? 1 : 0;
        }
        return whole;
    }
}
