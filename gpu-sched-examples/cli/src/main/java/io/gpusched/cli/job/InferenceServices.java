package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * KServe's InferenceService ({@code serving.kserve.io}): its predictor, transformer and explainer are pods, {@code minReplicas} of each,
 * and each starts by itself; with {@code workerSpec} a replica of the predictor is a gang of its head and workers.
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
        roles.add(new Gang.Role("head", 1, List.of(job.made(name, component, template(job, component)))));
        YamlNode worker = component.at("workerSpec");
        if (worker.isPresent()) {
            int parallel = worker.at("pipelineParallelSize").integerOr(2);
            int workers = Math.max(1, job.count(worker.at("size"), parallel - 1));
            List<PodSource> pods = new ArrayList<>();
            for (int i = 1; i <= workers; i++) {
                pods.add(job.made(name + "-worker-" + i, worker, template(job, worker)));
            }
            roles.add(new Gang.Role("worker", workers, pods));
        }
        return Gang.of(name, roles);
    }

    /** The component is a pod's spec, whose model is one more container. */
    private static PodTemplateSpec template(JobPods job, YamlNode component) {
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
            Container bare = new Container();
            bare.setName("kserve-container");
            containers.add(bare);
        }
        template.getSpec().setContainers(containers);
        return template;
    }
}
