package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.internal.persistent.TextHash;
import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node together with what runs on it: what a policy looks at.
 *
 * <p>All reads cost O(1) unless said otherwise. Immutable and thread-safe. Equal if node and placements are equal, the
 * order of placements aside.
 */
public final class NodeState {
    /** Stands for the pod in errors about what it holds. */
    private static final PodId SPARED = PodId.of("spared");

    private final Node node;

    /** To be read without the machine, as is what follows: at 100,000 nodes each object more is a cache miss. */
    private final String name;

    private final NodeClass nodeClass;
    private final Resources capacity;
    private final boolean cordoned;
    private final boolean heldWhole;
    private final boolean concernsOthers;

    /** The pods that run here, and the pods that are only {@linkplain #assuming(Resources, long) assumed} to. */
    private final int podCount;

    private final long freeCpuMillis;
    private final long freeMemoryMib;
    private final NamedAmounts freeNamed;
    private final GpuUsage gpus;
    private final Placement[] placements;

    /** A node on which nothing runs. */
    NodeState(Node node, NodeClass nodeClass) {
        this.node = node;
        this.nodeClass = nodeClass;
        this.name = node.name();
        this.capacity = nodeClass.capacity().equals(node.capacity()) ? nodeClass.capacity() : node.capacity();
        this.cordoned = node.cordoned();
        this.heldWhole = false;
        this.concernsOthers = node.residents().stream().anyMatch(Placement::concernsOthers);
        this.podCount = 0;
        this.freeCpuMillis = node.capacity().cpuMillis();
        this.freeMemoryMib = node.capacity().memoryMib();
        this.freeNamed = node.capacity().named();
        this.gpus = GpuUsage.of(node.gpus());
        this.placements = Placements.NONE;
    }

    /*
     * What follows from one placement or release touches neither the machine nor its GPUs: they lie elsewhere in memory,
     * and at 100,000 nodes each of them is a cache miss.
     */
    private NodeState(
            NodeState base,
            boolean heldWhole,
            boolean concernsOthers,
            int podCount,
            long freeCpuMillis,
            long freeMemoryMib,
            NamedAmounts freeNamed,
            GpuUsage gpus,
            Placement[] placements) {
        this.node = base.node;
        this.nodeClass = base.nodeClass;
        this.name = base.name;
        this.capacity = base.capacity;
        this.cordoned = base.cordoned;
        this.heldWhole = heldWhole;
        this.concernsOthers = concernsOthers;
        this.podCount = podCount;
        this.freeCpuMillis = freeCpuMillis;
        this.freeMemoryMib = freeMemoryMib;
        this.freeNamed = freeNamed;
        this.gpus = gpus;
        this.placements = placements;
    }

    /** The hash by which a node of this name is found; names may be chosen to have equal hash codes. */
    static int hash(String name) {
        return Long.hashCode(TextHash.of(name));
    }

    /** Returns the name of the node. */
    public String name() {
        return name;
    }

    /** Returns the machine. */
    public Node node() {
        return node;
    }

    /** Returns the class of nodes it belongs to. */
    public NodeClass nodeClass() {
        return nodeClass;
    }

    /** Returns what the machine has for pods. */
    public Resources capacity() {
        return capacity;
    }

    /** Returns the CPU that no pod holds, in milli. */
    public long freeCpuMillis() {
        return freeCpuMillis;
    }

    /** Returns the memory that no pod holds, in MiB. */
    public long freeMemoryMib() {
        return freeMemoryMib;
    }

    /** Returns the amount of a {@linkplain NamedAmounts named} resource that no pod holds; O(log names). */
    public long free(String name) {
        return freeNamed.amount(name);
    }

    /** Returns the amounts of all named resources that no pod holds. */
    public NamedAmounts freeNamed() {
        return freeNamed;
    }

    /** Returns the number of pods that run here. */
    public int podCount() {
        return podCount;
    }

    /** Returns what the pods that run here hold, in no particular order. */
    public List<Placement> placements() {
        return Collections.unmodifiableList(Arrays.asList(placements));
    }

    /** Returns what this pod holds here; empty if it does not run here; O(pods here). */
    public Optional<Placement> placement(PodId pod) {
        Objects.requireNonNull(pod, "pod");
        return Optional.ofNullable(Placements.of(placements, pod));
    }

    /** Returns whether nothing runs here. */
    public boolean isEmpty() {
        return podCount == 0;
    }

    /** Returns whether one pod holds the node as a whole. */
    public boolean isHeldWhole() {
        return heldWhole;
    }

    /** Returns whether any pod here, the machine's own included, {@linkplain Placement#concernsOthers() concerns others}; O(1). */
    public boolean concernsOthers() {
        return concernsOthers;
    }

    /** Returns whether new pods are kept away. */
    public boolean isCordoned() {
        return cordoned;
    }

    /** Returns the number of GPUs, healthy or not. */
    public int gpuCount() {
        return nodeClass.gpus().size();
    }

    /** Returns the number of idle GPUs: healthy, and no pod holds a part. */
    public int idleGpus() {
        return Long.bitCount(gpus.idleMask());
    }

    /** Returns the idle GPUs (healthy, and no pod holds a part) as a mask: bit g stands for GPU g. */
    public long idleMask() {
        return gpus.idleMask();
    }

    /** Returns the shared GPUs, healthy or not, as a mask. */
    public long sharedMask() {
        return gpus.sharedMask();
    }

    /** Returns the GPUs that are cut into partitions, held or not, healthy or not, as a mask. */
    public long cutMask() {
        return gpus.cutMask();
    }

    /**
     * Returns the GPUs whose holdings differ from another state of this node, or that are healthy in one of the two only, as a
     * mask; O(GPUs).
     */
    public long changedMask(NodeState other) {
        Objects.requireNonNull(other, "other");
        return gpus.differing(other.gpus) | gpus.healthyMask() ^ other.gpus.healthyMask();
    }

    /** Returns whether a GPU is idle: healthy, and no pod holds a part of it. */
    public boolean isIdle(int gpu) {
        return (gpus.idleMask() >>> gpu & 1) != 0;
    }

    /** Returns whether one pod holds a GPU whole. */
    public boolean isWhole(int gpu) {
        return gpus.isWhole(gpu);
    }

    /** Returns whether shares of a GPU are held. */
    public boolean isShared(int gpu) {
        return (gpus.sharedMask() >>> gpu & 1) != 0;
    }

    /** Returns whether a GPU is cut into partitions; it then takes nothing but partitions. */
    public boolean isCut(int gpu) {
        return gpus.isCut(gpu);
    }

    /** Returns whether all GPUs are healthy. */
    public boolean isHealthy() {
        return Long.bitCount(gpus.healthyMask()) == gpuCount();
    }

    /** Returns whether a GPU is healthy. */
    public boolean isHealthy(int gpu) {
        return gpus.isHealthy(gpu);
    }

    /** Returns the compute of a GPU that may still be given away, in milli; 0 if it is held whole or not healthy. */
    public int freeComputeMillis(int gpu) {
        return GpuWord.compute(free(gpu));
    }

    /** Returns the memory of a GPU that may still be given away, in MiB; 0 if it is held whole or not healthy. */
    public long freeMemoryMib(int gpu) {
        return GpuWord.memory(free(gpu));
    }

    /** Returns the slots of a GPU that may still be given away; 0 if it is held whole, not healthy or cut into partitions. */
    public int freeSlots(int gpu) {
        return gpus.isCut(gpu) ? 0 : GpuWord.slots(free(gpu));
    }

    /** Returns whether so much of a GPU that is neither held whole nor cut, and healthy, may still be given away. */
    public boolean hasFree(int gpu, int computeMillis, long memoryMib, int slots) {
        long free = free(gpu);
        return !gpus.isCut(gpu)
                && GpuWord.compute(free) >= computeMillis
                && GpuWord.memory(free) >= memoryMib
                && GpuWord.slots(free) >= slots;
    }

    private long free(int gpu) {
        return gpus.isShut(gpu) ? 0 : nodeClass.word(gpu) - (gpus.isCut(gpu) ? held(gpu) : gpus.share(gpu));
    }

    /** Returns the compute of a GPU that is held, in milli, healthy or not; all of it if it is held whole. */
    public int heldComputeMillis(int gpu) {
        return GpuWord.compute(held(gpu));
    }

    /** Returns the memory of a GPU that is held, in MiB, healthy or not; all of it if it is held whole. */
    public long heldMemoryMib(int gpu) {
        return GpuWord.memory(held(gpu));
    }

    /** Returns the slots of a GPU that are held, healthy or not: all if it is held whole, one for each partition if it is cut. */
    public int heldSlots(int gpu) {
        return GpuWord.slots(held(gpu));
    }

    private long held(int gpu) {
        return gpus.held(gpu, nodeClass.gpus().get(gpu));
    }

    /** Returns which partitions of a GPU are held, as {@link io.gpusched.model.partition.PartitionTable} writes them; 0 for none. */
    public long partitionWord(int gpu) {
        return gpus.isCut(gpu) ? gpus.share(gpu) : 0;
    }

    /**
     * Returns whether the GPU that a partition names has its place free, healthy or not; false if the GPU is held whole or in shares,
     * or knows no such partition.
     */
    public boolean hasRoomFor(GpuPartition partition) {
        Objects.requireNonNull(partition, "partition");
        int gpu = partition.gpu();
        PartitionTable table = nodeClass.gpus().get(gpu).partitions().table();
        int place = table.find(partition.profile(), partition.start(), partition.mode());
        return place >= 0 && !isWhole(gpu) && !isShared(gpu) && table.fits(partitionWord(gpu), place);
    }

    /** Returns the compute that may still be given away on all GPUs together, in milli; O(GPUs). */
    public long freeComputeMillis() {
        long sum = 0;
        for (int g = 0; g < gpuCount(); g++) {
            sum += freeComputeMillis(g);
        }
        return sum;
    }

    /** Returns whether the GPUs cannot be told apart by a tenant: equal hardware, health and use. */
    public boolean isInterchangeable(int gpu, int other) {
        return gpus.isSame(gpu, other) && (nodeClass.alike(gpu) >>> other & 1) != 0;
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
        Objects.requireNonNull(placement, "placement");
        requireNotHere(placement);
        return plus(placement, true);
    }

    private void requireNotHere(Placement placement) {
        Placement running = Placements.of(placements, placement.pod());
        if (running != null) {
            throw Conflicts.alreadyThere(placement, name, running);
        }
    }

    private Holdings holdings(Placement placement) {
        return PlacementCheck.holdings(placement, name, nodeClass);
    }

    /**
     * Does what {@link #with} does for a pod that is known not to run here.
     *
     * @param asksHealth whether its GPUs must be healthy, as those of a pod that runs already need not be
     */
    NodeState plus(Placement placement, boolean asksHealth) {
        Holdings taken = holdings(placement);
        PlacementCheck check = check(asksHealth);
        PlacementCheck.Conflict conflict = check.conflict(placement, taken);
        if (conflict != null) {
            throw check.error(placement, conflict);
        }
        return plus(placement, taken);
    }

    private PlacementCheck check(boolean asksHealth) {
        return new PlacementCheck(
                name, nodeClass, capacity, gpus, freeCpuMillis, freeMemoryMib, freeNamed, placements, asksHealth);
    }

    /**
     * Returns whether {@link #with} takes a placement: it is for this node, its pod does not run here, and all that it takes is free,
     * healthy and admitted by the node's mode; O(GPUs + pods here).
     */
    public boolean hasRoomFor(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return placement.node().equals(name)
                && Placements.of(placements, placement.pod()) == null
                && tryPlus(placement) != null;
    }

    /** Returns this node with a pod that is known not to run here, or null if what it takes is not free. */
    @Nullable
    NodeState tryPlus(Placement placement) {
        Holdings taken = PlacementCheck.tryHoldings(placement, name, nodeClass);
        return taken == null || check(true).conflict(placement, taken) != null ? null : plus(placement, taken);
    }

    private NodeState plus(Placement placement, Holdings taken) {
        boolean all = placement.holdsWholeNode();
        return new NodeState(
                this,
                all,
                concernsOthers || placement.concernsOthers(),
                placements.length + 1,
                all ? 0 : freeCpuMillis - placement.resources().cpuMillis(),
                all ? 0 : freeMemoryMib - placement.resources().memoryMib(),
                all ? NamedAmounts.NONE : freeNamed.minus(placement.resources().named()),
                gpus.plus(taken, gpuCount()),
                Placements.plus(placements, placement));
    }

    /**
     * Returns this node without a placement.
     *
     * @throws PlacementConflictException if its pod does not run here or holds something else
     */
    public NodeState without(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return without(find(placement));
    }

    /**
     * Returns where a placement stands among those here.
     *
     * @throws PlacementConflictException if its pod does not run here or holds something else
     */
    int find(Placement placement) {
        int at = Placements.find(placements, placement);
        if (at < 0) {
            throw Conflicts.notThere(placement, name, Placements.of(placements, placement.pod()));
        }
        return at;
    }

    /** Returns the placement at a place that {@link #find} returned. */
    Placement placement(int at) {
        return placements[at];
    }

    /** Returns this node without the placement at a place that {@link #find} returned. */
    NodeState without(int at) {
        Placement placement = placements[at];
        Holdings given = holdings(placement);
        Placement[] left = Placements.minus(placements, at);
        return new NodeState(
                this,
                false,
                concernsOthers && Placements.concernOthers(left, node.residents()),
                left.length,
                heldWhole
                        ? capacity.cpuMillis()
                        : freeCpuMillis + placement.resources().cpuMillis(),
                heldWhole
                        ? capacity.memoryMib()
                        : freeMemoryMib + placement.resources().memoryMib(),
                heldWhole
                        ? capacity.named()
                        : freeNamed.plus(placement.resources().named()),
                gpus.minus(given, nodeClass.alwaysCut()),
                left);
    }

    /**
     * Returns this node as if one more pod, without a name, held these resources and these GPUs whole: for comparing
     * possibilities cheaply. Nothing is checked, {@link #placements()} stays as it is. O(GPUs).
     *
     * @param held CPU, memory and other resources; no more than is free
     * @param wholeGpus the GPUs as a mask; only idle ones
     */
    public NodeState assuming(Resources held, long wholeGpus) {
        Objects.requireNonNull(held, "held");
        return assuming(held, Holdings.ofWhole(wholeGpus));
    }

    /** As {@link #assuming(Resources, long)}, where the pod holds a part of one GPU; no more than is free. */
    public NodeState assuming(Resources held, GpuShare share) {
        Objects.requireNonNull(held, "held");
        Objects.requireNonNull(share, "share");
        return assuming(held, Holdings.ofPart(1L << share.gpu(), share.word()));
    }

    /**
     * As {@link #assuming(Resources, long)}, where the pod also holds parts of other GPUs; no more than is free.
     *
     * @param shares the parts, each of another GPU
     */
    public NodeState assuming(Resources held, long wholeGpus, List<GpuShare> shares) {
        Objects.requireNonNull(held, "held");
        Checks.noNulls("shares", shares);
        long[] words = new long[gpuCount()];
        for (int i = 0; i < shares.size(); i++) {
            words[shares.get(i).gpu()] = shares.get(i).word();
        }
        return assuming(held, Holdings.of(wholeGpus, 0, words));
    }

    /**
     * As {@link #assuming(Resources, long)}, where the pod holds partitions; only ones for which there is room.
     *
     * @param partitions by GPU the {@linkplain #partitionWord word} of the partitions that the pod holds, 0 for none
     */
    public NodeState assumingPartitions(Resources held, long[] partitions) {
        Objects.requireNonNull(held, "held");
        Objects.requireNonNull(partitions, "partitions");
        return assuming(held, Holdings.of(0, Holdings.held(partitions), partitions.clone()));
    }

    private NodeState assuming(Resources held, Holdings taken) {
        return new NodeState(
                this,
                heldWhole,
                concernsOthers,
                podCount + 1,
                freeCpuMillis - held.cpuMillis(),
                freeMemoryMib - held.memoryMib(),
                freeNamed.minus(held.named()),
                gpus.plus(taken, gpuCount()),
                placements);
    }

    /**
     * Returns this node as if ordinary containers of one pod, which are known to be held here, did not hold their GPUs; CPU and
     * memory stay as they are. O(GPUs + grants).
     */
    public NodeState assumingReleased(List<ContainerGrant> containers) {
        Checks.noNulls("containers", containers);
        Holdings left = HoldingsSum.of(SPARED, containers, name, node.gpus());
        return new NodeState(
                this,
                heldWhole,
                concernsOthers,
                podCount,
                freeCpuMillis,
                freeMemoryMib,
                freeNamed,
                gpus.minus(left, nodeClass.alwaysCut()),
                placements);
    }

    /**
     * Returns the same pods on another machine of this name, on GPUs that are not healthy too.
     *
     * @throws PlacementConflictException if what runs here does not go with it
     */
    NodeState on(Node machine, NodeClass machineClass) {
        NodeState after = new NodeState(machine, machineClass);
        for (Placement placement : placements) {
            after = after.plus(placement, false);
        }
        return after;
    }

    /** Whether as much is free as of another state of this node, and the same is held of each GPU. */
    boolean isEquallyUsed(NodeState other) {
        return freeCpuMillis == other.freeCpuMillis
                && freeMemoryMib == other.freeMemoryMib
                && freeNamed.equals(other.freeNamed)
                && podCount == other.podCount
                && heldWhole == other.heldWhole
                && changedMask(other) == 0
                && gpus.cutMask() == other.gpus.cutMask();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof NodeState state
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
                .append(new Resources(freeCpuMillis, freeMemoryMib, freeNamed))
                .append(", ")
                .append(placements.length)
                .append(" pods");
        for (int g = 0; g < gpuCount(); g++) {
            text.append(g == 0 ? ", gpus [" : " ");
            text.append(
                    !isHealthy(g)
                            ? "unhealthy"
                            : isWhole(g) ? "whole" : freeComputeMillis(g) + (isCut(g) ? "m cut" : "m"));
        }
        return gpuCount() == 0 ? text.toString() : text.append(']').toString();
    }
}
