package io.gpusched.cli.place;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.gpusched.cli.job.JobPods;
import io.gpusched.cli.job.PodSource;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the pods that a controller would make from its template, named {@code <name>-0}, {@code <name>-1}, ... or as it numbers them. */
final class PodTemplates {
    /** The kinds whose pods are made here. */
    static final List<String> KINDS =
            List.of("CronJob", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet");

    static final int MAX_PODS = JobPods.MAX_PODS;

    private final KubernetesFile file;
    private final Notes notes;

    PodTemplates(KubernetesFile file, Notes notes) {
        this.file = file;
        this.notes = notes;
    }

    /** Returns the pods of all controllers of the file. */
    List<PodSource> pods() {
        List<PodSource> pods = new ArrayList<>();
        for (String kind : KINDS) {
            for (YamlNode object : file.ofKind(kind)) {
                object.need("spec");
                pods.addAll(pods(kind, object));
            }
        }
        for (YamlNode object : file.templates()) {
            notes.warn(
                    object.at("kind"),
                    object.need("kind").text()
                            + " is not known; its pods are taken for spec.replicas, or one, of spec.template");
            YamlNode spec = object.need("spec");
            pods.addAll(pods(
                    object,
                    "replicas",
                    spec.at("replicas").integerOr(1),
                    0,
                    file.bind(object.need("metadata"), ObjectMeta.class),
                    file.template(spec.need("template"))));
        }
        return pods;
    }

    private List<PodSource> pods(String kind, YamlNode object) {
        return switch (kind) {
            case "Deployment" ->
                pods(
                        object,
                        Deployment.class,
                        owner -> owner.getSpec().getReplicas(),
                        owner -> owner.getSpec().getTemplate());
            case "ReplicaSet" ->
                pods(
                        object,
                        ReplicaSet.class,
                        owner -> owner.getSpec().getReplicas(),
                        owner -> owner.getSpec().getTemplate());
            case "ReplicationController" ->
                pods(
                        object,
                        ReplicationController.class,
                        owner -> owner.getSpec().getReplicas(),
                        owner -> owner.getSpec().getTemplate());
            case "StatefulSet" -> {
                refuse(object.at("spec"), "volumeClaimTemplates", "where volumes can be reached is not looked at");
                yield pods(object, file.bind(object, StatefulSet.class));
            }
            case "Job" -> {
                Job owner = file.bind(object, Job.class);
                yield pods(object, owner.getMetadata(), owner.getSpec());
            }
            default -> {
                CronJob owner = file.bind(object, CronJob.class);
                object.at("spec").need("jobTemplate").need("spec");
                if (Boolean.TRUE.equals(owner.getSpec().getSuspend())) {
                    refuse(object.at("spec"), "suspend", "a suspended cron job starts no jobs");
                }
                yield pods(
                        object,
                        owner.getMetadata(),
                        owner.getSpec().getJobTemplate().getSpec());
            }
        };
    }

    private <T extends HasMetadata> List<PodSource> pods(
            YamlNode object,
            Class<T> type,
            Function<T, @Nullable Integer> replicas,
            Function<T, @Nullable PodTemplateSpec> template) {
        T owner = file.bind(object, type);
        return pods(object, "replicas", replicas.apply(owner), 0, owner.getMetadata(), template.apply(owner));
    }

    /** The pods of a StatefulSet are numbered from where it says. */
    private List<PodSource> pods(YamlNode object, StatefulSet owner) {
        StatefulSetSpec spec = owner.getSpec();
        int first = spec.getOrdinals() == null
                ? 0
                : Objects.requireNonNullElse(spec.getOrdinals().getStart(), 0);
        return pods(object, "replicas", spec.getReplicas(), first, owner.getMetadata(), spec.getTemplate());
    }

    private List<PodSource> pods(YamlNode object, ObjectMeta metadata, JobSpec job) {
        if (Boolean.TRUE.equals(job.getSuspend())) {
            refuse(specOf(object), "suspend", "a suspended job starts no pods");
        }
        int parallel = Objects.requireNonNullElse(job.getParallelism(), 1);
        int wanted = Math.min(parallel, Objects.requireNonNullElse(job.getCompletions(), parallel));
        limit(job);
        return pods(object, "parallelism", wanted, 0, metadata, job.getTemplate());
    }

    /** No pod of a job outlives the job's deadline. */
    private static void limit(JobSpec job) {
        Long deadline = job.getActiveDeadlineSeconds();
        PodSpec pod = job.getTemplate() == null ? null : job.getTemplate().getSpec();
        if (deadline != null && pod != null) {
            Long own = pod.getActiveDeadlineSeconds();
            pod.setActiveDeadlineSeconds(own == null ? deadline : Long.valueOf(Math.min(own, deadline)));
        }
    }

    private void refuse(YamlNode spec, String field, String problem) {
        YamlNode at = spec.at(field);
        if (at.isPresent() && !notes.mayIgnore("spec." + field, at, problem)) {
            throw at.error(problem + ". Maybe go on without it: --ignore spec." + field);
        }
    }

    /** The spec that holds the pods' template. */
    private static YamlNode specOf(YamlNode object) {
        YamlNode spec = object.at("spec");
        return spec.at("jobTemplate").isPresent() ? spec.at("jobTemplate").at("spec") : spec;
    }

    private List<PodSource> pods(
            YamlNode object,
            String field,
            @Nullable Integer count,
            int first,
            ObjectMeta owner,
            @Nullable PodTemplateSpec template) {
        int replicas = Objects.requireNonNullElse(count, 1);
        YamlNode at = specOf(object).need("template");
        if (replicas < 0 || replicas > MAX_PODS) {
            throw specOf(object).at(field).error("must be in 0.." + MAX_PODS + ", got " + replicas);
        }
        if (replicas == 0) {
            notes.warn(specOf(object).at(field), "is 0: there is no pod to place");
        }
        String name = file.name(object);
        List<PodSource> pods = new ArrayList<>();
        for (int i = 0; i < replicas; i++) {
            pods.add(new PodSource(
                    at, JobPods.pod(name + "-" + (first + i), owner.getNamespace(), Objects.requireNonNull(template))));
        }
        return pods;
    }
}
