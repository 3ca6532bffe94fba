package io.gpusched.model;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node together with what runs on it: what a policy looks at.
 *
 * <p>All reads cost O(1) unless said otherwise. Immutable and thread-safe. Equal if node and placements are equal, the
 * order of placements aside.
 */
public final class NodeState {
    private static final Placement[] NOTHING = {};

    private final Node node;
    private final NodeClass nodeClass;
    private final int order;
    private final int slot;
    private final long usedCpuMillis;
    private final long usedMemoryMib;
    private final long[] gpus;
    private final Placement[] placements;

    /** Pods that are only assumed to run here: 0, or 1 in what {@link #assumingWhole} and its like return. */
    private final int assumedPods;

    /** Which GPUs are idle, healthy and free for any tenant, by index. */
    private final long idleMask;

    /** What the search tree knows of this node, worked out when first asked for; see {@link RoomFormat}. */
    private @Nullable RoomDigest digest;

    NodeState(Node node, NodeClass nodeClass, int order, int slot) {
        this(node, nodeClass, order, slot, 0, 0, new long[node.gpus().size()], NOTHING);
    }

    private NodeState(
            Node node,
            NodeClass nodeClass,
            int order,
            int slot,
            long usedCpuMillis,
            long usedMemoryMib,
            long[] gpus,
            Placement[] placements) {
        this.node = node;
        this.nodeClass = nodeClass;
        this.order = order;
        this.slot = slot;
        this.usedCpuMillis = usedCpuMillis;
        this.usedMemoryMib = usedMemoryMib;
        this.gpus = gpus;
        this.placements = placements;
        this.assumedPods = 0;
        long idle = 0;
        List<Gpu> devices = node.gpus();
        for (int g = 0; g < gpus.length; g++) {
            if (gpus[g] == 0 && devices.get(g).healthy()) {
                idle |= 1L << g;
            }
        }
        this.idleMask = idle;
    }

    /** The state in which an assumed pod holds this much besides. */
    private NodeState(NodeState base, Resources held, long[] gpus, long idleMask) {
        this.node = base.node;
        this.nodeClass = base.nodeClass;
        this.order = base.order;
        this.slot = base.slot;
        this.usedCpuMillis = base.usedCpuMillis + held.cpuMillis();
        this.usedMemoryMib = base.usedMemoryMib + held.memoryMib();
        this.gpus = gpus;
        this.placements = base.placements;
        this.assumedPods = base.assumedPods + 1;
        this.idleMask = idleMask;
    }

    RoomDigest digest() {
        RoomDigest known = digest;
        if (known == null) {
            known = RoomDigest.of(this);
            digest = known;
        }
        return known;
    }

    /** Returns the machine. */
    public Node node() {
        return node;
    }

    /** Returns the class of nodes it belongs to. */
    public NodeClass nodeClass() {
        return nodeClass;
    }

    /** Returns its place in the order of nodes (topology, then name), from 0; ties end in this order. */
    public int order() {
        return order;
    }

    /** Returns its place among the nodes of its class, from 0. */
    public int slot() {
        return slot;
    }

    /** Returns the CPU that no pod holds, in milli. */
    public long freeCpuMillis() {
        return node.capacity().cpuMillis() - usedCpuMillis;
    }

    /** Returns the memory that no pod holds, in MiB. */
    public long freeMemoryMib() {
        return node.capacity().memoryMib() - usedMemoryMib;
    }

    /** Returns the number of pods that run here. */
    public int podCount() {
        return placements.length + assumedPods;
    }

    /** Returns what the pods that run here hold, in no particular order. */
    public List<Placement> placements() {
        return List.of(placements);
    }

    /** Returns what this pod holds here, or null if it does not run here; O(pods here). */
    public @Nullable Placement placement(PodId pod) {
        for (Placement placement : placements) {
            if (placement.pod().equals(pod)) {
                return placement;
            }
        }
        return null;
    }

    /** Returns whether nothing runs here. */
    public boolean isEmpty() {
        return placements.length + assumedPods == 0;
    }

    /** Returns whether one pod holds the node as a whole. */
    public boolean isHeldWhole() {
        return placements.length == 1 && placements[0].holdsWholeNode();
    }

    /** Returns the number of GPUs, healthy or not. */
    public int gpuCount() {
        return gpus.length;
    }

    /** Returns the number of healthy GPUs of which nobody holds anything. */
    public int idleGpus() {
        return Long.bitCount(idleMask);
    }

    /** Returns whether a GPU is healthy and nobody holds anything of it. */
    public boolean isIdle(int gpu) {
        return (idleMask >>> gpu & 1) != 0;
    }

    /** Returns whether one pod holds a GPU whole. */
    public boolean isWhole(int gpu) {
        return GpuWord.isWhole(gpus[gpu]);
    }

    /** Returns whether parts of a GPU are held. */
    public boolean isShared(int gpu) {
        return gpus[gpu] > 0;
    }

    /** Returns whether a GPU is healthy. */
    public boolean isHealthy(int gpu) {
        return node.gpus().get(gpu).healthy();
    }

    /** Returns the compute of a GPU that may still be given away, in milli; 0 if it is held whole or not healthy. */
    public int freeComputeMillis(int gpu) {
        return isClosed(gpu) ? 0 : node.gpus().get(gpu).computeMillis() - GpuWord.compute(gpus[gpu]);
    }

    /** Returns the memory of a GPU that may still be given away, in MiB; 0 if it is held whole or not healthy. */
    public long freeMemoryMib(int gpu) {
        return isClosed(gpu) ? 0 : node.gpus().get(gpu).memoryMib() - GpuWord.memory(gpus[gpu]);
    }

    /** Returns the slots of a GPU that may still be given away; 0 if it is held whole or not healthy. */
    public int freeSlots(int gpu) {
        return isClosed(gpu) ? 0 : node.gpus().get(gpu).slots() - GpuWord.slots(gpus[gpu]);
    }

    /** Returns the compute that may still be given away on all GPUs together, in milli; O(GPUs). */
    public long freeComputeMillis() {
        long sum = 0;
        for (int g = 0; g < gpus.length; g++) {
            sum += freeComputeMillis(g);
        }
        return sum;
    }

    private boolean isClosed(int gpu) {
        return GpuWord.isWhole(gpus[gpu]) || !node.gpus().get(gpu).healthy();
    }

    /**
     * Returns whether the GPUs cannot be told apart by a tenant: equal hardware, health and use.
     */
    public boolean isInterchangeable(int gpu, int other) {
        Gpu a = node.gpus().get(gpu);
        Gpu b = node.gpus().get(other);
        return gpus[gpu] == gpus[other] && a.healthy() == b.healthy() && a.hardwareEquals(b);
    }

    /**
     * Returns this node with a pod placed on it.
     *
     * <p>What the pod holds must be free, be admitted by the node's mode and lie on healthy GPUs. Taints, selectors and
     * the cordon are not looked at: they bind a scheduler, not what already runs. O(GPUs + pods here).
     *
     * @throws PlacementConflictException if anything it takes is not free
     */
    public NodeState with(Placement placement) {
        long[] add = Holdings.of(placement, node);
        boolean wholeNode = placement.holdsWholeNode();
        NodeChecks.checkPlace(this, placement, add, wholeNode);
        long[] taken = gpus.clone();
        for (int g = 0; g < add.length; g++) {
            taken[g] += add[g];
        }
        Placement[] more = Arrays.copyOf(placements, placements.length + 1);
        more[placements.length] = placement;
        Resources held = wholeNode ? node.capacity() : placement.resources();
        return new NodeState(
                node,
                nodeClass,
                order,
                slot,
                usedCpuMillis + held.cpuMillis(),
                usedMemoryMib + held.memoryMib(),
                taken,
                more);
    }

    /**
     * Returns this node as if one more pod, without a name, held these resources and these GPUs whole: for comparing
     * possibilities cheaply. Nothing is checked, {@link #placements()} stays as it is. O(GPUs).
     *
     * @param held CPU and memory; no more than is free
     * @param wholeGpus the GPUs as a bit mask by index; only idle ones
     */
    public NodeState assumingWhole(Resources held, long wholeGpus) {
        if (wholeGpus == 0) {
            return new NodeState(this, held, gpus, idleMask);
        }
        long[] taken = gpus.clone();
        for (long rest = wholeGpus; rest != 0; rest &= rest - 1) {
            taken[Long.numberOfTrailingZeros(rest)] = GpuWord.WHOLE;
        }
        return new NodeState(this, held, taken, idleMask & ~wholeGpus);
    }

    /**
     * Returns this node as if one more pod, without a name, held these resources and a part of one GPU: for comparing
     * possibilities cheaply. Nothing is checked, {@link #placements()} stays as it is. O(GPUs).
     *
     * @param held CPU and memory; no more than is free
     * @param share the part; no more than is free
     */
    public NodeState assumingShare(Resources held, GpuShare share) {
        long[] taken = gpus.clone();
        taken[share.gpu()] += GpuWord.of(share);
        return new NodeState(this, held, taken, idleMask & ~(1L << share.gpu()));
    }

    /**
     * Returns this node without a placement.
     *
     * @throws PlacementConflictException if no equal placement is here
     */
    public NodeState without(Placement placement) {
        int at = indexOf(placement);
        long[] held = Holdings.of(placement, node);
        long[] left = gpus.clone();
        for (int g = 0; g < held.length; g++) {
            left[g] -= held[g];
        }
        Placement[] fewer = new Placement[placements.length - 1];
        System.arraycopy(placements, 0, fewer, 0, at);
        System.arraycopy(placements, at + 1, fewer, at, fewer.length - at);
        Resources released = placement.holdsWholeNode() ? node.capacity() : placement.resources();
        return new NodeState(
                node,
                nodeClass,
                order,
                slot,
                usedCpuMillis - released.cpuMillis(),
                usedMemoryMib - released.memoryMib(),
                left,
                fewer.length == 0 ? NOTHING : fewer);
    }

    private int indexOf(Placement placement) {
        for (int i = 0; i < placements.length; i++) {
            if (placements[i].equals(placement)) {
                return i;
            }
        }
        Placement other = placement(placement.pod());
        throw new PlacementConflictException("node \"" + node.name() + "\": cannot release " + placement + ": "
                + (other == null ? "the pod does not run there" : "what runs there is " + other));
    }

    /** Returns the same occupancy on a machine that differs only in health and cordon, or in its inventory. */
    NodeState on(Node changed, NodeClass changedClass, int newOrder, int newSlot) {
        return new NodeState(changed, changedClass, newOrder, newSlot, usedCpuMillis, usedMemoryMib, gpus, placements);
    }

    long word(int gpu) {
        return gpus[gpu];
    }

    long usedCpuMillis() {
        return usedCpuMillis;
    }

    long usedMemoryMib() {
        return usedMemoryMib;
    }

    /**
     * Returns whether the other node is in the same state as far as a request can tell that looks at neither name nor
     * labels nor pods: same class, same amounts free, same use of each GPU by index, same cordon and health. O(GPUs).
     */
    public boolean sameOccupancy(NodeState other) {
        return nodeClass == other.nodeClass
                && usedCpuMillis == other.usedCpuMillis
                && usedMemoryMib == other.usedMemoryMib
                && node.capacity().equals(other.node.capacity())
                && placements.length == other.placements.length
                && idleMask == other.idleMask
                && node.cordoned() == other.node.cordoned()
                && Arrays.equals(gpus, other.gpus)
                && isHeldWhole() == other.isHeldWhole()
                && sameHealth(other);
    }

    private boolean sameHealth(NodeState other) {
        for (int g = 0; g < gpus.length; g++) {
            if (node.gpus().get(g).healthy() != other.node.gpus().get(g).healthy()) {
                return false;
            }
        }
        return true;
    }

    /** Returns a hash that agrees with {@link #sameOccupancy}; O(GPUs). */
    public int occupancyHash() {
        long hash = nodeClass.index() * 31L + placements.length;
        hash = hash * 0x9E3779B97F4A7C15L + usedCpuMillis;
        hash = hash * 0x9E3779B97F4A7C15L + usedMemoryMib;
        for (long word : gpus) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return (int) (hash ^ (hash >>> 32));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeState state
                && node.equals(state.node)
                && placements.length == state.placements.length
                && Arrays.equals(gpus, state.gpus)
                && (Arrays.equals(placements, state.placements)
                        || new HashSet<>(placements()).equals(new HashSet<>(state.placements())));
    }

    @Override
    public int hashCode() {
        int sum = node.hashCode();
        for (Placement placement : placements) {
            sum += placement.hashCode();
        }
        return sum;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(node.name())
                .append(": free ")
                .append(freeCpuMillis())
                .append("m CPU, ")
                .append(freeMemoryMib())
                .append(" MiB, ")
                .append(placements.length)
                .append(" pods");
        for (int g = 0; g < gpus.length; g++) {
            text.append(g == 0 ? ", gpus [" : " ");
            text.append(!isHealthy(g) ? "sick" : isWhole(g) ? "whole" : freeComputeMillis(g) + "m");
        }
        return gpus.length == 0 ? text.toString() : text.append(']').toString();
    }
}
