/**
 * Small random clusters, a brute-force oracle and assertions that ask the checker, for tests of programs that embed the library.
 *
 * <p>Begin at {@link io.gpusched.testkit.GpuAssertions}:
 *
 * <pre>{@code
 * SmallWorld world = new SmallWorld(7); // the seed decides all
 * Cluster cluster = world.cluster(4);
 * Pod pod = world.pod();
 * Decision decision = GpuScheduler.of(myPolicy).schedule(cluster, pod);
 * GpuAssertions.assertThat(decision).keepsEveryLaw(cluster, pod);
 * GpuAssertions.assertThat(plan).starts("train").keepsEveryLaw(before, settings, now);
 * }</pre>
 *
 * <p>Everything here is slow and obvious: for small worlds only.
 */
@NullMarked
package io.gpusched.testkit;

import org.jspecify.annotations.NullMarked;
