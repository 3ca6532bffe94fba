package io.gpusched.model;

import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions the containers of a pod hold. Of each place the pod has the greater number of instances of two: of all its
 * ordinary containers and sidecars, and of any one init container with the sidecars before it; so an init container may
 * hold a partition that an ordinary container gets afterwards.
 */
final class PodPartitions {
    /** A place of the geometry of a device. */
    record Place(PartitionTable table, int place) {}

    private final @Nullable PartitionTable[] tables;

    /** By GPU and place: the instances of the containers that keep running, of the sidecars so far, and what counts. */
    private final int[][] running;

    private final int[][] sidecars;
    private final int[][] most;

    private PodPartitions(int gpus) {
        tables = new PartitionTable[gpus];
        running = new int[gpus][];
        sidecars = new int[gpus][];
        most = new int[gpus][];
    }

    /** Returns the partitions of these containers, or null if they have none. */
    static @Nullable PodPartitions of(
            List<ContainerGrant> containers, int gpus, BiFunction<ContainerGrant, GpuPartition, Place> places) {
        PodPartitions partitions = null;
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).gpus() instanceof GpuGrant.Partitions held) {
                partitions = partitions == null ? new PodPartitions(gpus) : partitions;
                partitions.add(containers.get(i), held.partitions(), places);
            }
        }
        return partitions;
    }

    private void add(
            ContainerGrant container, List<GpuPartition> held, BiFunction<ContainerGrant, GpuPartition, Place> places) {
        int[][] mine = container.kind() == ContainerKind.INIT ? copy(sidecars) : running;
        for (int i = 0; i < held.size(); i++) {
            int gpu = held.get(i).gpu();
            Place at = places.apply(container, held.get(i));
            if (tables[gpu] == null) {
                tables[gpu] = at.table();
                running[gpu] = new int[at.table().places()];
                sidecars[gpu] = new int[at.table().places()];
                most[gpu] = new int[at.table().places()];
            }
            if (mine[gpu] == null) {
                mine[gpu] = new int[at.table().places()];
            }
            mine[gpu][at.place()]++;
            most[gpu][at.place()] = Math.max(most[gpu][at.place()], mine[gpu][at.place()]);
            sidecars[gpu][at.place()] += container.kind() == ContainerKind.SIDECAR ? 1 : 0;
        }
    }

    private static int[][] copy(int[][] counts) {
        int[][] copy = counts.clone();
        for (int g = 0; g < copy.length; g++) {
            copy[g] = counts[g] == null ? counts[g] : counts[g].clone();
        }
        return copy;
    }

    /** Returns by GPU the word of what the pod holds; 0 for nothing. */
    long[] words(IntFunction<PlacementConflictException> conflict) {
        long[] words = new long[tables.length];
        for (int g = 0; g < words.length; g++) {
            PartitionTable table = tables[g];
            for (int place = 0; table != null && place < most[g].length; place++) {
                for (int i = 0; i < most[g][place]; i++) {
                    if (!table.fits(words[g], place)) {
                        throw conflict.apply(g);
                    }
                    words[g] += table.word(place);
                }
            }
        }
        return words;
    }
}
