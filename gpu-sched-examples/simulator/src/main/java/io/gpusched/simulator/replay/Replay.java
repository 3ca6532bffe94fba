package io.gpusched.simulator.replay;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.simulator.FragmentationMeter;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;

/**
 * One replay: jobs arrive, wait, run and end by their own times on one policy, while nodes fail, are drained and return.
 *
 * <p>Waiting jobs are tried in cycles, as schedulers do. A job is not tried again
 * before room was freed since one that asks for the same was refused. Not thread-safe; the result depends on the
 * arguments alone.
 */
public final class Replay {
    private static final int SLICES = 200;

    private final Scenario scenario;
    private final ReplaySettings settings;
    private final List<TraceJob> jobs;
    private final FragmentationMeter meter;
    private final UsageMeter usage;
    private final JobPlacer placer;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final TreeSet<Integer> waiting;
    private final Map<PodId, Integer> jobOf = new HashMap<>();
    private final Map<Integer, List<Placement>> runningOf = new HashMap<>();
    private final long[] startOf;
    private final long[] endOf;
    private final int[] shapeOf;
    private final int[] outOfService;
    /** Shapes that were refused since room was last freed: until then they need not be tried. */
    private final Set<Integer> refused = new HashSet<>();

    private final List<Long> waits = new ArrayList<>();

    private Cluster cluster;
    private Cluster atLastArrival;
    private int toArrive;
    private long usedMillis;
    private long fragments;
    private int running;
    private int restarts;
    private long decisions;
    private long nanos;
    private boolean changed;

    private Replay(Scenario scenario, PlacementPolicy policy, ReplaySettings settings) {
        this.scenario = scenario;
        this.settings = settings;
        this.jobs = scenario.jobs();
        this.meter = new FragmentationMeter(TypicalMix.of(scenario.pods()));
        this.usage = new UsageMeter(scenario.spanSeconds(), SLICES, scenario.gpuMillis());
        this.placer = new JobPlacer(policy, settings.gangsWithin());
        this.waiting =
                new TreeSet<>(Comparator.comparing(jobs::get, settings.order().comparator()));
        this.startOf = new long[jobs.size()];
        this.endOf = new long[jobs.size()];
        this.shapeOf = new int[jobs.size()];
        this.outOfService = new int[scenario.nodes().size()];
        this.cluster = Cluster.of(scenario.nodes());
        this.atLastArrival = cluster;
        this.toArrive = jobs.size();
        this.fragments = meter.weighed(cluster.nodes());
    }

    /** Replays the scenario on the event, on GPUs that are equally fast. */
    public static ReplayResult play(
            Scenario scenario,
            String name,
            PlacementPolicy policy,
            QueueOrder order,
            Disruptions disruptions,
            long seed) {
        return play(
                scenario, name, policy, ReplaySettings.DEFAULT.withOrder(order).withDisruptions(disruptions), seed);
    }

    /** Replays the scenario. */
    public static ReplayResult play(
            Scenario scenario, String name, PlacementPolicy policy, ReplaySettings settings, long seed) {
        Replay replay = new Replay(scenario, policy, settings);
        replay.prepare(settings.disruptions(), seed);
        replay.run();
        return new ReplayResult(
                name,
                seed,
                replay.waits,
                replay.waiting.size(),
                replay.restarts,
                replay.decisions,
                replay.nanos,
                replay.usage.samples(),
                replay.usage.slices(scenario.spanSeconds()),
                replay.atLastArrival);
    }

    private void prepare(Disruptions disruptions, long seed) {
        Map<List<Object>, Integer> shapes = new HashMap<>();
        for (int job = 0; job < jobs.size(); job++) {
            TraceJob it = jobs.get(job);
            List<Object> shape = List.of(
                    it.members().size(),
                    it.gpuMillis(),
                    it.others().size(),
                    it.members().get(0).pod().containers(),
                    it.members().get(0).pod().nodeSelector());
            shapeOf[job] = shapes.computeIfAbsent(shape, unused -> shapes.size());
            startOf[job] = -1;
            events.add(new Event(it.lifetime().arrivalSeconds(), Event.Kind.ARRIVE, job));
        }
        events.addAll(disruptions.events(scenario.nodes().size(), scenario.spanSeconds(), seed));
    }

    private void run() {
        while (!events.isEmpty()) {
            boolean isArriving = toArrive > 0;
            long cycleEnd = roundUp(events.element().seconds());
            while (!events.isEmpty() && events.element().seconds() <= cycleEnd) {
                Event event = events.remove();
                measureUntil(event.seconds());
                happen(event);
            }
            measureUntil(cycleEnd);
            if (changed) {
                startWaiting(cycleEnd);
                changed = false;
            }
            if (isArriving && toArrive == 0) {
                atLastArrival = cluster;
            }
        }
    }

    private long roundUp(long seconds) {
        long cycle = settings.cycleSeconds();
        return (seconds + cycle - 1) / cycle * cycle;
    }

    private void measureUntil(long seconds) {
        usage.until(seconds, (double) usedMillis, (double) fragments / meter.weight(), running, waiting.size());
    }

    private void happen(Event event) {
        int index = event.index();
        switch (event.kind()) {
            case ARRIVE -> {
                waiting.add(index);
                toArrive--;
                changed = true;
            }
            case END -> {
                if (endOf[index] == event.seconds()) {
                    stop(index);
                }
            }
            case FAIL -> fail(index);
            case DRAIN -> outOfService(index, 1);
            case RETURN -> outOfService(index, -1);
        }
    }

    private void outOfService(int node, int by) {
        outOfService[node] += by;
        cluster = cluster.withCordoned(scenario.nodes().get(node).name(), outOfService[node] > 0);
        freed();
    }

    private void freed() {
        refused.clear();
        changed = true;
    }

    private void fail(int node) {
        outOfService(node, 1);
        Set<Integer> lost = new TreeSet<>();
        for (Placement placement : state(scenario.nodes().get(node).name()).placements()) {
            Integer job = jobOf.get(placement.pod());
            if (job != null) {
                lost.add(job);
            }
        }
        for (int job : lost) {
            stop(job);
            restarts++;
            waiting.add(job);
        }
    }

    private void stop(int job) {
        TraceJob it = jobs.get(job);
        for (Placement placement : Objects.requireNonNull(runningOf.remove(job), it.name())) {
            jobOf.remove(placement.pod());
            NodeState before = state(placement.node());
            cluster = cluster.without(placement);
            fragments += meter.weighed(state(placement.node())) - meter.weighed(before);
        }
        usedMillis -= it.gpuMillis();
        running--;
        endOf[job] = -1;
        freed();
    }

    private void startWaiting(long now) {
        for (int job : List.copyOf(waiting)) {
            if (refused.contains(shapeOf[job])) {
                continue;
            }
            if (tryStart(job, now)) {
                waiting.remove(job);
            } else {
                refused.add(shapeOf[job]);
            }
        }
    }

    private boolean tryStart(int job, long now) {
        TraceJob it = jobs.get(job);
        long before = System.nanoTime();
        Optional<List<Placement>> placements = placer.place(cluster, it);
        nanos += System.nanoTime() - before;
        decisions++;
        placements.ifPresent(all -> start(job, it, all, now));
        return placements.isPresent();
    }

    private void start(int job, TraceJob it, List<Placement> placements, long now) {
        runningOf.put(job, placements);
        for (Placement placement : placements) {
            jobOf.put(placement.pod(), job);
            NodeState before = state(placement.node());
            cluster = cluster.with(placement);
            fragments += meter.weighed(state(placement.node())) - meter.weighed(before);
        }
        usedMillis += it.gpuMillis();
        running++;
        if (startOf[job] < 0) {
            startOf[job] = now;
            waits.add(now - it.lifetime().arrivalSeconds());
        }
        long run = settings.speeds().seconds(it.lifetime().runSeconds(), placements, cluster);
        endOf[job] = now + Math.max(1, run);
        events.add(new Event(endOf[job], Event.Kind.END, job));
    }

    private NodeState state(String node) {
        return cluster.node(node).orElseThrow();
    }
}
