package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.model.partition.GpuPartition;
import java.util.List;

/** What one container holds of the GPUs of its node. */
public sealed interface GpuGrant {
    /** No GPU. */
    record None() implements GpuGrant {
        private static final None INSTANCE = new None();

        @Override
        public String toString() {
            return "no GPU";
        }
    }

    /**
     * Whole GPUs, shared with no other pod.
     *
     * @param gpus their indexes, ascending, at least one
     */
    record Whole(List<Integer> gpus) implements GpuGrant {
        /**
         * Copies the list and checks it.
         *
         * @throws IllegalArgumentException if the list is empty or not strictly ascending
         */
        public Whole {
            gpus = Checks.list("gpus", gpus);
            checkAscending(gpus);
        }

        @Override
        public List<Integer> indexes() {
            return gpus;
        }

        @Override
        public String toString() {
            return "whole GPUs " + gpus;
        }
    }

    /**
     * Parts of GPUs, one part for each of them.
     *
     * @param shares the parts by ascending GPU index, at least one
     */
    record Shared(List<GpuShare> shares) implements GpuGrant {
        /**
         * Copies the list and checks it.
         *
         * @throws IllegalArgumentException if the list is empty or its GPU indexes are not strictly ascending
         */
        public Shared {
            shares = Checks.list("shares", shares);
            int last = -1;
            for (GpuShare share : shares) {
                if (share.gpu() <= last) {
                    throw new IllegalArgumentException("gpu grant: gpu indexes must ascend, got " + shares);
                }
                last = share.gpu();
            }
            if (shares.isEmpty()) {
                throw new IllegalArgumentException("gpu grant: at least one gpu expected, got none");
            }
        }

        @Override
        public List<Integer> indexes() {
            return shares.stream().map(GpuShare::gpu).toList();
        }

        @Override
        public String toString() {
            return "shares " + shares;
        }
    }

    /**
     * Hardware partitions of GPUs, one or more of each of them.
     *
     * @param partitions the partitions in their order (by GPU, start, profile), at least one; a template without a place may
     *     occur several times
     */
    record Partitions(List<GpuPartition> partitions) implements GpuGrant {
        /**
         * Copies the list and checks it.
         *
         * @throws IllegalArgumentException if the list is empty or not in order
         */
        public Partitions {
            partitions = Checks.list("partitions", partitions);
            if (partitions.isEmpty()) {
                throw new IllegalArgumentException("gpu grant: at least one partition expected, got none");
            }
            for (int i = 1; i < partitions.size(); i++) {
                if (partitions.get(i - 1).compareTo(partitions.get(i)) > 0) {
                    throw new IllegalArgumentException(
                            "gpu grant: partitions must be in order of gpu, start and profile, got " + partitions);
                }
            }
        }

        @Override
        public List<Integer> indexes() {
            return partitions.stream().map(GpuPartition::gpu).distinct().toList();
        }

        @Override
        public String toString() {
            return "partitions " + partitions;
        }
    }

    /**
     * The node as a whole: every GPU, all CPU and all memory, whatever the amounts.
     *
     * @param gpuCount how many GPUs the node has, 1..64
     */
    record WholeNode(int gpuCount) implements GpuGrant {
        /**
         * Checks the count.
         *
         * @throws IllegalArgumentException if the count is out of range
         */
        public WholeNode {
            Checks.inRange("whole node", "gpuCount", gpuCount, 1, Node.MAX_GPUS);
        }

        @Override
        public List<Integer> indexes() {
            return java.util.stream.IntStream.range(0, gpuCount).boxed().toList();
        }

        @Override
        public String toString() {
            return "the whole node (" + gpuCount + " GPUs)";
        }
    }

    /** Returns the grant of no GPU. */
    static GpuGrant none() {
        return None.INSTANCE;
    }

    /** Returns the indexes of the GPUs held, ascending; empty for none. */
    default List<Integer> indexes() {
        return List.of();
    }

    private static void checkAscending(List<Integer> gpus) {
        if (gpus.isEmpty()) {
            throw new IllegalArgumentException("gpu grant: at least one gpu expected, got none");
        }
        int last = -1;
        for (int gpu : gpus) {
            if (gpu <= last || gpu >= Node.MAX_GPUS) {
                throw new IllegalArgumentException(
                        "gpu grant: gpu indexes must ascend within 0.." + (Node.MAX_GPUS - 1) + ", got " + gpus);
            }
            last = gpu;
        }
    }
}
