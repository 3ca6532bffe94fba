package io.gpusched.model;

import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import java.util.List;

/** Adds up what the containers of a pod take of the GPUs of a node, checked device by device. */
final class HoldingsSum {
    private final PodId pod;
    private final String node;
    private final List<Gpu> gpus;

    private HoldingsSum(PodId pod, String node, List<Gpu> gpus) {
        this.pod = pod;
        this.node = node;
        this.gpus = gpus;
    }

    /**
     * Returns what a pod takes of the GPUs of a node: the sum over containers, or the greatest init container.
     *
     * @throws PlacementConflictException if a grant names a GPU that the node does not have, asks for more of a GPU than a
     *     device can be, holds one GPU whole and in part by ordinary containers, or takes the whole of a node of another
     *     size
     */
    static Holdings of(PodId pod, List<ContainerGrant> containers, String node, List<Gpu> gpus) {
        return new HoldingsSum(pod, node, gpus).sum(containers);
    }

    private Holdings sum(List<ContainerGrant> containers) {
        if (containers.size() == 1
                && containers.get(0).gpus() instanceof GpuGrant.Partitions held
                && held.partitions().size() == 1) {
            GpuPartition only = held.partitions().get(0);
            PodPartitions.Place at = place(containers.get(0), only);
            return Holdings.ofPartitions(1L << only.gpu(), at.table().word(at.place()));
        }
        PodPartitions partitions = PodPartitions.of(containers, gpus.size(), this::place);
        Holdings others = partitions != null && containers.size() == 1 ? Holdings.NOTHING : sumOfOthers(containers);
        return partitions == null ? others : withPartitions(others, partitions);
    }

    private PodPartitions.Place place(ContainerGrant container, GpuPartition partition) {
        checkGpu(container, partition.gpu());
        PartitionTable table = gpus.get(partition.gpu()).partitions().table();
        int place = table.find(partition.profile(), partition.start(), partition.mode());
        if (place < 0) {
            throw conflict(
                    partition.gpu(),
                    at(container) + partition + " is no partition of such a device ("
                            + gpus.get(partition.gpu()).partitions() + ")");
        }
        return new PodPartitions.Place(table, place);
    }

    private Holdings withPartitions(Holdings others, PodPartitions partitions) {
        long[] words = partitions.words(gpu -> conflict(
                gpu,
                "pod \"" + pod + "\", node \"" + node + "\", gpu " + gpu
                        + ": the partitions that its containers hold there do not go together"));
        long cut = 0;
        for (int g = 0; g < words.length; g++) {
            boolean whole = (others.whole() >>> g & 1) != 0;
            if (words[g] == 0) {
                words[g] = others.share(g);
            } else if (whole || others.share(g) != 0) {
                throw conflict(
                        g,
                        "pod \"" + pod + "\", node \"" + node + "\", gpu " + g
                                + ": one container holds " + (whole ? "it whole" : "a share of it")
                                + " and another a partition of it");
            } else {
                cut |= 1L << g;
            }
        }
        return others.whole() == 0 && Long.bitCount(cut) == 1 && others.parts() == 0
                ? Holdings.ofPartitions(cut, words[Long.numberOfTrailingZeros(cut)])
                : Holdings.of(others.whole(), cut, words);
    }

    private Holdings sumOfOthers(List<ContainerGrant> containers) {
        Holdings sum = Holdings.NOTHING;
        Holdings sidecars = sum;
        Holdings init = sum;
        for (ContainerGrant container : containers) {
            if (container.gpus() instanceof GpuGrant.None || container.gpus() instanceof GpuGrant.Partitions) {
                continue;
            }
            if (container.kind() == ContainerKind.INIT) {
                init = max(init, plus(sidecars, container));
            } else {
                sum = plus(sum, container);
                sidecars = container.kind() == ContainerKind.SIDECAR ? plus(sidecars, container) : sidecars;
            }
        }
        return max(sum, init);
    }

    private Holdings max(Holdings one, Holdings other) {
        long whole = one.whole() | other.whole();
        long[] most = new long[gpus.size()];
        for (int g = 0; g < most.length; g++) {
            most[g] = (whole >>> g & 1) != 0 ? 0 : GpuWord.max(one.share(g), other.share(g));
        }
        return Holdings.of(whole, 0, most);
    }

    private Holdings plus(Holdings others, ContainerGrant container) {
        long whole = others.whole();
        long[] sum = new long[gpus.size()];
        for (int g = 0; g < sum.length; g++) {
            sum[g] = others.share(g);
        }
        if (container.gpus() instanceof GpuGrant.Shared shared) {
            for (GpuShare share : shared.shares()) {
                checkGpu(container, share.gpu());
                addShare(container, share, whole, sum);
            }
        } else if (container.gpus() instanceof GpuGrant.WholeNode all && all.gpuCount() != gpus.size()) {
            throw new PlacementConflictException(
                    pod,
                    node,
                    "node",
                    at(container) + "holds the whole of a node with " + all.gpuCount() + " gpus, but the node has "
                            + gpus.size());
        } else {
            for (int gpu : container.gpus().indexes()) {
                checkGpu(container, gpu);
                whole = withWhole(container, gpu, whole, sum);
            }
        }
        return Holdings.of(whole, 0, sum);
    }

    private void checkGpu(ContainerGrant container, int gpu) {
        if (gpu >= gpus.size()) {
            throw conflict(
                    gpu,
                    at(container)
                            + (gpus.isEmpty() ? "the node has no gpus" : "gpu index must be in 0.." + (gpus.size() - 1))
                            + ", got " + gpu);
        }
    }

    private long withWhole(ContainerGrant container, int gpu, long whole, long[] shares) {
        if ((whole >>> gpu & 1) != 0 || shares[gpu] != 0) {
            throw conflict(gpu, at(container) + "gpu " + gpu + " is held by another container of the same pod");
        }
        return whole | 1L << gpu;
    }

    private void addShare(ContainerGrant container, GpuShare share, long whole, long[] sum) {
        Gpu gpu = gpus.get(share.gpu());
        long word = share.word();
        if ((whole >>> share.gpu() & 1) != 0 || !GpuShare.sumFits(sum[share.gpu()], word, gpu)) {
            throw conflict(
                    share.gpu(),
                    at(container) + share
                            + " and what the pod's other containers hold there exceed the device ("
                            + gpu.computeMillis()
                            + "m, " + gpu.memoryMib() + " MiB, " + gpu.slots() + " slots)");
        }
        sum[share.gpu()] += word;
    }

    private PlacementConflictException conflict(int gpu, String message) {
        return new PlacementConflictException(pod, node, "gpus[" + gpu + "]", message);
    }

    private String at(ContainerGrant container) {
        return "pod \"" + pod + "\", container \"" + container.container() + "\", node \"" + node + "\": ";
    }
}
