package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.DeviceObjects;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.yaml.YamlReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods with claims while drivers publish devices, and classes change. */
class PublishedDevicesTest {
    private final FakeApi api = new FakeApi();
    private final SchedulerState state = FakeApi.scheduler("nvidia");
    private final List<Change> watch = api.watch();
    private long now = 1_000;

    @BeforeEach
    void putPod() {
        put(DeviceObjects.CLASS);
        put(DeviceObjects.claim("c", 1));
        api.put(Manifests.node("d0", Map.of(), Map.of()));
        api.create(DeviceObjects.user("a", "c"));
    }

    private void put(String yaml) {
        watch.add(new Change.DevicesPut(YamlReader.parse("object", yaml).get(0), true));
    }

    private List<String> started() {
        state.apply(List.copyOf(watch), now);
        watch.clear();
        now += 11_000;
        return state.decide(now).bindings().stream()
                .map(binding ->
                        binding.pod().id().name() + " on " + binding.placement().node())
                .toList();
    }

    @Test
    void aPodStarts_onceASliceWithoutDevicesMakesThePoolWhole() {
        put(DeviceObjects.slice("d0", 1).replace("resourceSliceCount: 1", "resourceSliceCount: 2"));
        assertThat(started()).isEmpty();
        put("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: d0-counters}, spec: {driver:"
                + " gpu.nvidia.com, nodeName: d0, pool: {name: d0, generation: 1, resourceSliceCount: 2}, sharedCounters:"
                + " [{name: s, counters: {memory: {value: 80Gi}}}]}}");
        assertThat(started()).containsExactly("a on d0");
    }

    @Test
    void aPodStarts_onANodeWhoseDevicesAreSaidOnlyAfterItsRequestWasRead() {
        put(DeviceObjects.claim("c", 2));
        put(DeviceObjects.slice("d1", 1));
        api.put(Manifests.node("d1", Map.of(), Map.of()));
        assertThat(started()).isEmpty();
        put(DeviceObjects.slice("d0", 2));
        assertThat(started()).containsExactly("a on d0");
    }

    @Test
    void aPodStarts_onceItsClassAcceptsADevice() {
        put(DeviceObjects.slice("d0", 1));
        put(DeviceObjects.CLASS.replace("== 'gpu'", "== 'none'"));
        assertThat(started()).isEmpty();
        put(DeviceObjects.CLASS);
        assertThat(started()).containsExactly("a on d0");
    }

    @Test
    void aPodStarts_onceAnEvenLargerGpuIsPublishedInPlaceOfAnother() {
        put(DeviceObjects.claim(
                "c",
                "{name: r, exactly: {deviceClassName: gpu, selectors: [{cel: {expression:"
                        + " \"device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('100Gi')) > 0\"}}]}}"));
        put(DeviceObjects.slice("d0", 1));
        assertThat(started()).isEmpty();
        put(DeviceObjects.slice("d0", 1).replace("80Gi", "141Gi"));
        assertThat(started()).containsExactly("a on d0");
    }
}
