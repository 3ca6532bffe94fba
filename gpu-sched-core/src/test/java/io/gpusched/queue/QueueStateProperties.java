package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A state that is made from another looks only at what differs, and accepts what one that is made from nothing accepts. */
class QueueStateProperties {
    private static final QueueTree QUEUES = QueueTree.of(
            List.of(JobQueue.builder("a").build(), JobQueue.builder("b").build()));

    @Property(tries = 200)
    void stateMadeFromAnother_isAcceptedWhereOneMadeFromNothingIs(@ForAll long seed) {
        Random random = new Random(seed);
        QueueState state = QueueState.of(new World(3, 8).state().cluster(), QUEUES, List.of());
        int accepted = 0;
        for (int step = 0; step < 60; step++) {
            Cluster cluster = state.cluster();
            List<Job> jobs = new ArrayList<>(state.jobs());
            for (int change = random.nextInt(3); change >= 0; change--) {
                cluster = changed(cluster, jobs, random);
            }
            Optional<QueueState> whole = accepted(state, cluster, jobs, false);
            Optional<QueueState> next = accepted(state, cluster, jobs, true);
            assertThat(next).isEqualTo(whole);
            accepted += next.isPresent() ? 1 : 0;
            state = next.orElse(state);
        }
        assertThat(accepted).isBetween(1, 59);
    }

    @Example
    void manyJobsThatGoAtOnce_areForgotten_andTheirNamesAndPodsAreFree() {
        List<Job> many =
                IntStream.range(0, 2_000).mapToObj(i -> job("j" + i, "a", i)).toList();
        QueueState state = QueueState.of(new World(1, 8).state().cluster(), QUEUES, many);
        List<Job> last = List.of(many.get(1_999));
        QueueState next = state.withJobs(last).withJob(many.get(0)).withJob(job("other", "b", 1));
        assertThat(next.jobs()).containsExactly(many.get(1_999), many.get(0), job("other", "b", 1));
        assertThat(next).isEqualTo(QueueState.of(next.cluster(), QUEUES, next.jobs()));
    }

    private static Optional<QueueState> accepted(QueueState state, Cluster cluster, List<Job> jobs, boolean isStep) {
        try {
            return Optional.of(isStep ? state.with(cluster, jobs) : QueueState.of(cluster, QUEUES, jobs));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Changes a list of jobs, and the cluster with it or not. */
    private static Cluster changed(Cluster cluster, List<Job> jobs, Random random) {
        int index = jobs.isEmpty() ? 0 : random.nextInt(jobs.size());
        int kind = random.nextInt(8);
        if (jobs.isEmpty() || kind < 2) {
            int pod = random.nextInt(12);
            String name = random.nextInt(8) == 0 ? "j" + random.nextInt(12) : "j" + pod;
            jobs.add(job(name, random.nextInt(20) == 0 ? "c" : "a", pod));
            return cluster;
        }
        Job job = jobs.get(index);
        PodId pod = job.group().pods().get(0).id();
        switch (kind) {
            case 2, 3 -> {
                boolean isTold = random.nextInt(6) > 0;
                boolean isCarriedOut = random.nextInt(6) > 0;
                Optional<Placement> place = GpuScheduler.create()
                        .place(
                                cluster.node("n" + random.nextInt(3)).orElseThrow(),
                                job.group().pods().get(0));
                boolean isPlaced = cluster.placement(pod).isPresent();
                if (place.isEmpty() || isPlaced && random.nextInt(6) > 0) {
                    return cluster;
                }
                if (isTold) {
                    jobs.set(index, job.withStatus(JobStatus.running(List.of(place.get()), 0)));
                }
                return isCarriedOut && !isPlaced ? cluster.with(place.get()) : cluster;
            }
            case 4 -> {
                jobs.remove(index);
                return random.nextInt(6) > 0 && cluster.placement(pod).isPresent() ? cluster.without(pod) : cluster;
            }
            case 5 -> {
                jobs.set(index, job.withStatus(JobStatus.PENDING));
                return random.nextInt(6) > 0 && cluster.placement(pod).isPresent() ? cluster.without(pod) : cluster;
            }
            case 6 -> {
                Collections.shuffle(jobs, random);
                return cluster;
            }
            default -> {
                return random.nextInt(3) == 0 && cluster.placement(pod).isPresent() ? cluster.without(pod) : cluster;
            }
        }
    }

    private static Job job(String name, String queue, int pod) {
        Pod member = World.group("p" + pod, 1, GpuRequest.exclusive(1)).pods().get(0);
        return Job.pending(
                JobSpec.builder(PodGroup.of(name, List.of(member)), queue).build());
    }
}
