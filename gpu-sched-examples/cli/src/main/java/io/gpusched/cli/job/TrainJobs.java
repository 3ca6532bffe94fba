package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Kubeflow's TrainJob ({@code trainer.kubeflow.org}): {@code spec.trainer.numNodes} pods with {@code resourcesPerNode} each. What its
 * runtime adds, such as node selectors, is not known here.
 */
final class TrainJobs implements JobKind {
    @Override
    public String apiGroup() {
        return "trainer.kubeflow.org";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("TrainJob");
    }

    @Override
    public List<Gang> read(JobPods job) {
        job.refuseSuspended(job.spec());
        YamlNode trainer = job.spec().at("trainer");
        for (String field : List.of("podTemplateOverrides", "runtimePatches")) {
            job.refuse("spec." + field, job.spec().at(field), "changes of the runtime's pods are not read here");
        }
        job.warn(
                job.spec().at("runtimeRef"),
                "what the runtime \"" + job.spec().at("runtimeRef").at("name").textOr("")
                        + "\" adds to its pods is not known here; only spec.trainer is looked at");
        int nodes = job.count(trainer.at("numNodes"), 1);
        List<PodSource> pods = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            pods.add(job.made(job.name() + "-node-0-" + i, trainer, template(job, trainer)));
        }
        return List.of(Gang.of(job.name(), List.of(new Gang.Role("node", nodes, pods))));
    }

    private static PodTemplateSpec template(JobPods job, YamlNode trainer) {
        Container container = new Container();
        container.setName("node");
        container.setResources(job.resources(trainer.at("resourcesPerNode")));
        PodSpec spec = new PodSpec();
        spec.setContainers(List.of(container));
        PodTemplateSpec template = new PodTemplateSpec();
        template.setSpec(spec);
        return template;
    }
}
