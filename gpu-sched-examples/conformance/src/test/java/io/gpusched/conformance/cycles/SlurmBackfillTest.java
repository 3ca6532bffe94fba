package io.gpusched.conformance.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmGresDialect;
import io.gpusched.dialect.slurm.SlurmNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What a real Slurm with its backfill plugin started, and when it planned to start the rest, as {@code slurm/record-backfill.py} recorded it. */
class SlurmBackfillTest {
    private static final long OPENED = 10_000;
    private static final long MIB_A_CPU = 100;

    /** Slurm starts several jobs one after the other, each in its second. */
    private static final long JITTER = 3;

    private static final JsonNode RECORDED = recorded();

    private static JsonNode recorded() {
        try (InputStream file = SlurmBackfillTest.class.getResourceAsStream("/slurm-backfill/recorded.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<JsonNode> scenarios() {
        return stream(RECORDED.get("scenarios"));
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    @Test
    void whoWaitsFirst_startsNoLaterThanSlurmPlans() {
        int[] waiting = {0};
        scenarios().forEach(scenario -> {
            Map<String, Long> starts = starts(scenario);
            for (int place = 0; place < scenario.get("queue").size(); place++) {
                JsonNode job = scenario.get("queue").get(place);
                if (!job.has("on")) {
                    waiting[0]++;
                    assertThat(starts.get("q" + place))
                            .as(name(scenario, place))
                            .isNotNull()
                            .isLessThanOrEqualTo(job.get("start").asLong(Long.MAX_VALUE));
                    return;
                }
            }
        });
        assertThat(waiting[0]).isEqualTo(124);
    }

    /** In both scenarios somebody before it in the queue would start later for it: earlier here than Slurm plans. */
    @Test
    void whatSlurmBackfills_startsHereToo_unlessSomebodyBeforeItWouldWaitForIt() {
        List<String> waiting = new ArrayList<>();
        scenarios().forEach(scenario -> {
            Map<String, Long> starts = starts(scenario);
            boolean isEarlier = false;
            for (int place = 0; place < scenario.get("queue").size(); place++) {
                JsonNode job = scenario.get("queue").get(place);
                long start = Objects.requireNonNull(starts.get("q" + place));
                if (job.has("on") && start > 0) {
                    waiting.add(name(scenario, place));
                    assertThat(isEarlier).as(name(scenario, place)).isTrue();
                }
                isEarlier |= start < job.get("start").asLong(0) - JITTER;
            }
        });
        assertThat(waiting).containsExactly("seed 9, job 2", "seed 108, job 3");
    }

    private static String name(JsonNode scenario, int place) {
        return "seed " + scenario.get("seed") + ", job " + place;
    }

    /** When each job of the queue starts or is told to start, in seconds after the partition was opened. */
    private static Map<String, Long> starts(JsonNode scenario) {
        List<Job> jobs = new ArrayList<>();
        Cluster cluster = Cluster.of(nodes());
        int place = 0;
        for (JsonNode job : scenario.get("running")) {
            Job running = running("r" + place++, job);
            cluster = cluster.withAll(running.running());
            jobs.add(running);
        }
        place = 0;
        for (JsonNode job : scenario.get("queue")) {
            jobs.add(Job.pending(job("q" + place, job).submitted(place++).build()));
        }
        SchedulingCycle cycle = SchedulingCycle.of(
                CycleSettings.standard()
                        .withPasses(Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL))
                        .withReservations(CycleSettings.ALL),
                GpuScheduler.of(SlurmGresDialect.policy()));
        QueueTree queues = QueueTree.of(List.of(JobQueue.builder("all").build()));
        Plan plan = cycle.plan(QueueState.of(cluster, queues, jobs), OPENED);
        Map<String, Long> starts = new HashMap<>();
        plan.bindings().forEach(bind -> starts.put(bind.job(), 0L));
        for (PendingJob pending : plan.pending()) {
            if (pending.reason() instanceof PendingReason.Reserved reserved) {
                starts.put(pending.job(), reserved.start() - OPENED);
            }
        }
        return starts;
    }

    private static List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        RECORDED.get("nodes")
                .properties()
                .forEach(node -> nodes.add(SlurmNode.of(
                        node.getKey(),
                        node.getValue().get("cpus").asLong(),
                        100_000,
                        List.of(new SlurmGres(
                                SlurmGres.GPU,
                                node.getValue().get("type").asText(),
                                node.getValue().get("gpus").asLong())))));
        return nodes;
    }

    private static Job running(String name, JsonNode job) {
        List<Placement> placements = new ArrayList<>();
        job.get("on").properties().forEach(node -> {
            List<Integer> gpus = stream(node.getValue()).map(JsonNode::asInt).toList();
            GpuGrant grant = isWhole(job) ? new GpuGrant.WholeNode(gpus.size()) : new GpuGrant.Whole(gpus);
            placements.add(new Placement(
                    PodId.of(name + "-" + placements.size()),
                    node.getKey(),
                    resources(job),
                    List.of(ContainerGrant.of("main", grant))));
        });
        return new Job(
                job(name, job).build(),
                JobStatus.running(placements, OPENED + job.get("start").asLong()));
    }

    private static JobSpec.Builder job(String name, JsonNode job) {
        List<Pod> pods = new ArrayList<>();
        for (int node = 0; node < job.get("nodes").asInt(); node++) {
            PodId id = PodId.of(name + "-" + node);
            Pod pod = isWhole(job)
                    ? Pod.of(id.toString(), Resources.NONE, new GpuRequest.WholeNode(GpuSelector.ANY))
                    : SlurmGresDialect.pod(id, resources(job), List.of(gres(job)));
            pods.add(job.get("nodes").asInt() == 1 ? pod : pod.withRules(apart(name)));
        }
        return JobSpec.builder(PodGroup.of(name, pods), "all")
                .maxDuration(job.get("limit").asLong());
    }

    /** Each part of a job is on a node of its own. */
    private static PodRules apart(String job) {
        LabelSelector own = new LabelSelector(
                List.of(new LabelSelector.Requirement("job", LabelSelector.Operator.IN, List.of(job))));
        return PodRules.NONE
                .withLabels(Map.of("job", job))
                .withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(own, NodeRequirement.NAME)));
    }

    private static SlurmGres gres(JsonNode job) {
        return new SlurmGres(
                SlurmGres.GPU, job.get("type").asText(), job.get("gpus").asLong());
    }

    private static boolean isWhole(JsonNode job) {
        return job.has("whole");
    }

    private static Resources resources(JsonNode job) {
        long cpus = isWhole(job) ? 0 : job.get("cpus").asLong();
        return Resources.of(cpus * 1_000, cpus * MIB_A_CPU);
    }
}
