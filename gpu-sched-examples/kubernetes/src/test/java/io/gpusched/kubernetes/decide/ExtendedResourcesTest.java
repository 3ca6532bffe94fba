package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.kubernetes.DeviceObjects;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.yaml.YamlReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that ask for extended resources of device classes are placed with a claim that stands for these. */
class ExtendedResourcesTest {
    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/gpu";

    private final FakeApi api = new FakeApi();
    private SchedulerState state = FakeApi.scheduler("nvidia");
    private List<Change> watch = api.watch();
    private long now = 1_000;

    @BeforeEach
    void putNode() {
        put(DeviceObjects.CLASS);
        put(DeviceObjects.slice("d0", 4));
        api.put(Manifests.node("d0", Map.of(), Map.of()));
    }

    private void put(String yaml) {
        watch.add(new Change.DevicesPut(YamlReader.parse("object", yaml).get(0), true));
    }

    private List<Binding> decide() {
        state.apply(List.copyOf(watch), now);
        watch.clear();
        now += 11_000;
        return state.decide(now).bindings();
    }

    private Binding decideOne() {
        List<Binding> bindings = decide();
        assertThat(bindings).hasSize(1);
        return bindings.get(0);
    }

    private static Binding.DeviceClaim claim(Binding binding) {
        assertThat(binding.devices()).hasSize(1);
        return binding.devices().get(0);
    }

    private static List<String> grants(Binding.DeviceClaim claim) {
        return claim.devices().orElseThrow().grants().stream()
                .map(ClaimAllocation.Grant::toString)
                .toList();
    }

    @Test
    void aPodThatNamesAClass_getsAClaimOfItsOwn_andNothingElseGetsItsDevices() {
        api.create(Manifests.pod("a", IMPLICIT, "3"));
        Binding.DeviceClaim claim = claim(decideOne());
        assertThat(claim.name()).isEqualTo("a-extended-resources-a101");
        assertThat(claim.uid()).isEmpty();
        assertThat(grants(claim))
                .containsExactly(
                        "container-0-request-1=gpu.nvidia.com/d0/gpu-0",
                        "container-0-request-1=gpu.nvidia.com/d0/gpu-1",
                        "container-0-request-1=gpu.nvidia.com/d0/gpu-2");
        assertThat(claim.extended().orElseThrow().mappings())
                .hasToString("[Mapping[container=main, resource=" + IMPLICIT + ", request=container-0-request-1]]");
        api.create(Manifests.pod("b", IMPLICIT, "2"));
        assertThat(decide()).isEmpty();
        api.create(Manifests.pod("c", IMPLICIT, "1"));
        assertThat(grants(claim(decideOne()))).containsExactly("container-0-request-1=gpu.nvidia.com/d0/gpu-3");
    }

    @Test
    void theNameThatAClassGives_isClaimed_unlessADevicePluginOffersIt() {
        put(DeviceObjects.CLASS.replace("spec: {", "spec: {extendedResourceName: nvidia.com/gpu, "));
        api.create(Manifests.pod("a", "nvidia.com/gpu", "1"));
        assertThat(grants(claim(decideOne()))).containsExactly("container-0-request-2=gpu.nvidia.com/d0/gpu-0");
        api.put(Manifests.node("plugin", Map.of(), Map.of("nvidia.com/gpu", "1")));
        api.create(Manifests.pod("b", "nvidia.com/gpu", "1"));
        Binding byPlugin = decideOne();
        assertThat(byPlugin.placement().node()).isEqualTo("plugin");
        assertThat(byPlugin.devices()).isEmpty();
        api.create(Manifests.pod("c", "nvidia.com/gpu", "1"));
        assertThat(decide()).isEmpty();
        api.removeNode("plugin");
        assertThat(grants(claim(decideOne()))).containsExactly("container-0-request-2=gpu.nvidia.com/d0/gpu-1");
    }

    @Test
    void theNodeHasItsGpus_whateverNameAClassGivesThem() {
        put(DeviceObjects.CLASS.replace("spec: {", "spec: {extendedResourceName: example.com/accelerator, "));
        api.create(Manifests.pod("a", "example.com/accelerator", "3"));
        assertThat(grants(claim(decideOne()))).hasSize(3);
        assertThat(state.cluster().node("d0").orElseThrow().gpuCount()).isEqualTo(4);
    }

    @Test
    void anInitContainer_usesTheDevicesOfTheContainersAfterIt_andTheRest() {
        Pod pod = new PodBuilder(Manifests.pod("a", IMPLICIT, "1"))
                .editSpec()
                .addNewInitContainer()
                .withName("init")
                .withNewResources()
                .addToLimits(IMPLICIT, new Quantity("3"))
                .endResources()
                .endInitContainer()
                .endSpec()
                .build();
        api.create(pod);
        Binding.DeviceClaim claim = claim(decideOne());
        assertThat(grants(claim))
                .hasSize(3)
                .filteredOn(grant -> grant.startsWith("container-0-request-0="))
                .hasSize(2);
        assertThat(claim.extended().orElseThrow().mappings())
                .extracting(mapping -> mapping.container() + " " + mapping.request())
                .containsExactly(
                        "main container-1-request-1", "init container-1-request-1", "init container-0-request-0");
    }

    @Test
    void aClaimThatWasMade_isUsedAfterARestart_withTheDevicesThatItHas() {
        api.create(Manifests.pod("a", IMPLICIT, "1"));
        put(DeviceObjects.allocated(
                        DeviceObjects.extended("made", api.pods.get("a"), "container-0-request-1", 1),
                        "d0",
                        List.of("gpu-3"))
                .replace("request: r,", "request: container-0-request-1,"));
        Binding binding = decideOne();
        assertThat(claim(binding).name()).isEqualTo("made");
        assertThat(claim(binding).uid()).isEqualTo("claim-made");
        assertThat(claim(binding).devices()).isEmpty();
        assertThat(claim(binding).extended()).isPresent();
        assertThat(binding.placement().node()).isEqualTo("d0");
        api.create(Manifests.pod("b", IMPLICIT, "3"));
        assertThat(grants(claim(decideOne()))).hasSize(3).noneMatch(grant -> grant.endsWith("gpu-3"));
    }

    @Test
    void aClaimThatWasMadeAndNotAllocated_isAllocated() {
        api.create(Manifests.pod("a", IMPLICIT, "1"));
        put(DeviceObjects.extended("made", api.pods.get("a"), "container-0-request-1", 1));
        Binding.DeviceClaim claim = claim(decideOne());
        assertThat(claim.name()).isEqualTo("made");
        assertThat(claim.uid()).isEqualTo("claim-made");
        assertThat(grants(claim)).containsExactly("container-0-request-1=gpu.nvidia.com/d0/gpu-0");
    }

    @Test
    void devicesOfAClaimThatWasNotMade_areFree_andThePodIsTriedAgain() {
        api.create(Manifests.pod("a", IMPLICIT, "4"));
        Binding lost = decideOne();
        watch.add(new Change.NotBound(lost.pod().id(), lost.pod().uid(), "lost", Set.of()));
        assertThat(grants(claim(decideOne()))).isEqualTo(grants(claim(lost)));
    }

    @Test
    void whatAPodHoldsByItsClaim_isHeldOnce_whoeverAllocatedIt() {
        api.create(Manifests.pod("a", IMPLICIT, "2"));
        Binding binding = decideOne();
        Binding.DeviceClaim claim = claim(binding);
        String allocated = DeviceObjects.allocated(
                        DeviceObjects.extended(claim.name(), api.pods.get("a"), "container-0-request-1", 2),
                        "d0",
                        List.of("gpu-0", "gpu-1"))
                .replace("request: r,", "request: container-0-request-1,");
        put(allocated);
        assertThat(api.bind(binding)).isEmpty();
        decide();
        assertThat(idle()).isEqualTo(2);
        state = FakeApi.scheduler("nvidia");
        watch = api.watch();
        put(DeviceObjects.CLASS);
        put(allocated);
        put(DeviceObjects.slice("d0", 4));
        decide();
        assertThat(idle()).isEqualTo(2);
    }

    private int idle() {
        return state.cluster().node("d0").orElseThrow().idleGpus();
    }
}
