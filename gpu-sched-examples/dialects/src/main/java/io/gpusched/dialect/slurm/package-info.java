/**
 * Slurm's generic resources: whole GPUs, mps and shards, on nodes that {@code gres.conf} describes. Start with
 * {@link io.gpusched.dialect.slurm.SlurmRequest} for what a job asks, {@link io.gpusched.dialect.slurm.SlurmNode} for nodes,
 * {@link io.gpusched.dialect.slurm.SlurmGresDialect} for a job's part on one node, and
 * {@link io.gpusched.dialect.slurm.SlurmScheduler} for jobs on several nodes, in Slurm's order.
 *
 * <pre>{@code
 * Node node = SlurmNode.of("n1", 32, 100_000, SlurmGres.parseList("gpu:a100:4,mps:400"));
 * SlurmJob job = SlurmRequest.gres("mps:50", 1).resolve();
 * Pod part = SlurmGresDialect.pod(PodId.of("job-0"), Resources.of(1_000, 100), job.on(0));
 * GpuScheduler slurm = GpuScheduler.of(SlurmGresDialect.policy());
 * Decision decision = slurm.schedule(Cluster.of(List.of(node)), part);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.slurm;

import org.jspecify.annotations.NullMarked;
