package io.gpusched.model;

import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a placement goes with what a node has free, and says what keeps it away: the one place for that.
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
     * @throws PlacementConflictException if it names a GPU that the node does not have, asks for more of a GPU than a device
     *     can be, holds one GPU whole and in part by ordinary containers, or takes the whole of a node of another size
     */
    static Holdings holdings(Placement placement, String node, NodeClass nodeClass) {
        Holdings simple = placement.allocation().simpleHoldings();
        return simple != null && simple.goesWith(nodeClass.gpus(), placement.holdsWholeNode())
                ? simple
                : HoldingsSum.of(placement.pod(), placement.containers(), node, nodeClass.gpus());
    }

    /** Returns what {@link #holdings} returns, or null where that throws. */
    static @Nullable Holdings tryHoldings(Placement placement, String node, NodeClass nodeClass) {
        try {
            return holdings(placement, node, nodeClass);
        } catch (PlacementConflictException e) {
            return null;
        }
    }

    /** What of a placement does not go with the node, and why. */
    record Conflict(String field, String why) {}

    /** Returns what keeps a pod which takes this of the GPUs from running here, or null; that it does not do so yet is known. */
    @Nullable
    Conflict conflict(Placement placement, Holdings add) {
        boolean wholeNode = placement.holdsWholeNode();
        if (Placements.holdWholeNode(running)) {
            return new Conflict("node", "pod \"" + running[0].pod() + "\" holds the whole node");
        }
        if (running.length >= nodeClass.maxPods()) {
            return new Conflict(
                    "pods", "pods must be at most " + nodeClass.maxPods() + ", one more makes " + (running.length + 1));
        }
        Conflict amounts = wholeNode ? ofWholeNode(placement.resources()) : ofAmounts(placement.resources());
        Conflict unlike = amounts == null ? ofMode(placement) : amounts;
        if (unlike != null) {
            return unlike;
        }
        for (long rest = add.whole() | add.parts(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            boolean whole = (add.whole() >>> gpu & 1) != 0;
            if (asksHealth && !gpus.isHealthy(gpu)) {
                return new Conflict(gpu(gpu), "gpu " + gpu + " is not healthy");
            }
            Conflict device = (add.cut() >>> gpu & 1) != 0
                    ? ofCut(gpu, add.share(gpu))
                    : ofGpu(gpu, whole ? GpuWord.WHOLE : add.share(gpu));
            if (device != null) {
                return device;
            }
        }
        return add.cut() == 0 ? null : ofNodeMode(add);
    }

    private @Nullable Conflict ofWholeNode(Resources asked) {
        if (running.length > 0) {
            return new Conflict(
                    "node",
                    "the whole node is asked for, but "
                            + (running.length == 1 ? "1 pod runs" : running.length + " pods run")
                            + " there, first " + running[0].pod());
        }
        return asked.fitsIn(capacity) ? null : new Conflict("node", "it needs " + asked + ", the node has " + capacity);
    }

    private @Nullable Conflict ofAmounts(Resources asked) {
        if (asked.cpuMillis() > freeCpuMillis) {
            return ofAmount("cpuMillis", asked.cpuMillis(), freeCpuMillis);
        }
        if (asked.memoryMib() > freeMemoryMib) {
            return ofAmount("memoryMib", asked.memoryMib(), freeMemoryMib);
        }
        if (asked.named().fitsIn(freeNamed)) {
            return null;
        }
        String name = asked.named().firstAbove(freeNamed).orElseThrow();
        return ofAmount(name, asked.amount(name), freeNamed.amount(name));
    }

    private static Conflict ofAmount(String field, long asked, long free) {
        return new Conflict(field, field + " must be in 0.." + free + " (what is free), got " + asked);
    }

    /** Looks at each container: what they hold together may be whole though an init container holds only a part. */
    private @Nullable Conflict ofMode(Placement placement) {
        NodeMode mode = nodeClass.mode();
        if (mode == NodeMode.MIXED) {
            return null;
        }
        List<ContainerGrant> containers = placement.containers();
        for (int i = 0; i < containers.size(); i++) {
            GpuGrant grant = containers.get(i).gpus();
            boolean part = grant instanceof GpuGrant.Shared;
            boolean admitted = grant instanceof GpuGrant.None
                    || grant instanceof GpuGrant.Partitions
                    || (part ? mode.admitsShares() : mode.admitsWhole());
            if (!admitted) {
                return new Conflict(
                        "mode",
                        "gpu " + grant.indexes().get(0) + " is asked for " + (part ? "in part" : "whole")
                                + ", but the node's mode is " + mode);
            }
        }
        return null;
    }

    private @Nullable Conflict ofGpu(int index, long add) {
        boolean whole = GpuWord.isWhole(add);
        if (gpus.isCut(index)) {
            return new Conflict(
                    gpu(index),
                    "gpu " + index + " is asked for " + (whole ? "whole" : "in part")
                            + ", but it is cut into partitions");
        }
        long used = gpus.word(index);
        if (whole && used != 0 || GpuWord.isWhole(used)) {
            return new Conflict(
                    gpu(index),
                    "gpu " + index + " is asked for " + (whole ? "whole" : "in part") + ", but it is "
                            + (GpuWord.isWhole(used) ? "held whole" : "held in part"));
        }
        Gpu gpu = nodeClass.gpus().get(index);
        if (!whole && !GpuShare.sumFits(used, add, gpu)) {
            return new Conflict(
                    gpu(index),
                    "gpu " + index + " has " + (gpu.computeMillis() - GpuWord.compute(used)) + "m, "
                            + (gpu.memoryMib() - GpuWord.memory(used)) + " MiB and "
                            + (gpu.slots() - GpuWord.slots(used)) + " slots free, asked are "
                            + GpuWord.compute(add) + "m, " + GpuWord.memory(add) + " MiB and " + GpuWord.slots(add)
                            + " slots");
        }
        return null;
    }

    private @Nullable Conflict ofCut(int index, long add) {
        if (gpus.isWhole(index) || !gpus.isCut(index) && gpus.share(index) != 0) {
            return new Conflict(
                    gpu(index),
                    "partitions of gpu " + index + " are asked for, but it is "
                            + (gpus.isWhole(index) ? "held whole" : "shared"));
        }
        PartitionTable table = nodeClass.gpus().get(index).partitions().table();
        return table.goTogether(gpus.share(index), add)
                ? null
                : new Conflict(
                        gpu(index),
                        "the partitions asked for of gpu " + index
                                + " do not go with the partitions that are held there");
    }

    private @Nullable Conflict ofNodeMode(Holdings add) {
        String mode = "";
        for (int g = 0; g < nodeClass.gpus().size(); g++) {
            PartitionTable table = nodeClass.gpus().get(g).partitions().table();
            boolean cut = (add.cut() >>> g & 1) != 0;
            long word = (gpus.isCut(g) ? gpus.share(g) : 0) + (cut ? add.share(g) : 0);
            String here = table.nodeMode(word);
            if (!here.isEmpty() && !mode.isEmpty() && !here.equals(mode)) {
                return new Conflict(
                        "mode",
                        "all partitions of a node must be in one mode, got \"" + mode + "\" and \"" + here
                                + "\" on gpu " + g);
            }
            mode = here.isEmpty() ? mode : here;
        }
        return null;
    }

    private static String gpu(int index) {
        return "gpus[" + index + "]";
    }

    /** Returns a conflict in words. */
    PlacementConflictException error(Placement placement, Conflict conflict) {
        String why = conflict.why();
        if (!asksHealth) {
            return new PlacementConflictException(
                    placement.pod(),
                    name,
                    conflict.field(),
                    "pod \"" + placement.pod() + "\" runs on node \"" + name
                            + "\", which cannot hold it: " + why
                            + "\nMaybe the node and what runs there were read at different times.");
        }
        return new PlacementConflictException(
                placement.pod(),
                name,
                conflict.field(),
                "cannot place pod \"" + placement.pod() + "\" on node \"" + name + "\": " + why
                        + "\nMaybe the placement was decided on another snapshot than the one it is applied to.");
    }
}
