package io.gpusched.kubebench;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.controlplane.ControlPlane;
import io.gpusched.controlplane.RunningProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures schedulers on one control plane, one after the other. Not thread-safe. */
public final class KubeBench implements AutoCloseable {
    private static final Duration STARTS_WITHIN = Duration.ofMinutes(5);

    /** What a scheduler still writes about the last bindings is over when it has written nothing for so long. */
    private static final long SETTLED_AFTER_SECONDS = 3;

    private static final int SETTLES_WITHIN_ROUNDS = 40;

    private final ControlPlane plane;
    private final BenchSettings settings;
    private final Consumer<String> progress;
    private final KubernetesClient client;
    private final BenchClient load;
    private BenchShape.@Nullable Offer offered;

    /**
     * Creates it; nothing is measured yet.
     *
     * @param progress told what is being done
     */
    public KubeBench(ControlPlane plane, BenchSettings settings, Consumer<String> progress) {
        this.plane = plane;
        this.settings = settings;
        this.progress = progress;
        this.client = plane.client(settings.patience());
        this.load = new BenchClient(client, settings);
    }

    /** Creates the nodes, if they are not there with their GPUs offered in this way. */
    private void offer(BenchShape.Offer offer) throws InterruptedException {
        if (offer != offered) {
            progress.accept("creating " + settings.nodes() + " nodes");
            load.deleteNodes();
            load.createNodes(offer);
            offered = offer;
        }
    }

    /**
     * Creates nodes where there are none for the shape, starts a scheduler, lets it bind one pod, then creates the pods of a shape and waits until all are bound; then removes
     * them and stops it.
     *
     * @throws IllegalStateException if it does not bind one pod within five minutes
     */
    public Measurement measure(BenchShape shape, Contender contender) throws IOException, InterruptedException {
        progress.accept(contender + ": " + shape);
        String prefix = contender.schedulerName() + "-" + shape.toString().replace(':', '-') + "-";
        offer(shape.offer());
        load.createNamed(prefix, shape);
        load.createNamed("first-" + prefix, shape.one());
        try (RunningProgram program = contender.start(plane, settings)) {
            awaitOne("first-" + prefix, shape.one(), contender, program);
            return measure(prefix, shape, contender, program);
        } finally {
            load.deletePods(prefix, shape);
            load.deletePods("first-" + prefix, shape.one());
            load.deleteNamed(prefix, shape);
            load.deleteNamed("first-" + prefix, shape.one());
        }
    }

    private void awaitOne(String prefix, BenchShape one, Contender contender, RunningProgram program)
            throws InterruptedException {
        try (BoundPods bound = BoundPods.watch(client, prefix)) {
            load.createPods(prefix, one, contender.schedulerName());
            if (bound.await(1, STARTS_WITHIN, program) < 1) {
                throw new IllegalStateException(contender + " binds nothing\n" + program.lastWords());
            }
        }
        settled();
    }

    /** Returns the writes once no more are added, after two minutes at most. */
    private ServerWrites settled() throws InterruptedException {
        ServerWrites before = ServerWrites.of(client);
        for (int i = 0; i < SETTLES_WITHIN_ROUNDS; i++) {
            TimeUnit.SECONDS.sleep(SETTLED_AFTER_SECONDS);
            ServerWrites now = ServerWrites.of(client);
            if (now.total() == before.total()) {
                return now;
            }
            before = now;
        }
        return before;
    }

    private Measurement measure(String prefix, BenchShape shape, Contender contender, RunningProgram program)
            throws InterruptedException {
        try (BoundPods bound = BoundPods.watch(client, prefix)) {
            ServerWrites writes = ServerWrites.of(client);
            Duration startCpu = program.cpu();
            Duration others = others(program);
            long start = System.nanoTime();
            load.createPods(prefix, shape, contender.schedulerName());
            int count = bound.await(shape.pods(), settings.patience(), program);
            Duration othersCpu = others(program).minus(others);
            ServerWrites written = settled().since(writes);
            return new Measurement(
                    shape,
                    contender,
                    count,
                    Duration.ofNanos(bound.lastNanos() - start),
                    startCpu,
                    program.cpu().minus(startCpu),
                    program.peakResidentKib(),
                    written.all(),
                    written.conflicts(),
                    othersCpu);
        }
    }

    /** CPU time of this machine that is not ours. */
    private Duration others(RunningProgram program) {
        Duration own = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        Duration scheduler = plane.started(program) ? Duration.ZERO : program.cpu();
        return MachineTime.busy()
                .map(all -> all.minus(own).minus(plane.cpu()).minus(scheduler))
                .orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        client.close();
    }
}
