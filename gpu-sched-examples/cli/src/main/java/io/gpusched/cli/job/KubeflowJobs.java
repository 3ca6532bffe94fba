package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Kubeflow's training jobs ({@code kubeflow.org}): each entry of {@code pytorchReplicaSpecs}, {@code mpiReplicaSpecs} or
 * {@code tfReplicaSpecs} is a role. All pods must start, or {@code runPolicy.schedulingPolicy.minAvailable} of them.
 */
final class KubeflowJobs implements JobKind {
    private static final Map<String, String> FIELDS = Map.of(
            "PyTorchJob", "pytorchReplicaSpecs",
            "MPIJob", "mpiReplicaSpecs",
            "TFJob", "tfReplicaSpecs",
            "XGBoostJob", "xgbReplicaSpecs",
            "PaddleJob", "paddleReplicaSpecs",
            "JAXJob", "jaxReplicaSpecs");

    @Override
    public String apiGroup() {
        return "kubeflow.org";
    }

    @Override
    public Set<String> kinds() {
        return FIELDS.keySet();
    }

    @Override
    public List<Gang> read(JobPods job) {
        YamlNode policy = job.spec().at("runPolicy");
        job.refuseSuspended(policy);
        List<Gang.Role> roles = new ArrayList<>();
        YamlNode specs = job.spec().need(FIELDS.getOrDefault(job.kind(), ""));
        int all = 0;
        for (Map.Entry<String, YamlNode> entry : specs.map().entrySet()) {
            String role = entry.getKey().toLowerCase(Locale.ROOT);
            int count = job.count(entry.getValue().at("replicas"), 1);
            all += count;
            List<PodSource> pods =
                    job.pods(job.name() + "-" + role, count, entry.getValue().need("template"));
            roles.add(new Gang.Role(role, 0, pods));
        }
        int least = job.minimum(policy.at("schedulingPolicy").at("minAvailable"), all);
        return List.of(Gang.of(job.name(), roles).withMinimum(least));
    }
}
