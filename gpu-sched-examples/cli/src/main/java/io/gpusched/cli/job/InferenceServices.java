package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * KServe's InferenceService ({@code serving.kserve.io}): its predictor, transformer and explainer are pods, {@code minReplicas} of each,
 * and each starts by itself; with {@code workerSpec} a replica of the predictor is a gang of its head and workers, each with
 * {@code tensorParallelSize} GPUs. What the runtime of a model adds is not known here.
 */
final class InferenceServices implements JobKind {
    private static final List<String> COMPONENTS = List.of("predictor", "transformer", "explainer");

    @Override
    public String apiGroup() {
        return "serving.kserve.io";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("InferenceService");
    }

    @Override
    public List<Gang> read(JobPods job) {
        List<Gang> gangs = new ArrayList<>();
        for (String name : COMPONENTS) {
            YamlNode component = job.spec().at(name);
            if (component.isPresent()) {
                int replicas = job.count(component.at("minReplicas"), 1);
                for (int i = 0; i < replicas; i++) {
                    gangs.add(replica(job, job.name() + "-" + name + "-" + i, component));
                }
            }
        }
        return gangs;
    }

    private static Gang replica(JobPods job, String name, YamlNode component) {
        List<Gang.Role> roles = new ArrayList<>();
        YamlNode worker = component.at("workerSpec");
        int gpus = worker.at("tensorParallelSize").integerOr(0);
        roles.add(new Gang.Role("head", 1, List.of(job.made(name, component, template(job, component, gpus)))));
        if (worker.isPresent()) {
            int parallel = worker.at("pipelineParallelSize").integerOr(2);
            int workers = Math.max(1, job.count(worker.at("size"), parallel - 1));
            List<PodSource> pods = new ArrayList<>();
            for (int i = 1; i <= workers; i++) {
                pods.add(job.made(name + "-worker-" + i, worker, template(job, worker, gpus)));
            }
            roles.add(new Gang.Role("worker", workers, pods));
        }
        return Gang.of(name, roles);
    }

    /** The component is a pod's spec, whose model is one more container; the first container that its operator knows has the GPUs. */
    private static PodTemplateSpec template(JobPods job, YamlNode component, int gpus) {
        PodTemplateSpec template = new PodTemplateSpec();
        template.setSpec(job.podSpec(component));
        List<Container> containers = new ArrayList<>(template.getSpec().getContainers());
        for (Map.Entry<String, YamlNode> field : component.map().entrySet()) {
            boolean isModel = field.getValue().members() != null
                    && field.getValue().has("resources")
                    && !field.getKey().equals("workerSpec");
            if (isModel) {
                Container model = new Container();
                model.setName("kserve-container");
                model.setResources(job.resources(field.getValue().at("resources")));
                containers.add(model);
            }
        }
        if (containers.isEmpty()) {
            job.warn(component, "names no resources; what its serving runtime requests is not known here");
            Container bare = new Container();
            bare.setName("kserve-container");
            containers.add(bare);
        }
        if (gpus > 0) {
            giveGpus(containers.get(containers.size() - 1), gpus);
        }
        template.getSpec().setContainers(containers);
        return template;
    }

    /** The operator replaces the number of GPUs of whatever vendor that is there, and takes NVIDIA's where none is. */
    private static void giveGpus(Container container, int gpus) {
        ResourceRequirements asked = Objects.requireNonNullElseGet(container.getResources(), ResourceRequirements::new);
        Map<String, Quantity> limits = new HashMap<>(Objects.requireNonNullElse(asked.getLimits(), Map.of()));
        Map<String, Quantity> requests = new HashMap<>(Objects.requireNonNullElse(asked.getRequests(), Map.of()));
        String resource = limits.keySet().stream()
                .filter(name -> name.endsWith("/gpu"))
                .findFirst()
                .orElse("nvidia.com/gpu");
        limits.put(resource, new Quantity(String.valueOf(gpus)));
        requests.put(resource, new Quantity(String.valueOf(gpus)));
        asked.setLimits(limits);
        asked.setRequests(requests);
        container.setResources(asked);
    }
}
