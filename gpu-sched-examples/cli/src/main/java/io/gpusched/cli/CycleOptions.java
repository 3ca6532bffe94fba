package io.gpusched.cli;

import io.gpusched.model.Node;
import io.gpusched.policy.CycleSettings;
import io.gpusched.simulator.cycle.CycleReplay;
import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.CycleScenario;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.JobTrace;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueTree;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The options of a replay through queues. */
final class CycleOptions {
    private static final Set<String> ALLOWED = Set.of("--cycle", "--trace", "--queues", "--pool", "--load");

    @Option(
            names = "--cycle",
            description = "play a job list through scheduling cycles with queues: a cycle whenever a job arrives or ends. "
                    + "Evictions and moves take no time; an evicted job keeps what it has run, and runs what is left once it starts again")
    private boolean on;

    @Option(
            names = "--trace",
            paramLabel = "F",
            description = "job list with the columns submit_s,gpus,duration_s (PCS), interval,gpu_num,run_time (Helios, Philly) or "
                    + "submit_time,num_gpu,duration (Muri); a job that is larger than a node becomes a gang")
    private @Nullable Path trace;

    @Option(
            names = "--queues",
            paramLabel = "F.yaml",
            description = "queues, each with name, parent, priority, and resources: {gpu: {deserved, limit, overQuotaWeight}}. "
                    + "The jobs of a virtual cluster (column vc), else of a user, are in the queue of that name; other owners are "
                    + "given to the queues in turn (default: one queue)")
    private @Nullable Path queues;

    @Option(
            names = "--pool",
            paramLabel = "NxG",
            converter = Ranges.Pools.class,
            description = "N nodes of G GPUs; G alone is one node (default: 100x8)")
    private Ranges.Pool pool = new Ranges.Pool(100, 8);

    /**
     * Checks that the options go together.
     *
     * @throws picocli.CommandLine.ParameterException if they do not
     */
    void check(@Nullable CommandSpec spec) {
        if (!on || trace == null) {
            throw OptionErrors.bad(spec, "--cycle and --trace go together");
        }
        Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !ALLOWED.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw OptionErrors.bad(spec, name + " does not go with --cycle");
                });
    }

    /** Plays the jobs and prints what came of them; returns whether all have run. */
    boolean play(@Nullable Double load, PrintWriter out) {
        CycleScenario scenario = scenario(load);
        CycleResult result = CycleReplay.play(scenario, CycleSettings.standard());
        out.print(new CycleTable(scenario, result));
        out.flush();
        return result.never().isEmpty();
    }

    private CycleScenario scenario(@Nullable Double load) {
        Path file = Objects.requireNonNull(trace, "trace");
        List<Node> nodes = GangTrace.nodes(pool.nodes(), pool.gpus());
        CycleScenario scenario =
                CycleScenario.of(WorkloadOptions.name(file), nodes, queues(), JobTrace.read(file, pool.gpus()));
        return load == null ? scenario : scenario.withLoad(load);
    }

    private QueueTree queues() {
        return queues == null ? QueueTree.of(List.of(Queue.builder("all").build())) : QueueFile.read(queues);
    }
}
