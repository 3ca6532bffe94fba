package io.gpusched.conformance.kai;

import io.gpusched.conformance.Difference;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.kubernetes.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the cases that start jobs and evict nothing, where no queue binds: each job gets the minimum of its groups, the jobs of
 * the highest priority and the oldest first, then one task more after the other.
 */
public final class KaiStarts {
    private static final Set<String> THEMES = Set.of("topology", "subgroups", "pod-affinity");

    private final VectorCase vector;
    private final List<KaiJob> jobs = new ArrayList<>();
    private final Map<String, String> nodes = new HashMap<>();

    private final GpuScheduler scheduler = GpuScheduler.create();
    private Cluster cluster = Cluster.of(List.of());

    private KaiStarts(VectorCase vector) {
        this.vector = vector;
    }

    /** Returns what becomes of a case of groups, topology or pod affinity that only starts jobs; nothing for any other. */
    public static Optional<Outcome> run(VectorCase vector) {
        boolean starts = vector.id().contains("allocate-");
        boolean themes = false;
        for (YamlNode theme : vector.field("themes").list()) {
            themes |= THEMES.contains(theme.text());
        }
        if (!starts || !themes) {
            return Optional.empty();
        }
        KaiStarts run = new KaiStarts(vector);
        for (YamlNode job : vector.field("jobs").list()) {
            Optional<KaiJob> read = KaiJob.read(job);
            if (read.isEmpty()) {
                return Optional.empty();
            }
            run.jobs.add(read.get());
        }
        run.jobs.sort(Comparator.comparingInt((KaiJob job) -> -job.priority()).thenComparingInt(KaiJob::order));
        run.start();
        return Optional.of(run.compare());
    }

    private void start() {
        cluster = KaiWorld.cluster(vector, jobs);
        for (KaiJob job : jobs) {
            job.tasks().forEach(task -> note(task.name(), task.node()));
        }
        List<KaiJob> started = new ArrayList<>();
        for (KaiJob job : jobs) {
            if (job.hasMinimum(this::runs) || startNext(job)) {
                started.add(job);
            }
        }
        for (KaiJob job : started) {
            while (startNext(job)) {}
        }
    }

    /** Starts what of a job starts next; false where nothing waits or it has no room. */
    private boolean startNext(KaiJob job) {
        Optional<PodGroup> next = job.next(this::runs);
        if (next.isPresent() && scheduler.schedule(cluster, next.get()) instanceof GroupPlaced placed) {
            cluster = cluster.withAll(placed.placements());
            placed.placements().forEach(this::note);
            return true;
        }
        return false;
    }

    private boolean runs(KaiJob.Task task) {
        return nodes.containsKey(task.name());
    }

    private void note(Placement placement) {
        note(placement.pod().toString(), placement.node());
    }

    private void note(String task, String node) {
        if (!node.isEmpty()) {
            nodes.put(task, node);
        }
    }

    private Outcome compare() {
        List<Difference> differences = new ArrayList<>();
        boolean isExchanged = false;
        for (KaiJob job : jobs) {
            Map<String, List<String>> expected = new HashMap<>();
            Map<String, List<String>> got = new HashMap<>();
            for (KaiJob.Task task : job.tasks()) {
                YamlNode wanted = wanted(job, task);
                if (!wanted.isPresent()) {
                    continue;
                }
                boolean waits = wanted.need("status").text().equals("pending");
                String is = nodes.getOrDefault(task.name(), "");
                String node = waits ? "pending" : wanted.at("node").textOr("somewhere");
                String found = is.isEmpty() ? "pending" : node.equals("somewhere") ? node : is;
                String key = task.podSet() + task.pod().containers();
                expected.computeIfAbsent(key, set -> new ArrayList<>()).add(node);
                got.computeIfAbsent(key, set -> new ArrayList<>()).add(found);
            }
            for (String key : expected.keySet()) {
                List<String> one = expected.get(key);
                List<String> other = got.getOrDefault(key, new ArrayList<>());
                if (!one.equals(other)) {
                    isExchanged = true;
                    Collections.sort(one);
                    Collections.sort(other);
                    if (!one.equals(other)) {
                        differences.add(new Difference("$.expected." + job.name(), one.toString(), other.toString()));
                    }
                }
            }
        }
        return differences.isEmpty() && isExchanged
                ? Outcome.passed("equal members of a pod set have each other's places")
                : Outcome.of(differences);
    }

    private YamlNode wanted(KaiJob job, KaiJob.Task task) {
        YamlNode expected = vector.field("expected");
        YamlNode own = expected.at("tasks").at(task.name());
        return own.isPresent() ? own : expected.at("jobs").at(job.name());
    }
}
