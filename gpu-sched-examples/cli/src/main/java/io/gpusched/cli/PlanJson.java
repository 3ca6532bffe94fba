package io.gpusched.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.simulator.capacity.ClusterResult;
import io.gpusched.simulator.capacity.Goal;
import io.gpusched.simulator.capacity.ModelTable;
import io.gpusched.simulator.capacity.RunNumbers;
import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.JobList;
import io.gpusched.simulator.trace.TraceJob;
import java.util.List;
import java.util.Optional;

/** The answer of {@code simulate plan} as JSON, with all digits that the table leaves out. */
final class PlanJson {
    private final ObjectNode document = JsonAnswer.document();
    private final ArrayNode notes = document.putArray("notes");
    private final ObjectNode plan = document.putObject("plan");
    private final ArrayNode clusters = plan.putArray("clusters");
    private final ArrayNode never = plan.putArray("neverRun");

    PlanJson(RunHeader header, Scenario scenario, JobList list) {
        header.notes().forEach(notes::add);
        ObjectNode jobs = plan.putObject("jobs");
        jobs.put("list", scenario.name());
        jobs.put("form", list.form());
        jobs.put("count", scenario.jobs().size());
        jobs.put("gangs", scenario.jobs().stream().filter(TraceJob::isGang).count());
        jobs.put("spanSeconds", scenario.spanSeconds());
        jobs.put("offeredLoad", scenario.load());
        ObjectNode leftOut = jobs.putObject("rowsLeftOut");
        list.leftOut().forEach(leftOut::put);
    }

    void put(List<ClusterResult> results, ModelTable models) {
        for (ClusterResult result : results) {
            ObjectNode one = clusters.addObject();
            one.put("name", result.name());
            one.put("nodes", result.nodes().size());
            one.put("gpus", result.gpus());
            if (!models.prices().isEmpty()) {
                one.put("pricePerHour", models.pricePerHour(result.nodes()));
            }
            one.put("meanWaitMinutes", result.mean(RunNumbers::meanWaitMinutes));
            result.interval(RunNumbers::meanWaitMinutes)
                    .ifPresent(interval -> one.putArray("meanWaitInterval95")
                            .add(interval.low())
                            .add(interval.high()));
            one.put("medianWaitMinutes", result.mean(RunNumbers::medianWaitMinutes));
            one.put("p95WaitMinutes", result.mean(RunNumbers::p95WaitMinutes));
            one.put("p99WaitMinutes", result.mean(RunNumbers::p99WaitMinutes));
            one.put("usedPercent", result.mean(RunNumbers::usedPercent));
            one.put("neverStarted", result.neverStarted());
            one.put("runs", result.runs().size());
            one.put("steadyRuns", result.steady());
        }
    }

    void put(Goal goal, Optional<String> answer, String words) {
        ObjectNode one = plan.putObject("goal");
        one.put("text", goal.text());
        one.put("isMet", answer.isPresent());
        answer.ifPresent(name -> one.put("cluster", name));
        one.put("words", words);
    }

    void put(String cluster, List<NeverRun> jobs) {
        for (NeverRun one : jobs) {
            ObjectNode kind = never.addObject().put("cluster", cluster).put("diagnosis", one.diagnosis());
            JsonAnswer.texts(kind.putArray("jobs"), one.jobs());
        }
    }

    @Override
    public String toString() {
        return document.toPrettyString() + "\n";
    }
}
