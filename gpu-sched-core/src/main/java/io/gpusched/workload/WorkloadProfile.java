package io.gpusched.workload;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What pods usually ask, as a distribution over demands. Policies that know the workload use it to judge how useful the free
 * part of a node is.
 *
 * <p>Make it from pods of the past, or from the pods seen so far. Immutable and thread-safe.
 *
 * @param demands the demands, those with the greatest weight first
 * @param partitions how many hardware partitions of each profile are asked for, by its name, ascending; each at least 1
 */
public record WorkloadProfile(List<Demand> demands, Map<String, Long> partitions) {
    /** How much of the pods the demands of {@link #typical} cover, in percent, unless told otherwise. */
    private static final int TYPICAL_PERCENT = 95;

    /** The greatest sum of weights; larger ones are scaled down. */
    private static final long MAX_WEIGHT = 1L << 20;

    /**
     * One kind of request.
     *
     * @param cpuMillis CPU in milli
     * @param memoryMib host memory in MiB; 0 if it is not considered
     * @param gpuMillis compute of each GPU in milli: 0 for none, 1,000 for a whole GPU, less for a share
     * @param gpuCount how many GPUs; 0 for none
     * @param models the GPU models it accepts, or none for any
     * @param weight how often it is asked for, relative to the other demands, at least 1
     */
    public record Demand(long cpuMillis, long memoryMib, int gpuMillis, int gpuCount, Set<String> models, long weight) {
        /** Compute of a whole GPU. */
        public static final int WHOLE = 1_000;

        /**
         * Copies the models and checks the ranges.
         *
         * @throws IllegalArgumentException if a number is out of range, or one of compute and count is 0 and the other is not
         */
        public Demand {
            Checks.noNulls("models", models);
            models = java.util.Collections.unmodifiableSet(new TreeSet<>(models));
            Checks.inRange("demand", "cpuMillis", cpuMillis, 0, 1_000_000_000_000L);
            Checks.inRange("demand", "memoryMib", memoryMib, 0, 1_000_000_000_000L);
            Checks.inRange("demand", "gpuMillis", gpuMillis, 0, WHOLE);
            Checks.inRange("demand", "gpuCount", gpuCount, 0, 64);
            Checks.inRange("demand", "weight", weight, 1, Long.MAX_VALUE);
            if ((gpuMillis == 0) != (gpuCount == 0)) {
                throw new IllegalArgumentException(
                        "demand: gpuMillis and gpuCount must both be 0 or both be positive, got " + gpuMillis + " and "
                                + gpuCount);
            }
        }

        /** Creates a demand without host memory, with the same checks. */
        public Demand(long cpuMillis, int gpuMillis, int gpuCount, Set<String> models, long weight) {
            this(cpuMillis, 0, gpuMillis, gpuCount, models, weight);
        }

        /** Returns the compute it asks for on all GPUs together, in milli. */
        public long totalGpuMillis() {
            return (long) gpuMillis * gpuCount;
        }

        /** Returns whether it asks for whole GPUs. */
        public boolean isWhole() {
            return gpuMillis == WHOLE;
        }

        Demand withWeight(long value) {
            return new Demand(cpuMillis, memoryMib, gpuMillis, gpuCount, models, value);
        }

        Demand withMemoryMib(long mib) {
            return new Demand(cpuMillis, mib, gpuMillis, gpuCount, models, weight);
        }
    }

    /**
     * Copies and sorts the demands: greatest weight first, then the larger CPU, compute and count.
     *
     * @throws IllegalArgumentException if there is none
     */
    public WorkloadProfile {
        Checks.noNulls("demands", demands);
        partitions = Checks.ascending("partitions", partitions);
        Checks.inRange("workload profile", "number of demands", demands.size(), 1, Integer.MAX_VALUE);
        demands = scaled(demands.stream().sorted(BY_WEIGHT).toList());
        partitions.forEach((name, count) ->
                Checks.inRange("workload profile", "partitions of \"" + name + "\"", count, 1, Long.MAX_VALUE));
    }

    /** A profile without requests for partitions, with the same checks. */
    public WorkloadProfile(List<Demand> demands) {
        this(demands, Map.of());
    }

    private static Map<String, Long> partitionsOf(Collection<Pod> pods) {
        Map<String, Long> partitions = new TreeMap<>();
        for (Pod pod : pods) {
            for (Container container : pod.containers()) {
                if (container.gpu() instanceof GpuRequest.Partition asked) {
                    partitions.merge(asked.profile(), (long) asked.instances(), Long::sum);
                }
            }
        }
        return partitions;
    }

    private static final Comparator<Demand> BY_WEIGHT = Comparator.comparingLong(Demand::weight)
            .thenComparingLong(Demand::cpuMillis)
            .thenComparingInt(Demand::gpuMillis)
            .thenComparingInt(Demand::gpuCount)
            .thenComparing(demand -> String.join("|", demand.models()))
            .thenComparingLong(Demand::memoryMib)
            .reversed();

    private static List<Demand> scaled(List<Demand> demands) {
        double sum = demands.stream().mapToDouble(Demand::weight).sum();
        if (sum <= MAX_WEIGHT) {
            return demands;
        }
        double factor = MAX_WEIGHT / sum;
        return demands.stream()
                .map(demand -> demand.withWeight(Math.max(1, (long) (demand.weight() * factor))))
                .toList();
    }

    /**
     * Returns the profile of all these pods: a demand for each distinct request of CPU, host memory and GPUs. Unlike
     * {@link #typical} it leaves nothing out.
     *
     * @throws IllegalArgumentException if there is no pod
     */
    public static WorkloadProfile of(Collection<Pod> pods) {
        Checks.noNulls("pods", pods);
        Checks.inRange("workload profile", "number of pods", pods.size(), 1, Integer.MAX_VALUE);
        Map<Demand, Long> counts = new HashMap<>();
        for (Pod pod : pods) {
            counts.merge(demandOf(pod), 1L, Long::sum);
        }
        return new WorkloadProfile(
                counts.entrySet().stream()
                        .map(entry -> entry.getKey().withWeight(entry.getValue()))
                        .toList(),
                partitionsOf(pods));
    }

    /** Returns the profile of the most frequent demands that together make up 95 percent of these pods. */
    public static WorkloadProfile typical(Collection<Pod> pods) {
        Objects.requireNonNull(pods, "pods");
        return typical(pods, TYPICAL_PERCENT);
    }

    /**
     * Returns the profile of the most frequent demands that together make up this part of these pods ("typical pods" of
     * "Beware of Fragmentation", USENIX ATC 2023). A pod is described by its CPU and by what its containers together ask of GPUs; the
     * host memory of a demand is the mean of its pods, rounded down.
     *
     * @param percent 1..100
     * @throws IllegalArgumentException if there is no pod or the percentage is out of range
     */
    public static WorkloadProfile typical(Collection<Pod> pods, int percent) {
        Checks.noNulls("pods", pods);
        Checks.inRange("workload profile", "percent", percent, 1, 100);
        Checks.inRange("workload profile", "number of pods", pods.size(), 1, Integer.MAX_VALUE);
        Map<Demand, Long> counts = new HashMap<>();
        Map<Demand, Long> memory = new HashMap<>();
        for (Pod pod : pods) {
            Demand demand = demandOf(pod);
            Demand key = demand.withMemoryMib(0);
            counts.merge(key, 1L, Long::sum);
            memory.merge(key, demand.memoryMib(), Long::sum);
        }
        List<Demand> all = counts.entrySet().stream()
                .map(entry -> entry.getKey().withWeight(entry.getValue()))
                .sorted(BY_WEIGHT)
                .map(demand -> demand.withMemoryMib(
                        memory.getOrDefault(demand.withWeight(1).withMemoryMib(0), 0L) / demand.weight()))
                .toList();
        List<Demand> kept = new ArrayList<>();
        long covered = 0;
        for (Demand demand : all) {
            if (covered * 100 >= (long) pods.size() * percent) {
                break;
            }
            kept.add(demand);
            covered += demand.weight();
        }
        return new WorkloadProfile(kept, partitionsOf(pods));
    }

    /** Returns the demand of a pod, host memory included, with weight 1. A whole node counts as eight GPUs, and of several acceptable
     * demands the first counts. */
    public static Demand demandOf(Pod pod) {
        Objects.requireNonNull(pod, "pod");
        int whole = 0;
        int shares = 0;
        int millis = 0;
        Set<String> models = Set.of();
        for (Container container : pod.containers()) {
            GpuRequest request = container.gpu().alternatives().get(0);
            models = request.isNone() ? models : request.selector().allowedModels();
            if (request instanceof GpuRequest.Share share) {
                shares += share.count();
                millis = Math.max(millis, Math.max(1, Math.min(share.computeMillis(), Demand.WHOLE)));
            } else if (request instanceof GpuRequest.WholeNode) {
                whole += 8;
            } else if (request instanceof GpuRequest.Exclusive) {
                whole += request.count();
            }
        }
        long cpu = pod.resources().cpuMillis();
        long memory = pod.resources().memoryMib();
        if (whole > 0) {
            return new Demand(cpu, memory, Demand.WHOLE, Math.min(64, whole), models, 1);
        }
        return new Demand(cpu, memory, shares == 0 ? 0 : millis, Math.min(64, shares), models, 1);
    }

    /** Returns the sum of the weights. */
    public long totalWeight() {
        return demands.stream().mapToLong(Demand::weight).sum();
    }
}
