package io.gpusched.cli.place;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.forecast.RunTime;
import io.gpusched.manifests.objects.ModelBinder;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * When pods end that run in a file of Kubernetes manifests. A pod ends at the latest when its own deadline or that of its Job is over and it
 * has had its grace, or when it is deleted; without a {@code status.startTime} its deadline counts from now, as an estimate.
 */
final class RunningEnds {
    /**
     * When a pod runs.
     *
     * @param started since when, in seconds of the epoch
     * @param runTime how long from then on
     */
    record End(long started, RunTime runTime) {}

    private final long now;

    /** By namespace and name, when a Job is ended by its deadline. */
    private final Map<String, Long> jobs = new HashMap<>();

    private RunningEnds(long now) {
        this.now = now;
    }

    /**
     * Returns the ends that are known.
     *
     * @param now the time, in seconds of the epoch
     * @throws InputException if a time is malformed
     */
    static Map<PodId, End> of(ClusterObjects objects, Cluster cluster, long now) {
        RunningEnds reader = new RunningEnds(now);
        ModelBinder binder = new ModelBinder(field -> {});
        objects.others().stream()
                .filter(object -> object.need("kind").text().equals("Job"))
                .filter(object -> object.at("apiVersion").textOr("batch/").startsWith("batch/"))
                .forEach(object -> reader.addJob(object, binder.bind(object, Job.class)));
        Map<PodId, End> ends = new LinkedHashMap<>();
        for (Pod pod : objects.pods()) {
            PodId id = SeenCluster.idOf(pod);
            if (cluster.placement(id).isPresent()) {
                End end = reader.end(pod, id);
                if (end.runTime().isKnown()) {
                    ends.put(id, end);
                }
            }
        }
        return ends;
    }

    private void addJob(YamlNode object, Job job) {
        String namespace = object.at("metadata").at("namespace").textOr(PodId.DEFAULT_NAMESPACE);
        String name = namespace + "/" + job.getMetadata().getName();
        OptionalLong started = time(
                "job " + name, job.getStatus() == null ? null : job.getStatus().getStartTime());
        Long deadline = job.getSpec() == null ? null : job.getSpec().getActiveDeadlineSeconds();
        if (started.isPresent() && deadline != null) {
            jobs.put(name, started.getAsLong() + deadline);
        }
    }

    private End end(Pod pod, PodId id) {
        String who = "pod " + id;
        OptionalLong known =
                time(who, pod.getStatus() == null ? null : pod.getStatus().getStartTime());
        RunTime own = RunTime.of(pod);
        long started = known.orElse(now);
        long latest = Long.MAX_VALUE;
        if (known.isPresent() && own.limit().isPresent()) {
            latest = started + own.limit().getAsLong();
        }
        for (OwnerReference owner : pod.getMetadata().getOwnerReferences()) {
            Long end = jobs.get(id.namespace() + "/" + owner.getName());
            if (end != null && "Job".equals(owner.getKind())) {
                latest = Math.min(latest, end + RunTime.grace(pod));
            }
        }
        latest = Math.min(
                latest, time(who, pod.getMetadata().getDeletionTimestamp()).orElse(latest));
        if (latest < Long.MAX_VALUE) {
            return new End(started, new RunTime(OptionalLong.of(Math.max(0, latest - started)), own.expected()));
        }
        return new End(started, own.asEstimate());
    }

    private static OptionalLong time(String of, @Nullable String text) {
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Instant.parse(text).getEpochSecond());
        } catch (DateTimeParseException e) {
            throw new InputException(
                    "the cluster", 0, "", of + ": a time must be like 2026-01-31T12:00:00Z, got \"" + text + "\"");
        }
    }
}
