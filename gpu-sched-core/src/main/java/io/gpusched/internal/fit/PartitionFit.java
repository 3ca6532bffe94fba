package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rule of what partition fits where: on a healthy GPU that is accepted, and is cut or idle, at a place that is free. */
public final class PartitionFit {
    private PartitionFit() {}

    /** Whether a GPU is accepted and has room for one of the partitions asked for. */
    static boolean hasRoom(GpuRequest.Partition request, NodeState node, int gpu) {
        PartitionTable table = open(request, node, gpu);
        int name = table == null ? -1 : table.name(request.profile());
        return table != null
                && name >= 0
                && table.hasRoom(word(node, gpu), name)
                && (!table.hasNodeModes() || goesWithMode(node, gpu, table, name));
    }

    /** Whether some place goes with the mode that the node is in. */
    private static boolean goesWithMode(NodeState node, int gpu, PartitionTable table, int name) {
        String mode = nodeMode(node);
        for (int place : table.placesOf(name)) {
            if (goesWith(table, place, mode) && table.fits(word(node, gpu), place)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a place may be taken on a node that is in some mode; nothing for none. */
    static boolean goesWith(PartitionTable table, int place, String mode) {
        String asked = table.profile(place).nodeMode();
        return mode.isEmpty() || asked.isEmpty() || asked.equals(mode);
    }

    /** The partitions of a GPU that is accepted, healthy, and either cut or idle; else null. */
    static @Nullable PartitionTable open(GpuRequest.Partition request, NodeState node, int gpu) {
        PartitionTable table = open(node, gpu);
        return table != null && FitRule.accepts(request.selector(), node, gpu) ? table : null;
    }

    /** The partitions of a GPU that is healthy, and either cut or idle; else null. */
    static @Nullable PartitionTable open(NodeState node, int gpu) {
        boolean open = node.isHealthy(gpu) && !node.isWhole(gpu) && !node.isShared(gpu);
        return open ? node.nodeClass().partitions(gpu) : null;
    }

    /** The word of the partitions of a GPU that are held. */
    static long word(NodeState node, int gpu) {
        return node.partitionWord(gpu);
    }

    /** The mode that a node is in because of partitions that are held, or nothing. */
    static String nodeMode(NodeState node) {
        for (long rest = node.cutMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            PartitionTable table = node.nodeClass().partitions(gpu);
            String mode = table == null ? "" : table.nodeMode(word(node, gpu));
            if (!mode.isEmpty()) {
                return mode;
            }
        }
        return "";
    }

    /**
     * Whether a node of a class may ever have as many partitions as each request of a pod asks for, UUIDs aside: its GPUs
     * together, each on its own.
     */
    static boolean mayServe(PodDemand demand, NodeClass nodeClass) {
        for (GpuRequest.Partition request : demand.partitions()) {
            if (!mayServe(request, nodeClass.gpus())) {
                return false;
            }
        }
        return true;
    }

    private static boolean mayServe(GpuRequest.Partition request, List<Gpu> gpus) {
        long most = 0;
        for (int g = 0; g < gpus.size() && most < request.instances(); g++) {
            PartitionTable table = gpus.get(g).partitions().table();
            int name = table.name(request.profile());
            most += name < 0 || !request.selector().acceptsModel(gpus.get(g)) ? 0 : table.mostOf(0, name);
        }
        return most >= request.instances();
    }

    /** How many of the partitions asked for a node has room for, if nothing else is asked of its GPUs. */
    static long count(GpuRequest.Partition request, NodeState node) {
        Set<String> modes = new TreeSet<>(Set.of(nodeMode(node)));
        if (modes.contains("")) {
            for (int g = 0; g < node.gpuCount(); g++) {
                addModes(request, node, g, modes);
            }
        }
        long most = 0;
        for (String mode : modes) {
            // only where no mode is asked for may the GPUs be counted without one
            most = mode.isEmpty() && modes.size() > 1 ? most : Math.max(most, count(request, node, mode));
        }
        return most;
    }

    /** The modes that the node may come to be in because of what is asked for. */
    private static void addModes(GpuRequest.Partition request, NodeState node, int gpu, Set<String> modes) {
        PartitionTable table = node.nodeClass().partitions(gpu);
        int name = table == null ? -1 : table.name(request.profile());
        if (table != null && name >= 0 && table.hasNodeModes()) {
            for (int place : table.placesOf(name)) {
                modes.add(table.profile(place).nodeMode());
            }
        }
    }

    private static long count(GpuRequest.Partition request, NodeState node, String mode) {
        long sum = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            PartitionTable table = open(request, node, g);
            int name = table == null ? -1 : table.name(request.profile());
            sum += table == null || name < 0 ? 0 : table.mostOf(word(node, g), name, mode);
        }
        return sum;
    }

    /**
     * The partition of these GPUs that leaves its GPU worth most, then on the lowest GPU and at the lowest place; null if none fits.
     * What a search takes of GPUs that a policy scores alike, found without scoring.
     *
     * @param level the level that a GPU must be at, or -1 for any
     */
    public static @Nullable GpuPartition best(GpuRequest.Partition request, NodeState node, long gpus, int level) {
        GpuPartition best = null;
        long most = Long.MIN_VALUE;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            PartitionTable table = node.nodeClass().partitions(gpu);
            long word = word(node, gpu);
            // few GPUs are at the level, and a level is found sooner than room
            if (table == null || level >= 0 && table.level(word) != level || !hasRoom(request, node, gpu)) {
                continue;
            }
            String mode = table.hasNodeModes() ? nodeMode(node) : "";
            long now = table.worth().of(word);
            for (int place : table.placesOf(table.name(request.profile()))) {
                if (table.fits(word, place) && goesWith(table, place, mode)) {
                    long worth = table.worth().of(word + table.word(place)) - now;
                    if (best == null || worth > most) {
                        best = new GpuPartition(
                                gpu,
                                request.profile(),
                                table.start(place),
                                table.profile(place).mode());
                        most = worth;
                    }
                }
            }
        }
        return best;
    }

    /**
     * Whether a node may have room for all partitions of each profile that a pod holds at one time, if nothing else were asked of its
     * GPUs. A no is certain.
     */
    static boolean mayServe(PodDemand demand, NodeState node, SearchSteps steps) {
        GpuRequest.Partition single = demand.singlePartition();
        if (single != null && single.instances() == 1) {
            return hasRoomAnywhere(single, node);
        }
        Map<String, Integer> together = new TreeMap<>();
        for (Container container : demand.gpuContainers()) {
            if (container.kind() != ContainerKind.INIT && container.gpu() instanceof GpuRequest.Partition request) {
                together.merge(request.profile(), request.instances(), Integer::sum);
            }
        }
        for (Map.Entry<String, Integer> asked : together.entrySet()) {
            if (!hasRoomFor(asked.getKey(), asked.getValue(), node, steps)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasRoomAnywhere(GpuRequest.Partition request, NodeState node) {
        for (int g = 0; g < node.gpuCount(); g++) {
            if (hasRoom(request, node, g)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasRoomFor(String profile, int partitions, NodeState node, SearchSteps steps) {
        long most = 0;
        for (int g = 0; g < node.gpuCount() && most < partitions; g++) {
            PartitionTable table = open(node, g);
            int name = table == null ? -1 : table.name(profile);
            if (table != null && name >= 0) {
                long word = word(node, g);
                steps.take(word == 0 ? 1 : 4 * table.stepsToFit(table.placesOf(name).length));
                most += table.mostOf(word, name);
            }
        }
        return most >= partitions;
    }

    /** How many partitions the container that asks for most asks for. */
    public static int mostAsked(PodDemand demand) {
        int most = 0;
        for (GpuRequest.Partition request : demand.partitions()) {
            most = Math.max(most, request.instances());
        }
        return most;
    }

    /** How many partitions of that of its requests that has fewest a node has room for, each request on its own. */
    public static long fewest(PodDemand demand, NodeState node) {
        long fewest = Long.MAX_VALUE;
        for (GpuRequest.Partition request : demand.partitions()) {
            fewest = Math.min(fewest, count(request, node));
        }
        return fewest;
    }

    /** Whether each of a pod's requests for partitions finds room, each on its own. */
    public static boolean hasRoom(PodDemand demand, NodeState node) {
        for (GpuRequest.Partition request : demand.partitions()) {
            if (count(request, node) < request.instances()) {
                return false;
            }
        }
        return true;
    }

    /** Whether one partition fits on a GPU that is cut and at this level. */
    public static boolean hasRoomAt(GpuRequest.Partition request, NodeState node, int level) {
        for (long rest = node.cutMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            PartitionTable table = node.nodeClass().partitions(gpu);
            if (table != null && table.level(word(node, gpu)) == level && hasRoom(request, node, gpu)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the levels of cut GPUs of these classes on which one partition more of a profile fits, as a mask. */
    public static long levels(GpuRequest.Partition request, List<NodeClass> classes) {
        long levels = 0;
        for (int i = 0; i < classes.size(); i++) {
            List<Gpu> kinds = classes.get(i).kinds();
            for (int k = 0; k < kinds.size(); k++) {
                PartitionTable table = kinds.get(k).partitions().table();
                int name = table.name(request.profile());
                levels |= name < 0 ? 0 : table.levels(name);
            }
        }
        return levels;
    }
}
