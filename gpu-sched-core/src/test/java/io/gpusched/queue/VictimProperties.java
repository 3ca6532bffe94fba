package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Who leaves for a job of higher priority, where GPUs are held whole, by shares and by partitions, and gangs must be close together:
 * compared with the cluster that all have left who may.
 */
class VictimProperties {
    private static final int NODES = 4;
    private static final int GPUS = 2;

    private static final Arbitrary<GpuRequest> REQUESTS = Arbitraries.of(
            GpuRequest.exclusive(1),
            GpuRequest.exclusive(2),
            GpuRequest.percent(30),
            GpuRequest.percent(60),
            GpuRequest.partition("3g.20gb", 1),
            GpuRequest.partition("1g.5gb", 1));

    /** A job that runs if it finds room; its last pods may be beyond the minimum. */
    record Resident(GpuRequest request, int pods, int minimum, int priority, Eviction eviction) {}

    @Provide
    Arbitrary<List<Resident>> residents() {
        return Combinators.combine(
                        REQUESTS,
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.of(Eviction.values()))
                .as((request, pods, minimum, priority, eviction) ->
                        new Resident(request, pods, Math.min(pods, minimum), priority, eviction))
                .list()
                .ofMaxSize(9);
    }

    @Provide
    Arbitrary<PodGroup> newcomers() {
        return Combinators.combine(
                        REQUESTS,
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.of(Locality.ANYWHERE, Locality.within("rack"), Locality.oneNode()))
                .as((request, pods, locality) ->
                        World.group("high", pods, request).withLocality(locality));
    }

    private static Node node(int i) {
        return World.node("n" + i, 0)
                .gpus(GPUS, World.A100, MigGeometry.A100_40GB.geometry())
                .topology(Topology.of("rack", "r" + i / 2))
                .build();
    }

    /** The state in which everybody runs who finds room. */
    private static QueueState full(List<Resident> residents) {
        World world = new World(
                IntStream.range(0, NODES).mapToObj(VictimProperties::node).toArray(Node[]::new));
        QueueState state = world.queue("q", NODES * GPUS).state();
        for (int i = 0; i < residents.size(); i++) {
            Resident resident = residents.get(i);
            PodGroup group =
                    World.group("j" + i, resident.pods(), resident.request()).withMinMember(resident.minimum());
            state = state.withJob(Job.pending(JobSpec.builder(group, "q")
                    .priority(resident.priority())
                    .eviction(resident.eviction())
                    .build()));
        }
        CycleSettings settings = CycleSettings.standard().withPasses(Set.of(CyclePass.ALLOCATE));
        return SchedulingCycle.of(settings, GpuScheduler.create())
                .plan(state, 0)
                .after();
    }

    private static Plan plan(QueueState full, PodGroup newcomer) {
        CycleSettings settings = CycleSettings.standard().withPasses(Set.of(CyclePass.ALLOCATE, CyclePass.PREEMPT));
        return SchedulingCycle.of(settings, GpuScheduler.create()).plan(full.withJob(high(newcomer)), 1);
    }

    private static Job high(PodGroup newcomer) {
        return Job.pending(
                JobSpec.builder(newcomer, "q").priority(9).submitted(1).build());
    }

    @Property(tries = 500)
    void eachVictimIsNeeded_noneIsOfThoseWhoStay_andARefusalIsTrue(
            @ForAll("residents") List<Resident> residents, @ForAll("newcomers") PodGroup newcomer) {
        QueueState full = full(residents);
        Plan plan = plan(full, newcomer);
        plan.after().cluster().validate();
        Cluster later = later(plan.after());
        List<PlanStep.Evict> ofHigh = plan.evictionsFor("high");
        assertThat(ofHigh)
                .allSatisfy(step ->
                        assertThat(mayLeave(World.job(full, step.job()))).contains(step.placement()));
        for (List<Placement> together : together(full, ofHigh)) {
            assertThat(fits(later, together)).as("needless: " + together).isFalse();
        }
        Optional<PendingReason> refused =
                plan.reason("high").filter(reason -> !(reason instanceof PendingReason.Nominated));
        boolean isPossible =
                GpuScheduler.create().schedule(emptied(full), newcomer).isPlaced();
        assertThat(refused.isPresent()).as(refused.toString()).isEqualTo(!isPossible);
        refused.ifPresent(reason -> assertThat(reason.certainty()).isEqualTo(Certainty.PROVEN));
    }

    private static Cluster emptied(QueueState state) {
        Cluster cluster = state.cluster();
        for (Job job : state.jobs()) {
            for (Placement placement : mayLeave(job)) {
                cluster = cluster.without(placement.pod());
            }
        }
        return cluster;
    }

    /** The members of a job that may leave for others. */
    private static List<Placement> mayLeave(Job job) {
        return switch (job.spec().eviction()) {
            case NEVER -> List.of();
            case EXTRAS -> extras(job);
            default -> job.running();
        };
    }

    /** The members beyond the minimum: the last ones. */
    private static List<Placement> extras(Job job) {
        int extras = Math.max(0, job.running().size() - job.group().minMember());
        return job.running()
                .subList(job.running().size() - extras, job.running().size());
    }

    /** Those that left one by one, and those that left as a whole. */
    private static List<List<Placement>> together(QueueState before, List<PlanStep.Evict> evictions) {
        Map<String, List<Placement>> ofJobs = new HashMap<>();
        for (PlanStep.Evict step : evictions) {
            ofJobs.computeIfAbsent(step.job(), job -> new ArrayList<>()).add(step.placement());
        }
        List<List<Placement>> all = new ArrayList<>();
        ofJobs.forEach((name, placements) -> {
            Job job = World.job(before, name);
            boolean isWhole = placements.size() == job.running().size();
            if (isWhole && job.spec().eviction() != Eviction.SINGLE) {
                all.add(placements);
            } else {
                placements.forEach(placement -> all.add(List.of(placement)));
            }
        });
        return all;
    }

    private static boolean fits(Cluster cluster, List<Placement> placements) {
        try {
            cluster.withAll(placements);
            return true;
        } catch (PlacementConflictException e) {
            return false;
        }
    }

    /** The cluster once everything has ended and what is nominated runs. */
    private static Cluster later(QueueState state) {
        Cluster cluster = state.cluster();
        for (Job job : state.jobs()) {
            for (Placement placement : job.terminating()) {
                cluster = cluster.without(placement.pod());
            }
        }
        for (Job job : state.jobs()) {
            cluster = cluster.withAll(job.nominated());
        }
        return cluster;
    }
}
