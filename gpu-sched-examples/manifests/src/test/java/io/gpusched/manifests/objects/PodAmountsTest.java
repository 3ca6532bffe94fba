package io.gpusched.manifests.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Resources;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a pod holds: of containers, of the pod as a whole, and while it runs and is resized. */
class PodAmountsTest {
    private static io.fabric8.kubernetes.api.model.Container container(String name, String cpu, String memory) {
        return container(name, Map.of("cpu", cpu, "memory", memory));
    }

    private static io.fabric8.kubernetes.api.model.Container container(String name, Map<String, String> requests) {
        ContainerBuilder container = new ContainerBuilder().withName(name);
        if (!requests.isEmpty()) {
            container.withNewResources().withRequests(amounts(requests)).endResources();
        }
        return container.build();
    }

    private static Map<String, Quantity> amounts(Map<String, String> texts) {
        Map<String, Quantity> amounts = new TreeMap<>();
        texts.forEach((name, text) -> amounts.put(name, new Quantity(text)));
        return amounts;
    }

    private static PodBuilder pod(io.fabric8.kubernetes.api.model.Container... containers) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .withContainers(containers)
                .endSpec();
    }

    /** One container of two cores and 1 GiB. */
    private static PodBuilder pod() {
        return pod(container("main", "2", "1Gi"));
    }

    @Test
    void initContainersThatRestartAlways_areSidecars() {
        Pod pod = pod().editSpec()
                .addToInitContainers(container("i", "1", "1Gi"))
                .addNewInitContainerLike(container("s", "1", "1Gi"))
                .withRestartPolicy("Always")
                .endInitContainer()
                .endSpec()
                .build();
        assertThat(ManifestReader.pod(pod).containers())
                .extracting(ContainerManifest::kind)
                .containsExactly(ContainerKind.INIT, ContainerKind.SIDECAR, ContainerKind.ORDINARY);
    }

    @Test
    void overhead_isReadAndRoundedUpOnce() {
        Pod pod = pod().editSpec()
                .addToOverhead("cpu", new Quantity("250m"))
                .addToOverhead("memory", new Quantity("1500Ki"))
                .endSpec()
                .build();
        assertThat(ManifestReader.pod(pod).overhead()).isEqualTo(Resources.of(250, 2));
    }

    @Test
    void whatPodLevelRequestsExceedTheContainersBy_isOverhead() {
        Pod pod = pod().editSpec()
                .withNewResources()
                .addToRequests("cpu", new Quantity("5"))
                .addToLimits("memory", new Quantity("8Gi"))
                .endResources()
                .addToOverhead("cpu", new Quantity("250m"))
                .endSpec()
                .build();
        assertThat(ManifestReader.pod(pod).overhead()).isEqualTo(Resources.of(3_250, 0));
    }

    @Test
    void podLevelLimits_countWhereNobodyRequests() {
        Pod pod = pod(container("main", Map.of()))
                .editSpec()
                .withNewResources()
                .addToLimits("memory", new Quantity("8Gi"))
                .endResources()
                .endSpec()
                .build();
        assertThat(ManifestReader.pod(pod).overhead()).isEqualTo(Resources.of(0, 8_192));
    }

    private static Resources held(Pod pod) {
        return DevicePluginDialect.of("nvidia.com/gpu")
                .pod(ManifestReader.runningPod(pod))
                .resources();
    }

    @Test
    void aRunningPod_holdsTheGreatestOfWhatItAsksWasGivenAndHas() {
        PodBuilder running = pod().withNewStatus()
                .addNewContainerStatus()
                .withName("main")
                .withAllocatedResources(Map.of("cpu", new Quantity("3")))
                .withNewResources()
                .addToRequests("memory", new Quantity("512Mi"))
                .endResources()
                .endContainerStatus()
                .endStatus();
        assertThat(held(running.build())).isEqualTo(Resources.of(3_000, 1_024));
        assertThat(ManifestReader.pod(running.build()).containers().get(0).requests())
                .containsEntry("cpu", "2");
    }

    @Test
    void aRunningPodWhoseStatusSaysWhatItAsks_readsAsOneThatWaits() {
        Pod running = pod().withNewStatus()
                .addNewContainerStatus()
                .withName("main")
                .withAllocatedResources(Map.of("cpu", new Quantity("2000m"), "memory", new Quantity("1024Mi")))
                .endContainerStatus()
                .endStatus()
                .build();
        assertThat(ManifestReader.runningPod(running)).isEqualTo(ManifestReader.pod(running));
    }

    @Test
    void whatOneContainerGivesBackWhileAnotherGrows_countsOnce() {
        Pod running = pod(container("grows", Map.of("cpu", "2")), container("shrinks", Map.of("cpu", "1")))
                .withNewStatus()
                .addNewContainerStatus()
                .withName("grows")
                .withAllocatedResources(Map.of("cpu", new Quantity("1")))
                .endContainerStatus()
                .addNewContainerStatus()
                .withName("shrinks")
                .withAllocatedResources(Map.of("cpu", new Quantity("2500m")))
                .endContainerStatus()
                .endStatus()
                .build();
        assertThat(held(running)).isEqualTo(Resources.of(3_500, 0));
    }

    @Test
    void whatAPodWasGivenAsAWhole_countsWhereItAsksAsAWhole() {
        PodBuilder running = pod().editSpec()
                .withNewResources()
                .addToRequests("cpu", new Quantity("4"))
                .endResources()
                .endSpec()
                .withNewStatus()
                .withNewResources()
                .addToRequests("cpu", new Quantity("6"))
                .endResources()
                .addToAllocatedResources("cpu", new Quantity("5"))
                .endStatus();
        assertThat(held(running.build())).isEqualTo(Resources.of(6_000, 1_024));
        Pod refused = running.editStatus()
                .withResources(new ResourceRequirementsBuilder()
                        .addToRequests("cpu", new Quantity("3"))
                        .build())
                .withAllocatedResources(Map.of("cpu", new Quantity("3500m"), "memory", new Quantity("2Gi")))
                .addNewCondition()
                .withType("PodResizePending")
                .withReason("Infeasible")
                .endCondition()
                .endStatus()
                .build();
        assertThat(held(refused)).isEqualTo(Resources.of(3_500, 2_048));
    }

    /** The kubelet reports all that the pod's own limits on the node come to. */
    @Test
    void whatAPodHasAsAWhole_countsForResourcesThatNobodyAsksFor_ifItAsksForOthersAsAWhole() {
        Pod running = pod(container("main", Map.of()))
                .editSpec()
                .withNewResources()
                .addToRequests("cpu", new Quantity("2"))
                .endResources()
                .endSpec()
                .withNewStatus()
                .withNewResources()
                .addToRequests("memory", new Quantity("512Mi"))
                .endResources()
                .endStatus()
                .build();
        assertThat(held(running)).isEqualTo(Resources.of(2_000, 512));
        running.getSpec().setResources(null);
        assertThat(held(running)).isEqualTo(Resources.NONE);
    }

    @Test
    void aResizeThatIsInfeasible_doesNotCount() {
        Pod running = pod().withNewStatus()
                .addNewContainerStatus()
                .withName("main")
                .withAllocatedResources(Map.of("cpu", new Quantity("1")))
                .endContainerStatus()
                .addNewCondition()
                .withType("PodResizePending")
                .withReason("Infeasible")
                .endCondition()
                .endStatus()
                .build();
        assertThat(held(running)).isEqualTo(Resources.of(1_000, 0));
    }

    @Test
    void aLimitOfThePodAsAWhole_goesBeforeRequestsOfHugePagesAlone() {
        Pod pod = pod(new ContainerBuilder(container("main", Map.of("cpu", "0", "hugepages-2Mi", "64Mi")))
                        .editResources()
                        .addToLimits("hugepages-2Mi", new Quantity("64Mi"))
                        .endResources()
                        .build())
                .editSpec()
                .withNewResources()
                .addToLimits("cpu", new Quantity("4"))
                .addToLimits("hugepages-2Mi", new Quantity("128Mi"))
                .endResources()
                .endSpec()
                .build();
        assertThat(ManifestReader.requests(pod)).isEqualTo(Map.of("hugepages-2Mi", BigDecimal.valueOf(128L << 20)));
    }
}
