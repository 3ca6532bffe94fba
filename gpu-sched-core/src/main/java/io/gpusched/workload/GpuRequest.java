package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What one container asks of the GPUs of its node.
 *
 * <p>A request takes {@linkplain Exclusive whole GPUs}, {@linkplain Share parts} of them, {@linkplain Partition hardware partitions},
 * the {@linkplain WholeNode whole node} or {@linkplain None nothing}; or it is for the {@linkplain FirstOf first of several
 * alternatives} that finds a place. Which it is, a program asks with {@code instanceof}. Immutable and thread-safe.
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
        public None withSelector(GpuSelector value) {
            Objects.requireNonNull(value, "value");
            return this;
        }

        @Override
        public String toString() {
            return "no GPU";
        }
    }

    /**
     * Whole GPUs that no other pod has a part of, on a node that admits whole GPUs.
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
        public Exclusive withSelector(GpuSelector value) {
            Objects.requireNonNull(value, "value");
            return new Exclusive(count, value);
        }

        @Override
        public String toString() {
            return count + " whole GPU" + (count == 1 ? "" : "s") + suffix(selector);
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

        /** Returns this share of this many distinct GPUs, 1..64. */
        public Share withCount(int value) {
            return new Share(value, computeMillis, memory, slots, selector);
        }

        /** Returns this share with this many slots. */
        public Share withSlots(int value) {
            return new Share(count, computeMillis, memory, value, selector);
        }

        @Override
        public Share withSelector(GpuSelector value) {
            Objects.requireNonNull(value, "value");
            return new Share(count, computeMillis, memory, slots, value);
        }

        /** Returns the part of this GPU that it takes. */
        public GpuShare on(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            return new GpuShare(gpu.index(), computeMillis, memory.on(gpu.memoryMib()), slots);
        }

        @Override
        public String toString() {
            return ShareText.of(this) + suffix(selector);
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
        public Partition withSelector(GpuSelector value) {
            Objects.requireNonNull(value, "value");
            return new Partition(profile, instances, value);
        }

        @Override
        public int count() {
            return 1;
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
        public WholeNode withSelector(GpuSelector value) {
            Objects.requireNonNull(value, "value");
            return new WholeNode(value);
        }

        @Override
        public String toString() {
            return "a whole node" + suffix(selector);
        }
    }

    /**
     * One of several alternatives, the first that finds a place: "two H100, else four A100". A pod is placed by a later alternative
     * only if no node of the cluster has room for it by an earlier one.
     * Each alternative speaks for itself: it has a selector and an affinity of its own.
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
                if (one.isNone() || one instanceof WholeNode || one instanceof FirstOf) {
                    throw new IllegalArgumentException(
                            "gpu request: an alternative must be for whole GPUs, shares or partitions, got \"" + one
                                    + "\"");
                }
            }
            if (Set.copyOf(alternatives).size() < alternatives.size()) {
                throw new IllegalArgumentException("gpu request: an alternative occurs twice in " + alternatives);
            }
        }

        @Override
        public GpuRequest withSelector(GpuSelector value) {
            Objects.requireNonNull(value, "value");
            return with(one -> one.withSelector(value));
        }

        @Override
        public GpuRequest withAffinity(GpuAffinity value) {
            Objects.requireNonNull(value, "value");
            return with(one -> one.withAffinity(value));
        }

        private GpuRequest with(UnaryOperator<GpuRequest> change) {
            List<GpuRequest> changed =
                    alternatives.stream().map(change).distinct().toList();
            return changed.size() == 1 ? changed.get(0) : new FirstOf(changed);
        }

        @Override
        public int count() {
            return alternatives.stream().mapToInt(GpuRequest::count).min().orElseThrow();
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

    /** Returns a request for a node as a whole, all of whose GPUs this selector accepts. */
    static WholeNode wholeNode(GpuSelector selector) {
        return new WholeNode(selector);
    }

    /**
     * Returns how many distinct GPUs it needs at least: 0 for none; 1 for partitions, which may all lie on one GPU, and for a whole
     * node, which takes all that there are; of alternatives the least.
     */
    int count();

    /** Returns whether it asks for no GPU. */
    default boolean isNone() {
        return count() == 0;
    }

    /** Returns which GPUs are accepted: any by a request for none, and by one with alternatives, which have selectors of their own. */
    default GpuSelector selector() {
        return GpuSelector.ANY;
    }

    /**
     * Returns this request, accepting these GPUs. A request for no GPU stays as it is; one with alternatives has each of them changed,
     * and equal alternatives then count once.
     */
    GpuRequest withSelector(GpuSelector value);

    /** Returns this request with another affinity; a request for none, or with alternatives, as {@link #withSelector} does. */
    default GpuRequest withAffinity(GpuAffinity value) {
        return withSelector(selector().withAffinity(value));
    }

    /** Returns the acceptable alternatives, the most wanted first: itself alone, but for {@link FirstOf}. */
    default List<GpuRequest> alternatives() {
        return List.of(this);
    }

    private static String suffix(GpuSelector selector) {
        return selector.equals(GpuSelector.ANY) ? "" : " " + selector;
    }
}
