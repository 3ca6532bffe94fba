package io.gpusched.cookbook;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Decides on several threads about one cluster, which is only ever replaced as a whole. */
public final class ManyThreads {
    private static final ThreadLocal<GpuScheduler> SCHEDULER = ThreadLocal.withInitial(GpuScheduler::create);

    private final AtomicReference<Cluster> latest = new AtomicReference<>(MapMyCluster.cluster());

    private ManyThreads() {}

    /** Prints how many of twenty pods found a place. */
    public static void main(String... args) {
        ManyThreads cluster = new ManyThreads();
        long placed = IntStream.range(0, 20)
                .parallel()
                .mapToObj(i -> Pod.of("pod-" + i, Resources.of(1_000, 4_096), GpuRequest.exclusive(1)))
                .filter(cluster::place)
                .count();
        System.out.println(
                placed + " of 20 placed, " + cluster.latest().totals().idleGpus() + " GPUs idle");
    }

    private Cluster latest() {
        return Objects.requireNonNull(latest.get(), "latest");
    }

    private boolean place(Pod pod) {
        while (true) {
            Cluster seen = latest();
            Optional<Placement> placement = SCHEDULER.get().schedule(seen, pod).toPlacement();
            if (placement.isEmpty()) {
                return false;
            }
            if (latest.compareAndSet(seen, seen.with(placement.get()))) {
                return true;
            }
        }
    }
}
