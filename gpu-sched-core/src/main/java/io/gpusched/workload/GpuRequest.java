package io.gpusched.workload;

import io.gpusched.internal.check.Checks;
import io.gpusched.internal.persistent.TextHash;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.partition.PartitionProfile;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What one container asks of the GPUs of its node.
 *
 * <p>Whatever its kind, a request says {@linkplain #count() how many GPUs} it needs, whether they must be
 * {@linkplain #takesWhole() idle}, and {@linkplain #computeMillisOn how much} {@linkplain #memoryMibOn it}
 * {@linkplain #slotsOn takes} of one that is chosen. It fits on a GPU if that much is free: a request for whole GPUs takes
 * every slot of each, so it fits only on an idle GPU. Only a {@linkplain Partition partition} fits if its geometry says so.
 */
public sealed interface GpuRequest {
    /** No GPU. */
    record None() implements GpuRequest {
        private static final None INSTANCE = new None();

        @Override
        public int count() {
            return 0;
        }

        @Override
        public String toString() {
            return "no gpu";
        }
    }

    /**
     * Whole GPUs of which no other pod holds a part, on a node that admits whole GPUs.
     *
     * @param count how many, 1..64
     * @param selector which ones are accepted
     */
    record Exclusive(int count, GpuSelector selector) implements GpuRequest {
        /**
         * Checks the count.
         *
         * @throws IllegalArgumentException if the count is out of range
         */
        public Exclusive {
            Checks.inRange("gpu request", "count", count, 1, Node.MAX_GPUS);
            Objects.requireNonNull(selector, "selector");
        }

        @Override
        public Exclusive withAffinity(GpuAffinity value) {
            Objects.requireNonNull(value, "value");
            return new Exclusive(count, selector.withAffinity(value));
        }

        @Override
        public boolean takesWhole() {
            return true;
        }

        @Override
        public String toString() {
            return count + " whole gpu" + (count == 1 ? "" : "s") + suffix(selector);
        }
    }

    /**
     * An equal part of each of one or more distinct GPUs, on a node that admits shares.
     *
     * @param count how many distinct GPUs, 1..64
     * @param computeMillis compute of each, in thousandths of the device, 0..65,535
     * @param memory memory of each
     * @param slots slots of each, 1..262,143; 1 for one tenant
     * @param selector which GPUs are accepted
     */
    record Share(int count, int computeMillis, GpuMemory memory, int slots, GpuSelector selector)
            implements GpuRequest {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a number is out of range
         */
        public Share {
            Checks.inRange("gpu share", "count", count, 1, Node.MAX_GPUS);
            Checks.inRange("gpu share", "computeMillis", computeMillis, 0, (1 << 16) - 1);
            Checks.inRange("gpu share", "slots", slots, 1, (1 << 18) - 1);
            Objects.requireNonNull(memory, "memory");
            Objects.requireNonNull(selector, "selector");
        }

        @Override
        public int hashCode() {
            long hash = TextHash.of(TextHash.of(selector.hashCode(), memory.hashCode()), computeMillis);
            return Long.hashCode(TextHash.of(TextHash.of(hash, count), slots));
        }

        /** Returns this share of this many distinct GPUs, 1..64. */
        public Share withCount(int value) {
            return new Share(value, computeMillis, memory, slots, selector);
        }

        /** Returns this share with this many slots. */
        public Share withSlots(int value) {
            return new Share(count, computeMillis, memory, value, selector);
        }

        /** Returns this share, accepting these GPUs. */
        public Share withSelector(GpuSelector value) {
            Objects.requireNonNull(value, "value");
            return new Share(count, computeMillis, memory, slots, value);
        }

        @Override
        public Share withAffinity(GpuAffinity value) {
            Objects.requireNonNull(value, "value");
            return withSelector(selector.withAffinity(value));
        }

        @Override
        public boolean takesPart() {
            return true;
        }

        @Override
        public int computeMillisOn(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return computeMillis;
        }

        @Override
        public long memoryMibOn(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return memory.on(gpu.memoryMib());
        }

        @Override
        public int slotsOn(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return slots;
        }

        /** Returns the part of this GPU that it takes. */
        public GpuShare on(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return new GpuShare(gpu.index(), computeMillis, memoryMibOn(gpu), slots);
        }

        @Override
        public String toString() {
            List<String> parts = new ArrayList<>();
            if (computeMillis > 0) {
                parts.add(computeInWords());
            }
            if (computeMillis == 0 || asksOtherMemory()) {
                parts.add(memory.toString());
            }
            if (slots > 1) {
                parts.add(slots + " slots");
            }
            return String.join(", ", parts) + (count > 1 ? " on each of " + count + " GPUs" : "") + suffix(selector);
        }

        /** Whether more than the same percentage of memory and compute is asked for. */
        private boolean asksOtherMemory() {
            return memory instanceof GpuMemory.Percent same ? 10 * same.percent() != computeMillis : memory.on(0) > 0;
        }

        /** Where compute is given away more than once, more than a whole may be asked of one GPU; it is not several GPUs. */
        private String computeInWords() {
            if (computeMillis > Gpu.WHOLE_COMPUTE_MILLIS) {
                return computeMillis + "m compute of one GPU";
            }
            String gpus =
                    BigDecimal.valueOf(computeMillis, 3).stripTrailingZeros().toPlainString();
            return gpus + (computeMillis == Gpu.WHOLE_COMPUTE_MILLIS ? " GPU" : " GPUs");
        }
    }

    /**
     * Hardware partitions, on one or more GPUs of a node: MIG instances, AMD partitions, Ascend templates. A GPU serves if its
     * {@linkplain Gpu#partitions() geometry} has a profile of this name, in any mode; whatever the node's mode. Several
     * partitions may lie on one GPU. What is asked of a GPU's compute and memory follows from its geometry. Partitions have no
     * links of their own: of bonds only that of the NUMA node counts.
     *
     * @param profile the name of the profile, such as {@code 3g.20gb}, not blank
     * @param instances how many partitions, 1..255
     * @param selector which GPUs are accepted
     */
    record Partition(String profile, int instances, GpuSelector selector) implements GpuRequest {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if the profile is blank or the number is out of range
         */
        public Partition {
            Checks.notBlank("gpu partition", "profile", Objects.requireNonNull(profile, "profile"));
            Checks.inRange("gpu partition", "instances", instances, 1, 255);
            Objects.requireNonNull(selector, "selector");
        }

        @Override
        public int hashCode() {
            return Long.hashCode(TextHash.of(TextHash.of(selector.hashCode(), instances), profile));
        }

        /** Returns this request, accepting these GPUs. */
        public Partition withSelector(GpuSelector value) {
            return new Partition(profile, instances, Objects.requireNonNull(value, "value"));
        }

        @Override
        public Partition withAffinity(GpuAffinity value) {
            Objects.requireNonNull(value, "value");
            return withSelector(selector.withAffinity(value));
        }

        /** Returns 1, for all partitions may lie on one GPU. */
        @Override
        public int count() {
            return 1;
        }

        @Override
        public boolean takesPartitions() {
            return true;
        }

        @Override
        public boolean fitsOnIdle(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return gpu.partitions().names().contains(profile);
        }

        /** Returns what one partition takes. */
        @Override
        public int computeMillisOn(Gpu gpu) {
            return profileOn(gpu).map(PartitionProfile::computeMillis).orElse(0);
        }

        /** Returns what one partition takes. */
        @Override
        public long memoryMibOn(Gpu gpu) {
            return profileOn(gpu).map(PartitionProfile::memoryMib).orElse(0L);
        }

        /** Returns 1, a tenant. */
        @Override
        public int slotsOn(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return 1;
        }

        private Optional<PartitionProfile> profileOn(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return gpu.partitions().profiles().stream()
                    .filter(one -> one.name().equals(profile))
                    .findFirst();
        }

        @Override
        public String toString() {
            return instances + " partition" + (instances == 1 ? "" : "s") + " " + profile + suffix(selector);
        }
    }

    /**
     * The node as a whole: every GPU, all CPU and all memory of a node on which nothing runs and which admits whole GPUs.
     * Every GPU of the node must be healthy and accepted, and there must be at least one. At most one container of a pod
     * may ask for it, and then no other container of the pod may ask for GPUs (T9k {@code nvidia-gpu-node}).
     *
     * @param selector which GPUs are accepted
     */
    record WholeNode(GpuSelector selector) implements GpuRequest {
        /** Checks that the selector is there. */
        public WholeNode {
            Objects.requireNonNull(selector, "selector");
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public WholeNode withAffinity(GpuAffinity value) {
            Objects.requireNonNull(value, "value");
            return new WholeNode(selector.withAffinity(value));
        }

        @Override
        public boolean takesWhole() {
            return true;
        }

        @Override
        public boolean takesNode() {
            return true;
        }

        @Override
        public String toString() {
            return "a whole node" + suffix(selector);
        }
    }

    /**
     * One of several alternatives, the first that finds a place: "two H100, else four A100". A pod is placed by a later alternative
     * only if no node of the cluster has room for it by an earlier one. What it says of itself holds of all alternatives: it takes whole
     * GPUs if each of them does, and as many and as much as the one that takes least.
     *
     * @param alternatives from the most to the least wanted, 2..16; whole GPUs, shares or partitions, none of them twice
     */
    record FirstOf(List<GpuRequest> alternatives) implements GpuRequest {
        private static final int MOST_ALTERNATIVES = 16;

        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if there are too few or too many alternatives, one occurs twice, or one is for no GPU, for
         *     a whole node, or has alternatives of its own
         */
        public FirstOf {
            alternatives = Checks.list("alternatives", alternatives);
            Checks.inRange("gpu request", "number of alternatives", alternatives.size(), 2, MOST_ALTERNATIVES);
            for (GpuRequest one : alternatives) {
                if (one.isNone() || one.takesNode() || one instanceof FirstOf) {
                    throw new IllegalArgumentException(
                            "gpu request: an alternative must be for whole gpus, shares or partitions, got \"" + one
                                    + "\"");
                }
            }
            if (Set.copyOf(alternatives).size() < alternatives.size()) {
                throw new IllegalArgumentException("gpu request: an alternative occurs twice in " + alternatives);
            }
        }

        @Override
        public FirstOf withAffinity(GpuAffinity value) {
            Objects.requireNonNull(value, "value");
            return new FirstOf(
                    alternatives.stream().map(one -> one.withAffinity(value)).toList());
        }

        @Override
        public int count() {
            return (int) least(GpuRequest::count);
        }

        @Override
        public boolean takesWhole() {
            return alternatives.stream().allMatch(GpuRequest::takesWhole);
        }

        @Override
        public boolean takesPart() {
            return alternatives.stream().allMatch(GpuRequest::takesPart);
        }

        @Override
        public boolean takesPartitions() {
            return alternatives.stream().allMatch(GpuRequest::takesPartitions);
        }

        @Override
        public boolean fitsOnIdle(Gpu gpu) {
            return alternatives.stream().anyMatch(one -> one.fitsOnIdle(gpu));
        }

        @Override
        public int computeMillis() {
            return (int) least(GpuRequest::computeMillis);
        }

        @Override
        public int computeMillisOn(Gpu gpu) {
            return (int) least(one -> one.computeMillisOn(gpu));
        }

        @Override
        public long memoryMibOn(Gpu gpu) {
            return least(one -> one.memoryMibOn(gpu));
        }

        @Override
        public int slotsOn(Gpu gpu) {
            return (int) least(one -> one.slotsOn(gpu));
        }

        private long least(ToLongFunction<GpuRequest> amount) {
            return alternatives.stream().mapToLong(amount).min().orElseThrow();
        }

        @Override
        public String toString() {
            return String.join(
                    ", else ", alternatives.stream().map(GpuRequest::toString).toList());
        }
    }

    /** Returns a request for the first of these alternatives that finds a place, 2..16, see {@link FirstOf}. */
    static FirstOf firstOf(GpuRequest... alternatives) {
        Checks.noNulls("alternatives", alternatives);
        return new FirstOf(List.of(alternatives));
    }

    /** Returns the request for no GPU. */
    static GpuRequest none() {
        return None.INSTANCE;
    }

    /** Returns a request for whole GPUs, 1..64. */
    static Exclusive exclusive(int count) {
        return new Exclusive(count, GpuSelector.ANY);
    }

    /** Returns a request for whole GPUs, 1..64, of a selection. */
    static Exclusive exclusive(int count, GpuSelector selector) {
        return new Exclusive(count, selector);
    }

    /**
     * Returns a request for a percentage, 1..100, of one GPU: that part of its memory, rounded down, and ten milli of
     * compute for each percent (T9k, nano-gpu).
     */
    static Share percent(int percent) {
        Checks.inRange("gpu request", "percent", percent, 1, 100);
        return new Share(1, 10 * percent, GpuMemory.percent(percent), 1, GpuSelector.ANY);
    }

    /** Returns a request for a part of one GPU: compute in milli, and memory. */
    static Share share(int computeMillis, GpuMemory memory) {
        return new Share(1, computeMillis, memory, 1, GpuSelector.ANY);
    }

    /** Returns a request for hardware partitions, 1..255, of the profile of this name. */
    static Partition partition(String profile, int instances) {
        return new Partition(profile, instances, GpuSelector.ANY);
    }

    /** Returns a request for a node as a whole. */
    static WholeNode wholeNode() {
        return new WholeNode(GpuSelector.ANY);
    }

    /** Returns how many distinct GPUs it needs: 0 for none; 1 for a whole node, which takes all that there are. */
    int count();

    /** Returns whether it takes its GPUs whole, so that nobody else may hold anything of them. */
    default boolean takesWhole() {
        return false;
    }

    /** Returns whether it takes an equal part of each of its GPUs, beside which others may hold parts, as a {@link Share} does. */
    default boolean takesPart() {
        return false;
    }

    /** Returns whether it takes hardware partitions, as a {@link Partition} does. */
    default boolean takesPartitions() {
        return false;
    }

    /** Returns whether it takes the node with everything on it. */
    default boolean takesNode() {
        return false;
    }

    /** Returns whether it asks for no GPU. */
    default boolean isNone() {
        return count() == 0;
    }

    /**
     * Returns the compute of each GPU that it asks for whichever it gets, in milli: that of a {@link Share}, and 0 where it
     * follows from the GPU.
     */
    default int computeMillis() {
        return 0;
    }

    /** Returns the memory of each GPU that it asks for: that of a {@link Share}, and none where it follows from the GPU. */
    default GpuMemory memory() {
        return GpuMemory.none();
    }

    /** Returns the slots of each GPU that it asks for: those of a {@link Share}, and 0 where they follow from the GPU. */
    default int slots() {
        return 0;
    }

    /** Returns the compute that it takes of this GPU if it gets it, in milli. */
    default int computeMillisOn(Gpu gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return takesWhole() ? gpu.computeMillis() : 0;
    }

    /** Returns the memory that it takes of this GPU if it gets it, in MiB. */
    default long memoryMibOn(Gpu gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return takesWhole() ? gpu.memoryMib() : 0;
    }

    /** Returns the slots that it takes of this GPU if it gets it. */
    default int slotsOn(Gpu gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return takesWhole() ? gpu.slots() : 0;
    }

    /** Returns whether a GPU, if nobody holds anything of it, has as much as it takes; the selector is not looked at. */
    default boolean fitsOnIdle(Gpu gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return !gpu.partitions().isAlwaysCut()
                && computeMillisOn(gpu) <= gpu.computeMillis()
                && memoryMibOn(gpu) <= gpu.memoryMib()
                && slotsOn(gpu) <= gpu.slots();
    }

    /** Returns this request with another affinity, for each of its alternatives; a request for no GPU stays as it is. */
    default GpuRequest withAffinity(GpuAffinity value) {
        Objects.requireNonNull(value, "value");
        return this;
    }

    /** Returns which GPUs are accepted; any for a request for none, or for one of several alternatives. */
    default GpuSelector selector() {
        return GpuSelector.ANY;
    }

    /** Returns the acceptable alternatives, the most wanted first: itself alone, but for {@link FirstOf}. */
    default List<GpuRequest> alternatives() {
        return List.of(this);
    }

    private static String suffix(GpuSelector selector) {
        return selector.equals(GpuSelector.ANY) ? "" : " " + selector;
    }
}
