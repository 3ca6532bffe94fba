package io.gpusched.bench.peer;

import com.netflix.fenzo.SchedulingResult;
import com.netflix.fenzo.TaskAssignmentResult;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.TaskScheduler;
import com.netflix.fenzo.VMAssignmentResult;
import com.netflix.fenzo.VirtualMachineLease;
import com.netflix.fenzo.plugins.BinPackingFitnessCalculators;
import io.gpusched.bench.load.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Nodes with 8 GPUs under Netflix Fenzo 1.0.1, set up for its best: one standing offer for each node, CPU bin-packing, no
 * analysis of shortfalls. A GPU is a part of one number, because Fenzo knows no devices.
 */
public final class FenzoCluster implements AutoCloseable {
    private final TaskScheduler scheduler = new TaskScheduler.Builder()
            .withLeaseOfferExpirySecs(1_000_000_000)
            .withLeaseRejectAction(lease -> {})
            .withFitnessCalculator(BinPackingFitnessCalculators.cpuBinPacker)
            .withSingleOfferPerVM(true)
            .disableShortfallEvaluation()
            .build();
    private final SplittableRandom random = new SplittableRandom(42);
    private final Shape shape;
    private final List<RunningTask> running = new ArrayList<>();
    private final int nodes;
    private long named;

    private record RunningTask(String task, String host) {}

    /** Creates empty nodes that take pods of this CPU and memory. */
    public FenzoCluster(Shape shape, int nodes, double cpuCores, double memoryMb) {
        this.shape = shape;
        this.nodes = nodes;
        List<VirtualMachineLease> leases = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            leases.add(new FenzoLease("n%06d".formatted(i), cpuCores, memoryMb, Peer.GPUS));
        }
        scheduler.scheduleOnce(List.of(), leases);
    }

    /** Lets pods of one GPU run on each node, each of so many with a probability of {@code fill}, without asking Fenzo. */
    public FenzoCluster fill(int podsPerNode, double fill) {
        for (int i = 0; i < nodes * podsPerNode; i++) {
            if (random.nextDouble() < fill) {
                run(task(1), "n%06d".formatted(i / podsPerNode));
            }
        }
        return this;
    }

    /** Asks for a batch of pods, each of this part of the GPUs, and applies the answer; returns how many found room. */
    public int place(int batch, double gpus) {
        List<FenzoTask> tasks = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++) {
            tasks.add(task(gpus));
        }
        return apply(scheduler.scheduleOnce(tasks, List.of()));
    }

    private FenzoTask task(double gpus) {
        return new FenzoTask(
                "t" + named++,
                shape.resources().cpuMillis() / 1000.0,
                shape.resources().memoryMib(),
                gpus);
    }

    private int apply(SchedulingResult result) {
        int placed = 0;
        for (VMAssignmentResult machine : result.getResultMap().values()) {
            for (TaskAssignmentResult task : machine.getTasksAssigned()) {
                run(task.getRequest(), machine.getHostname());
                placed++;
            }
        }
        return placed;
    }

    private void run(TaskRequest task, String host) {
        scheduler.getTaskAssigner().call(task, host);
        running.add(new RunningTask(task.getId(), host));
    }

    /** Releases random pods until this many are left. */
    public void releaseDownTo(int pods) {
        while (running.size() > pods) {
            int last = running.size() - 1;
            RunningTask gone = running.set(random.nextInt(running.size()), running.get(last));
            running.remove(last);
            scheduler.getTaskUnAssigner().call(gone.task(), gone.host());
        }
    }

    /** Returns how many pods run. */
    public int size() {
        return running.size();
    }

    /** Stops Fenzo's threads. */
    @Override
    public void close() {
        scheduler.shutdown();
    }
}
