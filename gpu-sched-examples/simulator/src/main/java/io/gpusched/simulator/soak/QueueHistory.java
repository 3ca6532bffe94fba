package io.gpusched.simulator.soak;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Topology;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.soak.QueueWorld.Arrival;
import io.gpusched.simulator.soak.QueueWorld.Change;
import io.gpusched.simulator.soak.QueueWorld.Event;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Plays what happens in a {@link QueueWorld}: one plan after the other is carried out, and each is judged by the checker. */
final class QueueHistory {
    private static final long TRIES = 300;
    private static final long LENGTH = 70;

    /** The planner, with what it remembers between plans. */
    interface Planner {
        Plan plan(QueueState state, long now);
    }

    private final QueueWorld world;
    private final Supplier<Planner> planners;
    private final Map<String, Arrival> arrivals = new LinkedHashMap<>();
    private final Map<PodId, Long> leaving = new HashMap<>();
    private Planner planner;
    private QueueState state;
    private int plans;
    private int steps;

    /**
     * What went wrong.
     *
     * @param law the first law that was broken, or the exception
     */
    record Failure(long time, String law, String words) {}

    private QueueHistory(QueueWorld world, Supplier<Planner> planners) {
        this.world = world;
        this.planners = planners;
        this.planner = planners.get();
        this.state = QueueState.of(Cluster.of(world.nodes()), QueueTree.of(world.queues()), List.of());
        world.jobs().forEach(arrival -> arrivals.put(arrival.job().name(), arrival));
    }

    /** What came of a world. */
    record Outcome(int plans, int steps, Optional<Failure> failure) {}

    /** Plays a world with the library's own cycle. */
    static Outcome play(QueueWorld world) {
        return play(world, () -> SchedulingCycle.of(world.settings(), GpuScheduler.create())::plan);
    }

    static Outcome play(QueueWorld world, Supplier<Planner> planners) {
        QueueHistory history = new QueueHistory(world, planners);
        Optional<Failure> failure = Optional.empty();
        for (long time = 0; time < LENGTH && failure.isEmpty(); time++) {
            failure = history.moment(time);
        }
        return new Outcome(history.plans, history.steps, failure);
    }

    /** A smallest world that fails in the same way. */
    static QueueWorld smallest(QueueWorld world, Function<QueueWorld, Outcome> play, Failure failure) {
        QueueWorld smallest = world;
        for (int count = Math.max(1, world.jobs().size() / 2); count > 0; count /= 2) {
            boolean found = true;
            while (found) {
                Optional<QueueWorld> next = smallest.smaller(count).stream()
                        .filter(smaller -> play.apply(smaller).failure().stream()
                                .anyMatch(same -> same.law().equals(failure.law())))
                        .findFirst();
                found = next.isPresent();
                smallest = next.orElse(smallest);
            }
        }
        return smallest;
    }

    private Optional<Failure> moment(long time) {
        boolean changed = false;
        for (Event event : world.events()) {
            if (event.time() == time) {
                happen(event);
                changed = true;
            }
        }
        for (Arrival arrival : world.jobs()) {
            if (arrival.job().spec().submitted() == time) {
                state = state.withJob(arrival.job());
                changed = true;
            }
        }
        changed |= complete(time);
        changed |= end(time);
        boolean due = state.jobs().stream()
                .anyMatch(
                        job -> job.reservation().filter(r -> r.start() <= time).isPresent());
        return changed || due || time % 7 == 0 ? plan(time) : Optional.empty();
    }

    private Optional<Failure> plan(long time) {
        QueueState before = state;
        try {
            Plan plan = planner.plan(before, time);
            plans++;
            steps += plan.steps().size();
            List<Violation> broken =
                    new ArrayList<>(Verifier.ofTries(TRIES).check(before, world.settings(), time, plan));
            if (broken.isEmpty()) {
                broken.addAll(Verifier.create().checkAgain(planners.get().plan(plan.after(), time)));
            }
            if (!broken.isEmpty()) {
                return Optional.of(new Failure(
                        time,
                        broken.get(0).law().name(),
                        broken + "\n  by " + plan.steps() + "\n  pending: " + plan.pending() + "\n  jobs before: "
                                + before.jobs() + "\n  cluster before: "
                                + before.cluster().placements()));
            }
            state = plan.after();
            for (Job job : state.jobs()) {
                Arrival arrival = arrival(job);
                job.terminating().forEach(placement -> leaving.putIfAbsent(placement.pod(), time + arrival.ends()));
            }
            return Optional.empty();
        } catch (IllegalArgumentException | IllegalStateException | NoSuchElementException e) {
            return Optional.of(new Failure(
                    time,
                    e.getClass().getSimpleName(),
                    e + " at " + e.getStackTrace()[0] + "\n  jobs before: " + before.jobs() + "\n  cluster before: "
                            + before.cluster().placements()));
        }
    }

    /** Jobs that have run for as long as they do are gone. */
    private boolean complete(long time) {
        QueueState next = state;
        for (Job job : state.jobs()) {
            boolean over = job.status().started().isPresent()
                    && job.status().started().getAsLong() + arrival(job).runs() <= time;
            if (over) {
                held(job).forEach(placement -> leaving.remove(placement.pod()));
                next = next.withoutJob(job.name());
            }
        }
        boolean changed = next.jobs().size() < state.jobs().size();
        state = next;
        return changed;
    }

    private Arrival arrival(Job job) {
        return Objects.requireNonNull(arrivals.get(job.name()), job.name());
    }

    private static List<Placement> held(Job job) {
        List<Placement> held = new ArrayList<>(job.running());
        held.addAll(job.terminating());
        return held;
    }

    /** Pods that were evicted long enough ago have ended. */
    private boolean end(long time) {
        List<PodId> ended = leaving.entrySet().stream()
                .filter(pod -> pod.getValue() <= time)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        leaving.keySet().removeAll(ended);
        state = state.withEnded(ended);
        return !ended.isEmpty();
    }

    private void happen(Event event) {
        Change change = event.change();
        if (change instanceof Change.Restarted) {
            planner = planners.get();
        } else if (change instanceof Change.Resized resized) {
            List<JobQueue> queues = new ArrayList<>();
            state.queues()
                    .queues()
                    .forEach(queue ->
                            queues.add(queue.name().equals(resized.queue().name()) ? resized.queue() : queue));
            state = state.withQueues(QueueTree.of(queues));
        } else if (change instanceof Change.Back) {
            Node node = world.nodes().stream()
                    .filter(each -> each.name().equals(event.name()))
                    .findFirst()
                    .orElseThrow();
            if (state.cluster().node(node.name()).isEmpty()) {
                state = state.withCluster(state.cluster().withNode(node));
            }
        } else if (change instanceof Change.Reordered reordered) {
            state = state.withQueues(QueueTree.of(reordered.queues()));
        } else if (change instanceof Change.Cancelled
                || change instanceof Change.Failed
                || change instanceof Change.Completed
                || change instanceof Change.Replaced) {
            state.jobs().stream()
                    .filter(job -> job.name().equals(event.name()))
                    .findFirst()
                    .ifPresent(job -> happen(job, change));
        } else {
            state.cluster().node(event.name()).ifPresent(node -> happen(node, change));
        }
    }

    private void happen(Job job, Change change) {
        if (change instanceof Change.Cancelled) {
            held(job).forEach(placement -> leaving.remove(placement.pod()));
            state = state.withoutJob(job.name());
        } else if (change instanceof Change.Replaced replaced) {
            state = state.withJobReplaced(replaced.spec());
            Set<PodId> left = new HashSet<>();
            state.jobs().forEach(each -> each.terminating().forEach(placement -> left.add(placement.pod())));
            leaving.keySet().retainAll(left);
        } else if (change instanceof Change.Completed) {
            job.running().stream()
                    .findFirst()
                    .ifPresent(placement -> state = state.withCompleted(List.of(placement.pod())));
        } else if (change instanceof Change.Failed failed) {
            int count = failed.all()
                    ? job.running().size()
                    : Math.min(1, job.running().size());
            job.running().subList(0, count).forEach(placement -> state = state.withBindFailed(placement.pod()));
        }
    }

    private void happen(NodeState node, Change change) {
        Cluster cluster = state.cluster();
        if (change instanceof Change.Lost) {
            node.placements().forEach(placement -> leaving.remove(placement.pod()));
            state = state.withNodeLost(node.name());
        } else if (change instanceof Change.Cordoned cordoned) {
            state = state.withCluster(cluster.withCordoned(node.name(), cordoned.cordoned()));
        } else if (change instanceof Change.Health health && health.gpu() < node.gpuCount()) {
            state = state.withCluster(cluster.withGpuHealth(node.name(), health.gpu(), health.healthy()));
        } else if (change instanceof Change.Tainted tainted) {
            Node.Builder plain = plain(node)
                    .labels(node.node().labels())
                    .topology(node.node().topology());
            tainted.taints().forEach(plain::taint);
            state = state.withCluster(cluster.withReplaced(plain.build()));
        } else if (change instanceof Change.Relabelled other) {
            Node.Builder plain = plain(node).label("disk", other.disk()).topology(Topology.of("rack", other.rack()));
            node.node().taints().forEach(plain::taint);
            state = state.withCluster(cluster.withReplaced(plain.build()));
        } else if (change instanceof Change.Came came) {
            GpuScheduler.create()
                    .place(node, came.pod())
                    .ifPresent(placement -> state = state.withCluster(cluster.with(placement)));
        } else if (change instanceof Change.Went went
                && cluster.placement(went.pod().id()).isPresent()) {
            state = state.withCluster(cluster.without(went.pod().id()));
        }
    }

    /** The node without labels, topology and taints. */
    private static Node.Builder plain(NodeState node) {
        Node.Builder plain = Node.builder(node.name())
                .mode(node.node().mode())
                .capacity(node.node().capacity())
                .maxPods(node.node().maxPods())
                .cordoned(node.isCordoned());
        node.node().gpus().forEach(plain::gpu);
        return plain;
    }
}
