package io.gpusched.simulator;

import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * All runs of some policies over some orders of arrival. The results do not depend on the number of threads.
 *
 * @param workload the cluster and its pods
 * @param arrivals one order of arrival for each seed
 * @param policies the policies
 */
public record Experiment(Workload workload, List<ArrivalSequence> arrivals, List<NamedPolicy> policies) {
    /** Copies the lists. */
    public Experiment {
        arrivals = List.copyOf(arrivals);
        policies = List.copyOf(policies);
    }

    /** Returns how many pods all runs together decide. */
    public long decisions() {
        return policies.size()
                * arrivals.stream().mapToLong(order -> order.pods().size()).sum();
    }

    /**
     * Plays all runs and returns their results, by policy, then by seed, in the order given.
     *
     * @param threads how many runs to play at once, at least 1
     * @param listener hears of each decision, from several threads
     */
    public List<RunResult> run(int threads, RunListener listener) {
        TypicalMix mix = TypicalMix.of(workload.pods());
        List<Callable<RunResult>> runs = new ArrayList<>();
        for (NamedPolicy policy : policies) {
            for (ArrivalSequence order : arrivals) {
                runs.add(() -> Run.play(
                        workload, policy.name(), order, mix, policy.factory().placer(workload, order, mix), listener));
            }
        }
        return Parallel.all(runs, threads);
    }
}
