package io.gpusched.manifests.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.PodManifest;
import io.gpusched.workload.LabelSelector;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestReaderTest {
    private static io.fabric8.kubernetes.api.model.Container container(String name, String cpu, String memory) {
        return new ContainerBuilder()
                .withName(name)
                .withNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .addToRequests("memory", new Quantity(memory))
                .endResources()
                .build();
    }

    private static PodBuilder pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .addToContainers(container("main", "2", "1Gi"))
                .endSpec();
    }

    private static NodeBuilder node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .endMetadata()
                .withNewStatus()
                .addToCapacity("cpu", new Quantity("8"))
                .addToCapacity("memory", new Quantity("8Gi"))
                .endStatus();
    }

    @Test
    void whatANodeDoesNotAllocate_isNotThereForPods() {
        NodeBuilder node =
                node().editStatus().addToAllocatable("cpu", new Quantity("7")).endStatus();
        assertThat(ManifestReader.node(node.build()).allocatable()).isEqualTo(Map.of("cpu", "7"));
    }

    @Test
    void aNodeThatSaysNothingOfWhatItAllocates_allocatesItsCapacity() {
        assertThat(ManifestReader.node(node().build()).allocatable()).isEqualTo(Map.of("cpu", "8", "memory", "8Gi"));
    }

    @Test
    void aNodeOfTheApiServerThatStatesNoNumberOfPods_takesNone() {
        assertThat(ManifestReader.reportedNode(node().build()).allocatable())
                .isEqualTo(Map.of("cpu", "8", "memory", "8Gi", "pods", "0"));
        Node stating = node().editStatus()
                .addToCapacity("pods", new Quantity("3"))
                .endStatus()
                .build();
        assertThat(ManifestReader.reportedNode(stating).allocatable()).containsEntry("pods", "3");
    }

    @ParameterizedTest
    @CsvSource({"1000000000000000000, true", "9223372036854775807, true", "9223372036854775808, false", "1_0, false"})
    void aComparisonWithAnyNumberOfSixtyFourBits_isLookedAt(String number, boolean matches) {
        Pod pod = pod().editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("gen")
                .withOperator("Lt")
                .withValues(number)
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
        assertThat(ManifestReader.pod(pod).nodeSelector().matches(Map.of("gen", "3")))
                .isEqualTo(matches);
    }

    @Test
    void whatTheApiServerMergedWhenThePodWasCreated_staysWhenItsLabelsChange() {
        Pod pod = pod().editMetadata()
                .withUid("u")
                .addToLabels("tenant", "new")
                .addToLabels("tier", "new")
                .endMetadata()
                .editSpec()
                .withNewAffinity()
                .withNewPodAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withMatchLabelKeys("tenant")
                .withMismatchLabelKeys("tier")
                .withNewLabelSelector()
                .addNewMatchExpression()
                .withKey("tenant")
                .withOperator("In")
                .withValues("old")
                .endMatchExpression()
                .addNewMatchExpression()
                .withKey("tier")
                .withOperator("NotIn")
                .withValues("old")
                .endMatchExpression()
                .endLabelSelector()
                .withTopologyKey("zone")
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAffinity()
                .endAffinity()
                .endSpec()
                .build();
        LabelSelector pods =
                ManifestReader.pod(pod).rules().affinity().required().get(0).pods();
        assertThat(pods.matches(Map.of("tenant", "old", "tier", "new"))).isTrue();
        assertThat(pods.matches(Map.of("tenant", "new", "tier", "x"))).isFalse();
    }

    @Test
    void aTermOfNothing_matchesNoNode() {
        Pod pod = pod().editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
        PodManifest manifest = ManifestReader.pod(pod);
        assertThat(manifest.nodeSelector().matches(Map.of())).isFalse();
        assertThat(manifest.nodeSelector().matches(Map.of("none", ""))).isFalse();
    }

    private static void assertBad(Pod pod, String path, String problem) {
        assertThatThrownBy(() -> ManifestReader.pod(pod))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith(path + ": ")
                .hasMessageContaining(problem);
    }

    @Test
    void whatTheApiServerWouldNotAccept_isAnErrorThatNamesTheField() {
        assertBad(new Pod(), "metadata.name", "must be there");
        assertBad(pod().withSpec(null).build(), "spec", "must be there");
        assertBad(pod().editSpec().withContainers().endSpec().build(), "spec.containers", "at least one");
        assertBad(
                pod().editSpec().addNewContainer().endContainer().endSpec().build(),
                "spec.containers[1].name",
                "must be there");
        assertBad(
                pod().editSpec()
                        .addNewToleration()
                        .withOperator("Lt")
                        .endToleration()
                        .endSpec()
                        .build(),
                "spec.tolerations[0].operator",
                "Exists or Equal, got \"Lt\"");
        assertBad(
                pod().editSpec()
                        .addNewToleration()
                        .withKey("k")
                        .withEffect("Never")
                        .endToleration()
                        .endSpec()
                        .build(),
                "spec.tolerations[0].effect",
                "NoExecute, NoSchedule, PreferNoSchedule, got \"Never\"");
        assertBad(pod().editMetadata().withName(" ").endMetadata().build(), "metadata", "name must not be blank");
    }

    @Test
    void anOperatorOfNodeAffinityThatDoesNotExist_isAnErrorThatNamesIt() {
        Pod pod = pod().editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("k")
                .withOperator("Near")
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
        assertBad(
                pod,
                "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
                        + ".matchExpressions[0].operator",
                "got \"Near\"");
    }

    @Test
    void aTaintWithoutAnEffect_isAnError() {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .endMetadata()
                .withNewSpec()
                .addNewTaint()
                .withKey("k")
                .endTaint()
                .endSpec()
                .build();
        assertThatThrownBy(() -> ManifestReader.node(node)).hasMessageStartingWith("spec.taints[0].effect: ");
    }
}
