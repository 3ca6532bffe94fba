package io.gpusched.simulator.replay;

import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.trace.NodeSizes;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.workload.Container;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Jobs that can never run on a cluster, however empty it is.
 *
 * @param jobs their names, jobs that ask for the same together
 * @param diagnosis why the first of them cannot
 */
public record NeverRun(List<String> jobs, String diagnosis) {
    /** Copies the list. */
    public NeverRun {
        jobs = List.copyOf(jobs);
    }

    /** Returns them, in the order of the jobs; none if all can run. */
    public static List<NeverRun> of(List<Node> nodes, List<TraceJob> jobs) {
        return of(nodes, jobs, "");
    }

    /**
     * Returns them, in the order of the jobs; none if all can run.
     *
     * @param gangsWithin see {@link ReplaySettings#gangsWithin}
     */
    public static List<NeverRun> of(List<Node> nodes, List<TraceJob> jobs, String gangsWithin) {
        NodeSizes sizes = NodeSizes.of(nodes);
        Cluster empty = Cluster.of(nodes);
        GpuScheduler scheduler = GpuScheduler.of(BinPack.of());
        Map<List<Object>, Optional<String>> known = new HashMap<>();
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (TraceJob listed : jobs) {
            TraceJob job = listed.on(sizes);
            known.computeIfAbsent(asked(job), any -> refusal(scheduler, empty, job, gangsWithin))
                    .ifPresent(diagnosis -> names.computeIfAbsent(diagnosis, any -> new ArrayList<>())
                            .add(job.name()));
        }
        List<NeverRun> never = new ArrayList<>();
        names.forEach((diagnosis, of) -> never.add(new NeverRun(of, diagnosis)));
        return never;
    }

    private static List<Object> asked(TraceJob job) {
        List<Object> asked = new ArrayList<>(List.of(job.others().size()));
        job.members().forEach(member -> {
            List<Container> containers = member.pod().containers();
            asked.add(List.of(
                    containers.get(0).resources(),
                    containers.get(0).gpu(),
                    member.pod().nodeSelector()));
        });
        return asked;
    }

    private static Optional<String> refusal(GpuScheduler scheduler, Cluster empty, TraceJob job, String gangsWithin) {
        Optional<String> first = Optional.empty();
        for (TraceJob form : job.forms()) {
            Optional<String> refusal = refusalOf(scheduler, empty, form, gangsWithin);
            if (refusal.isEmpty()) {
                return refusal;
            }
            first = first.isEmpty() ? refusal : first;
        }
        return first;
    }

    private static Optional<String> refusalOf(GpuScheduler scheduler, Cluster empty, TraceJob job, String gangsWithin) {
        Object decision = job.isGang()
                ? scheduler.schedule(empty, job.group(gangsWithin))
                : scheduler.schedule(empty, job.members().get(0).pod());
        return decision instanceof Unschedulable refused
                ? Optional.of(refused.diagnosis().toString())
                : Optional.empty();
    }
}
