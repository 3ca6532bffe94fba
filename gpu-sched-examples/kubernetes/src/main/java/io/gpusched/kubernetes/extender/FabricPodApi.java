package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Optional;

/** Asks the API server through fabric8's client. */
final class FabricPodApi implements PodApi {
    private final KubernetesClient client;

    FabricPodApi(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public Optional<Pod> get(PodId id) {
        return Optional.ofNullable(
                client.pods().inNamespace(id.namespace()).withName(id.name()).get());
    }

    @Override
    public void bind(Binding binding) {
        String path = "/api/v1/namespaces/" + binding.getMetadata().getNamespace() + "/pods/"
                + binding.getMetadata().getName() + "/binding";
        client.raw(path, "POST", client.getKubernetesSerialization().asJson(binding));
    }

    @Override
    public List<PodDisruptionBudget> budgets(String namespace) {
        return client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .list()
                .getItems();
    }
}
