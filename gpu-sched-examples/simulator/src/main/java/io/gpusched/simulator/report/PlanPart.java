package io.gpusched.simulator.report;

import io.gpusched.simulator.capacity.ClusterResult;
import io.gpusched.simulator.capacity.Goal;
import io.gpusched.simulator.capacity.ModelTable;
import io.gpusched.simulator.capacity.RunNumbers;
import io.gpusched.simulator.replay.NeverRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the page of a plan shows beside its replays.
 *
 * @param goal the goal and the answer in words; empty if there was no goal
 * @param number which wait the curve shows
 * @param goalMinutes what it must be below; 0 if there was no goal
 * @param clusters the clusters that were played
 * @param neverRun jobs that can never run on the last of them, and why
 */
public record PlanPart(
        String goal, String number, double goalMinutes, List<ClusterRow> clusters, List<String> neverRun) {
    /** Copies the lists. */
    public PlanPart {
        clusters = List.copyOf(clusters);
        neverRun = List.copyOf(neverRun);
    }

    /**
     * A cluster.
     *
     * @param name its name
     * @param nodes its nodes
     * @param gpus its GPUs
     * @param price what they cost an hour; 0 if no price is known
     * @param meanWaitMinutes the mean wait
     * @param interval both ends of the 95 % interval of the mean wait; nothing if there is none
     * @param p95WaitMinutes the wait that 95 % of the jobs do not exceed
     * @param shownMinutes the wait that the goal is about
     * @param neverStarted jobs that never started
     * @param isMet whether the goal is met: {@code yes}, {@code no}, or nothing without a goal
     */
    public record ClusterRow(
            String name,
            int nodes,
            int gpus,
            double price,
            double meanWaitMinutes,
            List<Double> interval,
            double p95WaitMinutes,
            double shownMinutes,
            double neverStarted,
            String isMet) {
        /** Copies the list. */
        public ClusterRow {
            interval = List.copyOf(interval);
        }
    }

    /** Returns what came of these clusters. */
    public static PlanPart of(
            Optional<Goal> goal, String answer, List<ClusterResult> results, ModelTable models, List<NeverRun> never) {
        List<ClusterRow> rows = new ArrayList<>();
        for (ClusterResult result : results) {
            rows.add(new ClusterRow(
                    result.name(),
                    result.nodes().size(),
                    result.gpus(),
                    models.pricePerHour(result.nodes()),
                    result.mean(RunNumbers::meanWaitMinutes),
                    result.interval(RunNumbers::meanWaitMinutes)
                            .map(wait -> List.of(wait.low(), wait.high()))
                            .orElse(List.of()),
                    result.mean(RunNumbers::p95WaitMinutes),
                    goal.map(one -> one.of(result)).orElse(result.mean(RunNumbers::meanWaitMinutes)),
                    result.neverStarted(),
                    goal.map(one -> one.holds(result) ? "yes" : "no").orElse("")));
        }
        return new PlanPart(
                answer,
                goal.map(one -> one.text().substring(0, one.text().indexOf(" <")))
                        .orElse("mean wait"),
                goal.map(Goal::minutes).orElse(0.0),
                rows,
                never.stream()
                        .map(one -> "job " + one.jobs().get(0)
                                + (one.jobs().size() == 1
                                        ? ""
                                        : " and " + (one.jobs().size() - 1) + " like it")
                                + " can never run: " + one.diagnosis())
                        .toList());
    }
}
