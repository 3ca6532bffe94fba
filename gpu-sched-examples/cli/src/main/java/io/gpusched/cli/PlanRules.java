package io.gpusched.cli;

import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueTree;
import io.gpusched.simulator.capacity.CapacityStudy;
import io.gpusched.simulator.capacity.CyclePlay;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.RunTimes;
import io.gpusched.simulator.trace.JobList;
import io.gpusched.simulator.trace.SubmittedJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** By which rules jobs run in a plan: queues and backfill, failures of nodes, the topology of gangs. */
final class PlanRules extends DisruptionOptions {
    private static final Set<String> REPLAY_ONLY = Set.of(
            "--queue",
            "--interval",
            "--policy",
            "--gangs-within",
            "--failures-per-day",
            "--drains-per-day",
            "--out-hours",
            "--report");

    @Option(
            names = "--backfill",
            paramLabel = "RULE[:ORDER]",
            converter = Ranges.CycleRules.class,
            description = "jobs go through scheduling cycles by this rule, as simulate --cycle plays it: which jobs may"
                    + " start while an earlier job waits")
    private Ranges.@Nullable Rules backfill;

    @Option(
            names = "--queues",
            paramLabel = "F.yaml",
            description =
                    "queues with quotas, as simulate --cycle takes them; goes with --backfill (default: one queue)")
    private @Nullable Path queues;

    @Option(
            names = "--told",
            paramLabel = "T",
            converter = Ranges.ToldTimes.class,
            description =
                    "the run times that --backfill is given: exact, hours, limits, within:P, log-normal:M (default:"
                            + " exact)")
    private @Nullable RunTimes told;

    @Option(
            names = "--gangs-within",
            paramLabel = "LEVEL",
            description =
                    "all members of a gang must be within one domain of this topology level, such as rack (default:"
                            + " they prefer a rack)")
    private String gangsWithin = "";

    private String toldText = "exact";

    String gangsWithin() {
        return gangsWithin;
    }

    /**
     * Checks that the options go together.
     *
     * @throws picocli.CommandLine.ParameterException if they do not
     */
    void check(@Nullable CommandSpec spec) {
        checkDisruptions(spec);
        if (backfill == null && (queues != null || told != null)) {
            throw OptionErrors.bad(spec, "--queues and --told go with --backfill");
        }
        if (backfill == null || spec == null) {
            return;
        }
        if (backfill.rules().size() > 1) {
            throw OptionErrors.bad(spec, "a plan is for one rule of --backfill; run it once for each rule");
        }
        List<OptionSpec> given = spec.commandLine().getParseResult().matchedOptions();
        given.stream()
                .filter(option -> option.longestName().equals("--told"))
                .forEach(option -> toldText = String.join(",", option.originalStringValues()));
        given.stream()
                .map(OptionSpec::longestName)
                .filter(REPLAY_ONLY::contains)
                .findFirst()
                .ifPresent(name -> {
                    throw OptionErrors.bad(spec, name + " does not go with --backfill");
                });
    }

    /** Returns a study whose jobs run by these rules. */
    CapacityStudy through(CapacityStudy study, JobList list) {
        if (backfill == null) {
            return study;
        }
        CycleRule rule = backfill.rules().get(0);
        QueueTree tree =
                queues == null ? QueueTree.of(List.of(JobQueue.builder("all").build())) : QueueFile.read(queues);
        return study.through(new CyclePlay(
                tree,
                rule,
                told == null ? RunTimes.EXACT : told,
                list.jobs().stream().collect(Collectors.toMap(job -> job.job().name(), SubmittedJob::owner)),
                rule + " " + toldText + " " + (queues == null ? "" : text(queues))));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Returns whether jobs go through scheduling cycles, where all GPUs are equally fast. */
    boolean isByCycles() {
        return backfill != null;
    }
}
