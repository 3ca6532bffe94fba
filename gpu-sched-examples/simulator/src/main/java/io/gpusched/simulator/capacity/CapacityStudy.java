package io.gpusched.simulator.capacity;

import io.gpusched.model.Node;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.simulator.Parallel;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.replay.Replay;
import io.gpusched.simulator.replay.ReplayResult;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.ReplaySummary;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.TracePod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Replays one job list on clusters. Each run depends on its cluster and seed alone, so that any number of threads gives the same numbers. */
public final class CapacityStudy {
    private static final long POLICY_SEED = 42;

    private final Scenario scenario;
    private final ReplaySettings settings;
    private final String policy;
    private final Resampling resampling;
    private final RunStore store;
    private Optional<CyclePlay> cycle = Optional.empty();
    private Runnable ended = () -> {};

    /** Creates a study that keeps nothing. */
    public CapacityStudy(Scenario scenario, ReplaySettings settings, String policy, Resampling resampling) {
        this(scenario, settings, policy, resampling, RunStore.none());
    }

    /**
     * Creates a study.
     *
     * @param scenario the jobs; its nodes are not looked at
     * @param policy the name of the policy by which pods are placed
     * @param resampling which arrivals are replayed
     * @param store what was played before, and is not played again
     */
    public CapacityStudy(
            Scenario scenario, ReplaySettings settings, String policy, Resampling resampling, RunStore store) {
        this.scenario = scenario;
        this.settings = settings;
        this.policy = policy;
        this.resampling = resampling;
        this.store = store;
    }

    /** Returns a study whose jobs go through scheduling cycles with queues; order, speeds, disruptions and policy then say nothing. */
    public CapacityStudy through(CyclePlay value) {
        CapacityStudy study = new CapacityStudy(scenario, settings, policy, resampling, store);
        study.cycle = Optional.of(value);
        study.ended = ended;
        return study;
    }

    /** Returns a study that calls this whenever a run has ended, from any thread. */
    public CapacityStudy onEnd(Runnable value) {
        CapacityStudy study = new CapacityStudy(scenario, settings, policy, resampling, store);
        study.cycle = cycle;
        study.ended = value;
        return study;
    }

    /** Returns the jobs, as they were. */
    public Scenario scenario() {
        return scenario;
    }

    /** Replays on one cluster. */
    public ClusterResult play(String name, List<Node> nodes, int threads) {
        return play(Map.of(name, nodes), threads).get(0);
    }

    /**
     * Replays on several clusters at once, and returns their results in the same order.
     *
     * @param clusters the nodes by the name of the cluster, in a map that keeps an order
     */
    public List<ClusterResult> play(Map<String, List<Node>> clusters, int threads) {
        List<Callable<RunNumbers>> runs = new ArrayList<>();
        clusters.forEach((name, nodes) -> resampling
                .runs()
                .forEach(seed -> runs.add(() -> {
                    RunNumbers numbers = store.get(key(name, nodes, seed), () -> run(nodes, seed));
                    ended.run();
                    return numbers;
                })));
        List<RunNumbers> numbers = Parallel.all(runs, threads);
        int each = resampling.runs().size();
        List<ClusterResult> results = new ArrayList<>();
        clusters.forEach((name, nodes) -> {
            int from = results.size() * each;
            results.add(
                    new ClusterResult(name, nodes, numbers.subList(from, from + each), resampling.blocks(scenario)));
        });
        return results;
    }

    private RunStore.Key key(String name, List<Node> nodes, long seed) {
        return new RunStore.Key(
                name,
                seed,
                Fingerprint.of(
                        scenario,
                        nodes,
                        settings,
                        policy + cycle.map(CyclePlay::words).orElse(""),
                        resampling));
    }

    private RunNumbers run(List<Node> nodes, long seed) {
        return cycle.isPresent()
                ? RunNumbers.of(cycle.get().play(resampling.of(scenario, seed).withNodes(nodes)))
                : RunNumbers.of(replay(policy, nodes, seed));
    }

    private ReplayResult replay(String name, List<Node> nodes, long seed) {
        Scenario played = resampling.of(scenario, seed).withNodes(nodes);
        PlacementPolicy chosen = LibraryPolicies.of(
                policy, () -> played.pods().stream().map(TracePod::pod).toList(), POLICY_SEED);
        double more = (double) nodes.size() / scenario.nodes().size();
        return Replay.play(
                played,
                name,
                chosen,
                settings.withDisruptions(settings.disruptions().times(more)),
                seed);
    }

    /** Replays on several clusters at once, and returns all that came of it, for a page; each cluster stands in place of a policy. */
    public List<ReplaySummary> replays(Map<String, List<Node>> clusters, int threads) {
        List<Callable<ReplayResult>> runs = new ArrayList<>();
        clusters.forEach((name, nodes) -> resampling.runs().forEach(seed -> runs.add(() -> replay(name, nodes, seed))));
        return ReplaySummary.of(Parallel.all(runs, threads));
    }
}
