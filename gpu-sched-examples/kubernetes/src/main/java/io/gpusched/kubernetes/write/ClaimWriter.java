package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.kubernetes.volume.VolumeBook;
import java.util.Map;

/** Tells volume claims the node of their first consumer, so that their volumes are made there. */
final class ClaimWriter {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;

    ClaimWriter(KubernetesClient client) {
        this.client = client;
    }

    void select(Binding binding) {
        String patch = client.getKubernetesSerialization()
                .asJson(Map.of(
                        "metadata",
                        Map.of(
                                "annotations",
                                Map.of(
                                        VolumeBook.SELECTED_NODE,
                                        binding.placement().node()))));
        for (String claim : binding.claims()) {
            client.persistentVolumeClaims()
                    .inNamespace(binding.pod().id().namespace())
                    .withName(claim)
                    .patch(MERGE, patch);
        }
    }
}
