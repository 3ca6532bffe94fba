package io.gpusched.model;

import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a placement goes with what a node has free, and says what stands against it: the one place for that.
 *
 * @param name the name of the node
 * @param capacity what the machine has for pods
 * @param running what runs there
 * @param asksHealth whether GPUs must be healthy; what runs already may stay on others
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PlacementCheck(
        String name,
        NodeClass nodeClass,
        Resources capacity,
        GpuUsage gpus,
        long freeCpuMillis,
        long freeMemoryMib,
        NamedAmounts freeNamed,
        Placement[] running,
        boolean asksHealth) {
    /**
     * Returns what a placement takes of the GPUs.
     *
     * @param simple what it takes where that follows without a look at the node, or null
     * @throws PlacementConflictException if it names a GPU that the node does not have, asks for more of a GPU than a device
     *     can be, holds one GPU whole and in part by ordinary containers, or takes the whole of a node of another size
     */
    static Holdings holdings(Placement placement, @Nullable Holdings simple, String node, NodeClass nodeClass) {
        return simple != null && simple.goesWith(nodeClass.gpus(), placement.holdsWholeNode())
                ? simple
                : HoldingsSum.of(placement.pod(), placement.containers(), node, nodeClass.gpus());
    }

    /**
     * Checks that a pod which takes this of the GPUs may run here; that it does not do so yet is known.
     *
     * @throws PlacementConflictException if not
     */
    void check(Placement placement, Holdings add) {
        boolean wholeNode = placement.holdsWholeNode();
        if (Placements.holdWholeNode(running)) {
            throw conflict(placement, "node", "pod \"" + running[0].pod() + "\" holds the whole node");
        }
        if (running.length >= nodeClass.maxPods()) {
            throw conflict(
                    placement,
                    "pods",
                    "pods must be at most " + nodeClass.maxPods() + ", one more makes " + (running.length + 1));
        }
        if (wholeNode) {
            checkWholeNode(placement);
        } else {
            checkAmount(placement, "cpuMillis", placement.resources().cpuMillis(), freeCpuMillis);
            checkAmount(placement, "memoryMib", placement.resources().memoryMib(), freeMemoryMib);
            checkNamed(placement, placement.resources().named());
        }
        checkMode(placement);
        for (long rest = add.whole() | add.parts(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            boolean whole = (add.whole() >>> gpu & 1) != 0;
            if (asksHealth && !gpus.isHealthy(gpu)) {
                throw conflict(placement, gpu(gpu), "gpu " + gpu + " is not healthy");
            }
            if ((add.cut() >>> gpu & 1) != 0) {
                checkCut(placement, gpu, add.share(gpu));
            } else {
                checkGpu(placement, gpu, whole ? GpuWord.WHOLE : add.share(gpu));
            }
        }
        if (add.cut() != 0) {
            checkNodeMode(placement, add);
        }
    }

    private void checkWholeNode(Placement placement) {
        if (running.length > 0) {
            throw conflict(
                    placement,
                    "node",
                    "the whole node is asked for, but "
                            + (running.length == 1 ? "1 pod runs" : running.length + " pods run")
                            + " there, first " + running[0].pod());
        }
        if (!placement.resources().fitsIn(capacity)) {
            throw conflict(placement, "node", "it needs " + placement.resources() + ", the node has " + capacity);
        }
    }

    private void checkAmount(Placement placement, String field, long asked, long free) {
        if (asked > free) {
            throw conflict(placement, field, field + " must be in 0.." + free + " (what is free), got " + asked);
        }
    }

    private void checkNamed(Placement placement, NamedAmounts asked) {
        if (!asked.fitsIn(freeNamed)) {
            String name = asked.firstAbove(freeNamed).orElseThrow();
            checkAmount(placement, name, asked.amount(name), freeNamed.amount(name));
        }
    }

    /** Looks at each container: what they hold together may be whole though an init container holds only a part. */
    private void checkMode(Placement placement) {
        NodeMode mode = nodeClass.mode();
        if (mode == NodeMode.MIXED) {
            return;
        }
        List<ContainerGrant> containers = placement.containers();
        for (int i = 0; i < containers.size(); i++) {
            GpuGrant grant = containers.get(i).gpus();
            boolean part = grant instanceof GpuGrant.Shared;
            boolean admitted = grant instanceof GpuGrant.None
                    || grant instanceof GpuGrant.Partitions
                    || (part ? mode.admitsShares() : mode.admitsWhole());
            if (!admitted) {
                throw conflict(
                        placement,
                        "mode",
                        "gpu " + grant.indexes().get(0) + " is asked for " + (part ? "in part" : "whole")
                                + ", but the node's mode is " + mode);
            }
        }
    }

    private void checkGpu(Placement placement, int index, long add) {
        boolean whole = GpuWord.isWhole(add);
        if (gpus.isCut(index)) {
            throw conflict(
                    placement,
                    gpu(index),
                    "gpu " + index + " is asked for " + (whole ? "whole" : "in part")
                            + ", but it is cut into partitions");
        }
        long used = gpus.word(index);
        if (whole && used != 0 || GpuWord.isWhole(used)) {
            throw conflict(
                    placement,
                    gpu(index),
                    "gpu " + index + " is asked for " + (whole ? "whole" : "in part") + ", but it is "
                            + (GpuWord.isWhole(used) ? "held whole" : "held in part"));
        }
        Gpu gpu = nodeClass.gpus().get(index);
        if (!whole && !GpuShare.sumFits(used, add, gpu)) {
            throw conflict(
                    placement,
                    gpu(index),
                    "gpu " + index + " has " + (gpu.computeMillis() - GpuWord.compute(used)) + "m, "
                            + (gpu.memoryMib() - GpuWord.memory(used)) + " MiB and "
                            + (gpu.slots() - GpuWord.slots(used)) + " slots free, asked are "
                            + GpuWord.compute(add) + "m, " + GpuWord.memory(add) + " MiB and " + GpuWord.slots(add)
                            + " slots");
        }
    }

    private void checkCut(Placement placement, int index, long add) {
        if (gpus.isWhole(index) || !gpus.isCut(index) && gpus.share(index) != 0) {
            throw conflict(
                    placement,
                    gpu(index),
                    "partitions of gpu " + index + " are asked for, but it is "
                            + (gpus.isWhole(index) ? "held whole" : "shared"));
        }
        PartitionTable table = nodeClass.gpus().get(index).partitions().table();
        if (!table.goTogether(gpus.share(index), add)) {
            throw conflict(
                    placement,
                    gpu(index),
                    "the partitions asked for of gpu " + index + " do not go with those that are held there");
        }
    }

    private void checkNodeMode(Placement placement, Holdings add) {
        String mode = "";
        for (int g = 0; g < nodeClass.gpus().size(); g++) {
            PartitionTable table = nodeClass.gpus().get(g).partitions().table();
            boolean cut = (add.cut() >>> g & 1) != 0;
            long word = (gpus.isCut(g) ? gpus.share(g) : 0) + (cut ? add.share(g) : 0);
            String here = table.nodeMode(word);
            if (!here.isEmpty() && !mode.isEmpty() && !here.equals(mode)) {
                throw conflict(
                        placement,
                        "mode",
                        "all partitions of a node must be in one mode, got \"" + mode + "\" and \"" + here
                                + "\" on gpu " + g);
            }
            mode = here.isEmpty() ? mode : here;
        }
    }

    private static String gpu(int index) {
        return "gpus[" + index + "]";
    }

    private PlacementConflictException conflict(Placement placement, String field, String why) {
        if (!asksHealth) {
            return new PlacementConflictException(
                    placement.pod(),
                    name,
                    field,
                    "pod \"" + placement.pod() + "\" runs on node \"" + name
                            + "\", which cannot hold it: " + why
                            + "\nMaybe the node and what runs there were read at different times.");
        }
        return new PlacementConflictException(
                placement.pod(),
                name,
                field,
                "cannot place pod \"" + placement.pod() + "\" on node \"" + name + "\": " + why
                        + "\nMaybe the placement was decided on another snapshot than the one it is applied to.");
    }
}
