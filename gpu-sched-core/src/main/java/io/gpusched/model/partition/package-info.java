/**
 * How GPUs are cut into hardware partitions, as data: MIG instances, AMD compute partitions, Ascend vNPU templates.
 *
 * <p>Begin with {@link io.gpusched.model.partition.MigGeometry}, which knows NVIDIA's models, or describe a device of your own:
 *
 * <pre>{@code
 * PartitionGeometry halves = PartitionGeometry.of("my-gpu", 2, NamedAmounts.NONE, List.of(
 *         PartitionProfile.of("half", 1, List.of(0, 1)).withComputeMillis(500),
 *         PartitionProfile.of("full", 2, List.of(0)).withComputeMillis(1_000)));
 * GpuModel model = GpuModel.of("maker", "my-gpu", 65_536);
 * Gpu gpu = Gpu.of(0, "gpu-0", model).withPartitions(halves);
 * }</pre>
 */
@NullMarked
package io.gpusched.model.partition;

import org.jspecify.annotations.NullMarked;
