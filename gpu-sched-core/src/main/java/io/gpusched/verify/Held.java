package io.gpusched.verify;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What is held of one device: by containers that run at the same time, or by a pod, which holds the most that its containers do at any time
 * ({@link Placement}).
 *
 * @param wholes how many hold it whole
 * @param sharers how many hold a share
 * @param partitions each as often as it is held
 */
record Held(int wholes, int sharers, long compute, long memory, long slots, List<GpuPartition> partitions) {
    static final Held NOTHING = new Held(0, 0, 0, 0, 0, List.of());

    static Held of(GpuGrant grant, int gpu) {
        if (grant instanceof GpuGrant.Whole || grant instanceof GpuGrant.WholeNode) {
            return grant.indexes().contains(gpu) ? new Held(1, 0, 0, 0, 0, List.of()) : NOTHING;
        }
        if (grant instanceof GpuGrant.Shared shared) {
            for (GpuShare share : shared.shares()) {
                if (share.gpu() == gpu) {
                    return new Held(0, 1, share.computeMillis(), share.memoryMib(), share.slots(), List.of());
                }
            }
        }
        if (grant instanceof GpuGrant.Partitions cut) {
            return new Held(
                    0,
                    0,
                    0,
                    0,
                    0,
                    cut.partitions().stream().filter(one -> one.gpu() == gpu).toList());
        }
        return NOTHING;
    }

    /** The containers of a pod that run at the same time: each init container with the sidecars before it, and in the end all others. */
    static List<List<ContainerGrant>> moments(Placement placement) {
        List<List<ContainerGrant>> moments = new ArrayList<>();
        List<ContainerGrant> sidecars = new ArrayList<>();
        List<ContainerGrant> last = new ArrayList<>();
        for (ContainerGrant container : placement.containers()) {
            if (container.kind() == ContainerKind.INIT) {
                List<ContainerGrant> moment = new ArrayList<>(sidecars);
                moment.add(container);
                moments.add(moment);
            } else {
                last.add(container);
            }
            if (container.kind() == ContainerKind.SIDECAR) {
                sidecars.add(container);
            }
        }
        moments.add(last);
        return moments;
    }

    static Held at(List<ContainerGrant> moment, int gpu) {
        Held sum = NOTHING;
        for (ContainerGrant container : moment) {
            sum = sum.plus(of(container.gpus(), gpu));
        }
        return sum;
    }

    static Held byPod(Placement placement, int gpu) {
        Held most = NOTHING;
        for (List<ContainerGrant> moment : moments(placement)) {
            most = most.max(at(moment, gpu));
        }
        return most;
    }

    boolean isNothing() {
        return wholes == 0 && sharers == 0 && partitions.isEmpty();
    }

    Held plus(Held other) {
        List<GpuPartition> both = new ArrayList<>(partitions);
        both.addAll(other.partitions);
        return new Held(
                wholes + other.wholes,
                sharers + other.sharers,
                compute + other.compute,
                memory + other.memory,
                slots + other.slots,
                both);
    }

    /** The greater of each amount, and of each partition the greater number. */
    private Held max(Held other) {
        List<GpuPartition> both = new ArrayList<>(partitions);
        for (GpuPartition one : other.partitions) {
            if (Collections.frequency(both, one) < Collections.frequency(other.partitions, one)) {
                both.add(one);
            }
        }
        return new Held(
                Math.max(wholes, other.wholes),
                Math.max(sharers, other.sharers),
                Math.max(compute, other.compute),
                Math.max(memory, other.memory),
                Math.max(slots, other.slots),
                both);
    }
}
