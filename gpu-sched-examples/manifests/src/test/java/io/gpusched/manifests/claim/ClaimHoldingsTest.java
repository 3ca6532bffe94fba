package io.gpusched.manifests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.manifests.yaml.YamlReader;
import org.junit.jupiter.api.Test;

class ClaimHoldingsTest {
    private static final String SLICE = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: n1}
            spec:
              driver: gpu.nvidia.com
              nodeName: n1
              pool: {name: n1, generation: 1, resourceSliceCount: 1}
              devices:
              - {name: gpu-0, attributes: {uuid: {string: A}}}
              - {name: gpu-1, attributes: {uuid: {string: B}}}
            """;

    private static String claim(String name, String gpu) {
        return """
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s, namespace: ml}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
                status: {allocation: {devices: {results: [{request: r, driver: gpu.nvidia.com, pool: n1, device: %s}]}}}
                """.formatted(name, gpu);
    }

    private static Pod pod(String name, String claim) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("ml")
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .addNewContainer()
                .withName("main")
                .endContainer()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec()
                .build();
    }

    @Test
    void aPodIsTheSameObjectAgain_asLongAsItHoldsTheSame() {
        ClaimObjects objects =
                ClaimObjects.of(YamlReader.parse("c.yaml", SLICE + claim("a", "gpu-0") + claim("b", "gpu-1")));
        Node node =
                new NodeBuilder().withNewMetadata().withName("n1").endMetadata().build();
        PublishedGpus published = PublishedGpus.of(objects, objects.slices(), node);
        Pod first = pod("first", "a");
        Pod other = pod("other", "b");
        ClaimHoldings holdings = ClaimHoldings.of(objects, published);
        Pod before = holdings.holding(first);
        holdings.holding(other);
        holdings = holdings.again(published);
        assertThat(holdings.holding(first)).isSameAs(before);
        assertThat(holdings.holding(other).getMetadata().getAnnotations().toString())
                .contains("n1", "gpus");
        objects.put(YamlReader.parse("c.yaml", claim("a", "gpu-1")).get(0));
        holdings = holdings.again(published);
        assertThat(holdings.holding(first).getMetadata().getAnnotations())
                .isNotEqualTo(before.getMetadata().getAnnotations())
                .isNotEmpty();
        assertThat(holdings.holding(other).getMetadata().getAnnotations()).isNullOrEmpty();
        Pod changed = new PodBuilder(first)
                .editMetadata()
                .addToLabels("l", "v")
                .endMetadata()
                .build();
        assertThat(holdings.again(published).holding(changed).getMetadata().getLabels())
                .containsKey("l");
    }
}
