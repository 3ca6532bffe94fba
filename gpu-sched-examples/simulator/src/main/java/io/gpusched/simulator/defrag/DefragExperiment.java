package io.gpusched.simulator.defrag;

import io.gpusched.model.Cluster;
import io.gpusched.simulator.Parallel;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Takes snapshots of a workload whose pods come and go, and plays each rule on each of them. */
public final class DefragExperiment {
    private DefragExperiment() {}

    /**
     * Returns a snapshot for each seed, after three times as many pods have come as the list has.
     *
     * @param fill how much of the GPU compute is allocated, above 0, at most 1
     */
    public static List<Cluster> snapshots(Workload workload, double fill, List<Long> seeds, int threads) {
        int arrivals = 3 * workload.pods().size();
        List<Callable<Cluster>> runs = new ArrayList<>();
        seeds.forEach(seed -> runs.add(() -> Churn.after(workload, fill, arrivals, seed)));
        return Parallel.all(runs, threads);
    }

    /** Returns what each rule makes of each snapshot, rule by rule. */
    public static List<DefragRow> play(List<Cluster> snapshots, int most, int threads) {
        List<Callable<DefragRow>> runs = new ArrayList<>();
        for (MoveRule rule : MoveRule.values()) {
            for (Cluster cluster : snapshots) {
                int free = (int) cluster.nodes().stream()
                        .filter(node -> node.idleGpus() >= MoveRule.GPUS)
                        .count();
                runs.add(() -> new DefragRow(rule, free, rule.play(cluster, most)));
            }
        }
        return Parallel.all(runs, threads);
    }
}
