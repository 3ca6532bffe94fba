package consumer;

import io.gpusched.decision.Decision;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmGresDialect;
import io.gpusched.dialect.slurm.SlurmJob;
import io.gpusched.dialect.slurm.SlurmNode;
import io.gpusched.dialect.slurm.SlurmRequest;
import io.gpusched.json.JsonFormat;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.Experiment;
import io.gpusched.simulator.NamedPolicy;
import io.gpusched.simulator.PolicySummary;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.SchedulerPlacer;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.Workload;
import io.gpusched.workload.Pod;
import java.util.List;

/** A project that embeds gpu-sched, with its other artifacts. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Node node = SlurmNode.of("n1", 32, 100_000, SlurmGres.parseList("gpu:a100:4,mps:400"));
        SlurmJob job = SlurmRequest.gres("mps:50", 1).resolve();
        Pod part = SlurmGresDialect.pod(PodId.of("job-0"), Resources.of(1_000, 100), job.on(0));
        Cluster cluster = Cluster.of(List.of(node));
        Decision decision = GpuScheduler.of(SlurmGresDialect.policy()).schedule(cluster, part);
        cluster = cluster.with(decision.toPlacement().orElseThrow());
        Cluster again = JsonFormat.CLUSTER.read(JsonFormat.CLUSTER.write(cluster));
        System.out.println("same cluster: " + again.placements().equals(cluster.placements()));

        Workload workload = GeneratedWorkload.of(1, 0.02, 1);
        List<ArrivalSequence> arrivals = List.of(ArrivalSequence.shuffled(workload, 1, 1.0));
        NamedPolicy binPack = new NamedPolicy("bin-pack", (w, a, m) -> new SchedulerPlacer(GpuScheduler.create()));
        Experiment experiment = new Experiment(workload, arrivals, List.of(binPack));
        PolicySummary summary =
                PolicySummary.of(experiment.run(1, RunListener.NONE)).get(0);
        System.out.println("something allocated: " + (summary.allocatedPercent(100).mean() > 50));
        System.out.println("on the module path: " + Main.class.getModule().isNamed());
    }
}
