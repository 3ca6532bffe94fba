package io.gpusched.cli.place;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Objects that run nothing, such as the Service and the ConfigMap that come with a Deployment: those of Kubernetes' own APIs but for
 * its kinds of workloads, and those of other APIs in which nothing looks like a workload or that only describe one.
 */
final class IdleKinds {
    /** Kinds of Kubernetes' own APIs that run pods, group them or run them on a machine. */
    private static final Set<String> BUSY = Set.of(
            "CronJob",
            "DaemonSet",
            "Deployment",
            "Job",
            "Node",
            "Pod",
            "PodGroup",
            "ReplicaSet",
            "ReplicationController",
            "StatefulSet",
            "Workload");

    /** Kinds that are known without the version of their API. */
    private static final Set<String> BARE = Set.of(
            "ClusterRole",
            "ClusterRoleBinding",
            "ConfigMap",
            "Ingress",
            "LimitRange",
            "Namespace",
            "NetworkPolicy",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "PodDisruptionBudget",
            "PriorityClass",
            "ResourceQuota",
            "Role",
            "RoleBinding",
            "RuntimeClass",
            "Secret",
            "Service",
            "ServiceAccount");

    /** Kinds of other APIs that describe pods which other objects run. */
    private static final Set<String> TEMPLATES = Set.of(
            "ClusterServingRuntime",
            "ClusterTrainingRuntime",
            "ClusterWorkflowTemplate",
            "ServingRuntime",
            "TrainingRuntime",
            "WorkflowTemplate");

    /** Fields of workloads. */
    private static final Set<String> WORK = Set.of(
            "container",
            "containers",
            "driver",
            "executor",
            "image",
            "instances",
            "minReplicas",
            "numNodes",
            "parallelism",
            "podSpec",
            "podTemplate",
            "predictor",
            "replicas",
            "resources",
            "resourcesPerNode",
            "tasks",
            "template");

    /** API groups of Kubernetes itself; others have names that end alike. */
    private static final Pattern OWN = Pattern.compile(
            "(admissionregistration|apiextensions|apiregistration|authentication"
                    + "|(rbac[.])?authorization|autoscaling|certificates|coordination|discovery|events|(flowcontrol|internal)[.]apiserver"
                    + "|metrics|(gateway[.])?networking|node|resource|scheduling|(snapshot[.])?storage|storagemigration)[.]k8s[.]io");

    private IdleKinds() {}

    static boolean runsNothing(YamlNode object) {
        String version = object.at("apiVersion").textOr("");
        String kind = object.need("kind").text();
        if (version.isEmpty()) {
            return BARE.contains(kind);
        }
        String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
        boolean isOwn = !group.contains(".") || OWN.matcher(group).matches();
        return isOwn ? !BUSY.contains(kind) : TEMPLATES.contains(kind) || !holdsWork(object);
    }

    private static boolean holdsWork(YamlNode value) {
        List<YamlNode> inner = value.elements() != null
                ? value.elements()
                : value.members() != null ? List.copyOf(value.members().values()) : List.of();
        return value.members() != null && value.members().keySet().stream().anyMatch(WORK::contains)
                || inner.stream().anyMatch(IdleKinds::holdsWork);
    }
}
