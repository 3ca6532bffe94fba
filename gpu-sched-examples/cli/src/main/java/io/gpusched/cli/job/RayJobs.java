package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * KubeRay ({@code ray.io}): the head and the workers of {@code spec.workerGroupSpecs[]}. With the autoscaler {@code minReplicas} of a
 * group must start, without it {@code replicas}; each of these is {@code numOfHosts} pods.
 */
final class RayJobs implements JobKind {
    /** A job of Kubernetes submits the Ray job. */
    private static final String BY_JOB = "K8sJobMode";

    @Override
    public String apiGroup() {
        return "ray.io";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("RayCluster", "RayJob", "RayService");
    }

    @Override
    public List<Gang> read(JobPods job) {
        job.refuseSuspended(job.spec());
        if (job.kind().equals("RayCluster")) {
            return List.of(cluster(job, job.spec(), ""));
        }
        if (job.kind().equals("RayService")) {
            return List.of(cluster(job, job.spec().need("rayClusterConfig"), ""));
        }
        job.refuse("spec.clusterSelector", job.spec().at("clusterSelector"), "it runs on a Ray cluster that exists");
        String mode = job.spec().at("submissionMode").textOr(BY_JOB);
        if (mode.equals(BY_JOB)) {
            job.warn(job.spec(), "the pod that submits the job starts after the cluster and is not placed");
        }
        return List.of(cluster(job, job.spec().need("rayClusterSpec"), mode));
    }

    private static Gang cluster(JobPods job, YamlNode spec, String mode) {
        job.refuseSuspended(spec);
        boolean scales = spec.at("enableInTreeAutoscaling").isTrue();
        List<Gang.Role> roles = new ArrayList<>();
        PodSource head =
                job.pod(job.name() + "-head", spec.need("headGroupSpec").need("template"));
        if (scales) {
            add(head, "autoscaler", autoscaler(job, spec.at("autoscalerOptions")));
        }
        if (mode.equals("SidecarMode")) {
            add(head, "ray-job-submitter", amounts("1", "1Gi", "500m", "200Mi"));
        }
        roles.add(new Gang.Role("head", 1, List.of(head)));
        for (YamlNode group : spec.at("workerGroupSpecs").list()) {
            if (!group.at("suspend").isTrue()) {
                roles.add(workers(job, group, scales));
            }
        }
        return Gang.of(job.name(), roles);
    }

    /** What the autoscaler's container requests. */
    private static ResourceRequirements autoscaler(JobPods job, YamlNode options) {
        YamlNode stated = options.at("resources");
        return stated.isPresent() ? job.resources(stated) : amounts("500m", "512Mi", "500m", "512Mi");
    }

    private static ResourceRequirements amounts(String cpuLimit, String memoryLimit, String cpu, String memory) {
        ResourceRequirements amounts = new ResourceRequirements();
        amounts.setLimits(Map.of("cpu", new Quantity(cpuLimit), "memory", new Quantity(memoryLimit)));
        amounts.setRequests(Map.of("cpu", new Quantity(cpu), "memory", new Quantity(memory)));
        return amounts;
    }

    /** Adds a container to the head, as the operator does. */
    private static void add(PodSource head, String name, ResourceRequirements resources) {
        Container container = new Container();
        container.setName(name);
        container.setResources(resources);
        List<Container> containers = new ArrayList<>(head.pod().getSpec().getContainers());
        containers.add(container);
        head.pod().getSpec().setContainers(containers);
    }

    private static Gang.Role workers(JobPods job, YamlNode group, boolean scales) {
        String name = group.need("groupName").text();
        int hosts = job.count(group.at("numOfHosts"), 1);
        int least = job.count(group.at("minReplicas"), 0);
        int most = group.at("maxReplicas").integerOr(JobPods.MAX_PODS);
        int wanted = Math.min(Math.max(job.count(group.at("replicas"), 0), least), Math.max(least, most));
        YamlNode template = group.need("template");
        List<PodSource> pods = new ArrayList<>();
        for (int i = 0; i < wanted; i++) {
            String replica = job.name() + "-" + name + "-worker-" + i;
            pods.addAll(hosts == 1 ? List.of(job.pod(replica, template)) : job.pods(replica, hosts, template));
        }
        return new Gang.Role(name, (scales ? least : wanted) * hosts, pods);
    }
}
