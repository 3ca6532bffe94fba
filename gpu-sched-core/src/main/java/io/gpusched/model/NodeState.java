package io.gpusched.model;

import it.unimi.dsi.fastutil.longs.LongList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node together with what runs on it: what a policy looks at.
 *
 * <p>All reads cost O(1) unless said otherwise. Immutable and thread-safe. Equal if node and placements are equal, the
 * order of placements aside.
 */
public final class NodeState extends GpuState {
    private final Node node;
    private final String name;
    private final Resources capacity;
    private final int order;
    private final int slot;
    private final boolean cordoned;
    private final boolean heldWhole;

    /** The pods that run here, and those only assumed to, as in what {@link #assumingWhole} and its like return. */
    private final int podCount;

    private final long freeCpuMillis;
    private final long freeMemoryMib;

    private final Placement[] placements;

    /** The hash of {@link #occupancyHash()}, worked out when first asked for; 0 until then. */
    private int occupancyHash;

    NodeState(Node node, NodeClass nodeClass, int order, int slot) {
        this(
                node,
                nodeClass,
                order,
                slot,
                node.capacity().cpuMillis(),
                node.capacity().memoryMib(),
                0,
                0,
                Holdings.NO_SHARES,
                Placements.NONE);
    }

    private NodeState(
            Node node,
            NodeClass nodeClass,
            int order,
            int slot,
            long freeCpuMillis,
            long freeMemoryMib,
            long wholeMask,
            long sharedMask,
            long[] shares,
            Placement[] placements) {
        super(nodeClass, healthyMask(node), wholeMask, sharedMask, shares);
        this.node = node;
        this.name = node.name();
        this.capacity = nodeClass.capacity().equals(node.capacity()) ? nodeClass.capacity() : node.capacity();
        this.order = order;
        this.slot = slot;
        this.cordoned = node.cordoned();
        this.heldWhole = placements.length == 1 && placements[0].holdsWholeNode();
        this.podCount = placements.length;
        this.freeCpuMillis = freeCpuMillis;
        this.freeMemoryMib = freeMemoryMib;
        this.placements = placements;
    }

    /*
     * What follows from one placement or release touches neither the machine nor its GPUs: they lie elsewhere in memory,
     * and at 100,000 nodes each of them is a cache miss.
     */
    private NodeState(
            NodeState base,
            boolean heldWhole,
            int podCount,
            long freeCpuMillis,
            long freeMemoryMib,
            long wholeMask,
            long sharedMask,
            long[] shares,
            Placement[] placements) {
        super(base.nodeClass(), base.healthyMask(), wholeMask, sharedMask, shares);
        this.node = base.node;
        this.name = base.name;
        this.capacity = base.capacity;
        this.order = base.order;
        this.slot = base.slot;
        this.cordoned = base.cordoned;
        this.heldWhole = heldWhole;
        this.podCount = podCount;
        this.freeCpuMillis = freeCpuMillis;
        this.freeMemoryMib = freeMemoryMib;
        this.placements = placements;
    }

    private static long healthyMask(Node node) {
        long healthy = 0;
        for (Gpu gpu : node.gpus()) {
            healthy |= gpu.healthy() ? 1L << gpu.index() : 0;
        }
        return healthy;
    }

    /** Whether nothing can be placed here whatever its size. */
    public boolean isClosed() {
        return cordoned || heldWhole || podCount >= nodeClass().maxPods();
    }

    /** Returns the name of the node. */
    public String name() {
        return name;
    }

    /** Returns the machine. */
    public Node node() {
        return node;
    }

    /** What the machine has for pods. */
    Resources capacity() {
        return capacity;
    }

    /** Returns its place in the order of nodes (topology, then name), from 0; ties end in this order. */
    public int order() {
        return order;
    }

    /** Returns its place among the nodes of its class, from 0. */
    public int slot() {
        return slot;
    }

    /** Where it stands, to find it again at once; see {@link LatestStates#home}. */
    int home() {
        return LatestStates.home(nodeClass().index(), slot);
    }

    /** Returns the CPU that no pod holds, in milli. */
    public long freeCpuMillis() {
        return freeCpuMillis;
    }

    /** Returns the memory that no pod holds, in MiB. */
    public long freeMemoryMib() {
        return freeMemoryMib;
    }

    /** Returns the number of pods that run here. */
    public int podCount() {
        return podCount;
    }

    /** Returns what the pods that run here hold, in no particular order. */
    public List<Placement> placements() {
        return List.of(placements);
    }

    void addPodHashes(LongList hashes) {
        for (Placement placement : placements) {
            hashes.add(placement.podHash());
        }
    }

    /** Returns what this pod holds here, or null if it does not run here; O(pods here). */
    public @Nullable Placement placement(PodId pod) {
        return Placements.of(placements, pod);
    }

    /** Returns whether nothing runs here. */
    public boolean isEmpty() {
        return podCount == 0;
    }

    /** Returns whether one pod holds the node as a whole. */
    public boolean isHeldWhole() {
        return heldWhole;
    }

    /** Returns whether new pods are kept away. */
    public boolean isCordoned() {
        return cordoned;
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
        NodeChecks.checkNotHere(this, placement);
        return withNew(placement);
    }

    /** Does what {@link #with} does for a pod that is known not to run here. */
    NodeState withNew(Placement placement) {
        Holdings taken = Holdings.of(placement, this);
        boolean all = placement.holdsWholeNode();
        NodeChecks.checkPlace(this, placement, taken, all);
        Placement[] more = Placements.plus(placements, placement);
        long[] shares = taken.addedTo(shares(), gpuCount());
        return new NodeState(
                this,
                all,
                more.length,
                all ? 0 : freeCpuMillis - placement.resources().cpuMillis(),
                all ? 0 : freeMemoryMib - placement.resources().memoryMib(),
                wholeMask() | taken.whole(),
                Holdings.held(shares, sharedMask(), taken.parts()),
                shares,
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
        return assuming(held, wholeMask() | wholeGpus, sharedMask(), shares());
    }

    /**
     * Returns this node as if one more pod, without a name, held these resources and a part of one GPU: for comparing
     * possibilities cheaply. Nothing is checked, {@link #placements()} stays as it is. O(GPUs).
     *
     * @param held CPU and memory; no more than is free
     * @param share the part; no more than is free
     */
    public NodeState assumingShare(Resources held, GpuShare share) {
        long[] taken = hasSharedGpus() ? shares().clone() : new long[gpuCount()];
        taken[share.gpu()] += GpuWord.of(share);
        return assuming(held, wholeMask(), Holdings.held(taken, sharedMask(), 1L << share.gpu()), taken);
    }

    private NodeState assuming(Resources held, long wholeGpus, long sharedGpus, long[] taken) {
        return new NodeState(
                this,
                heldWhole,
                podCount + 1,
                freeCpuMillis - held.cpuMillis(),
                freeMemoryMib - held.memoryMib(),
                wholeGpus,
                sharedGpus,
                taken,
                placements);
    }

    /**
     * Returns this node without a placement.
     *
     * @throws PlacementConflictException if no equal placement is here
     */
    public NodeState without(Placement placement) {
        int at = indexOf(placement);
        Holdings left = Holdings.of(placement, this);
        Placement[] fewer = Placements.minus(placements, at);
        long[] shares = left.takenFrom(shares());
        return new NodeState(
                this,
                false,
                fewer.length,
                heldWhole
                        ? capacity.cpuMillis()
                        : freeCpuMillis + placement.resources().cpuMillis(),
                heldWhole
                        ? capacity.memoryMib()
                        : freeMemoryMib + placement.resources().memoryMib(),
                wholeMask() & ~left.whole(),
                Holdings.held(shares, sharedMask(), left.parts()),
                shares,
                fewer);
    }

    private int indexOf(Placement placement) {
        int at = Placements.find(placements, placement);
        if (at < 0) {
            Placement other = placement(placement.pod());
            throw new PlacementConflictException("node \"" + name + "\": cannot release " + placement + ": "
                    + (other == null ? "the pod does not run there" : "what runs there is " + other));
        }
        return at;
    }

    /** Returns the same occupancy on a machine that differs only in health and cordon, or in its inventory. */
    NodeState on(Node changed, NodeClass changedClass, int newOrder, int newSlot) {
        return new NodeState(
                changed,
                changedClass,
                newOrder,
                newSlot,
                freeCpuMillis,
                freeMemoryMib,
                wholeMask(),
                sharedMask(),
                shares(),
                placements);
    }

    /**
     * Returns whether the other node is in the same state as far as a request can tell that looks at neither name nor
     * labels nor pods: same class, same amounts free, same use of each GPU by index, same cordon and health. O(GPUs).
     */
    public boolean sameOccupancy(NodeState other) {
        return nodeClass() == other.nodeClass()
                && freeCpuMillis == other.freeCpuMillis
                && freeMemoryMib == other.freeMemoryMib
                && podCount() == other.podCount()
                && sameGpus(other)
                && cordoned == other.cordoned
                && capacity.equals(other.capacity)
                && (freeCpuMillis > 0 || isHeldWhole() == other.isHeldWhole());
    }

    /** Returns a hash that agrees with {@link #sameOccupancy}; O(GPUs) when first asked for. */
    public int occupancyHash() {
        if (occupancyHash == 0) {
            occupancyHash = hashOccupancy();
        }
        return occupancyHash;
    }

    private int hashOccupancy() {
        long hash = nodeClass().index() * 31L + placements.length;
        hash = hash * 0x9E3779B97F4A7C15L + freeCpuMillis;
        hash = hash * 0x9E3779B97F4A7C15L + freeMemoryMib;
        hash = hashGpus(hash);
        int folded = (int) (hash ^ (hash >>> 32));
        return folded == 0 ? 1 : folded;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeState state
                && node.equals(state.node)
                && Placements.equal(placements, state.placements);
    }

    @Override
    public int hashCode() {
        return node.hashCode() + Placements.hash(placements);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name)
                .append(": free ")
                .append(freeCpuMillis())
                .append("m CPU, ")
                .append(freeMemoryMib())
                .append(" MiB, ")
                .append(placements.length)
                .append(" pods");
        for (int g = 0; g < gpuCount(); g++) {
            text.append(g == 0 ? ", gpus [" : " ");
            text.append(!isHealthy(g) ? "sick" : isWhole(g) ? "whole" : freeComputeMillis(g) + "m");
        }
        return gpuCount() == 0 ? text.toString() : text.append(']').toString();
    }
}
