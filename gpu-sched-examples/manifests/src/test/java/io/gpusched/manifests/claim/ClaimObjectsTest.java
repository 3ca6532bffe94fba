package io.gpusched.manifests.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceTaint;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimObjectsTest {
    private static final DeviceId GPU = new DeviceId("gpu.nvidia.com", "n1", "gpu-0");

    private static ClaimObjects read(String yaml) {
        return ClaimObjects.of(YamlReader.parse("cluster.yaml", yaml));
    }

    private static String slice(String version, String body) {
        return """
                ---
                apiVersion: resource.k8s.io/%s
                kind: ResourceSlice
                metadata: {name: n1-gpu}
                spec:
                  driver: gpu.nvidia.com
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices:
                  - name: gpu-0
                %s
                """.formatted(version, body.indent(4));
    }

    private static final String BODY = """
            attributes: {type: {string: gpu}, index: {int: 3}, ok: {bool: true}, driverVersion: {version: 550.0.1}}
            capacity: {memory: {value: 40Gi}}
            """;

    @Test
    void slicesOfEachVersionOfTheApi_areReadAlike() {
        List<ResourceSlice> now = read(slice("v1", BODY)).slices();
        assertThat(read(slice("v1beta1", "basic:\n" + BODY.indent(2))).slices()).isEqualTo(now);
        Device gpu = now.get(0).devices().get(0);
        assertThat(gpu.attributes()).hasSize(4);
        assertThat(gpu.capacity().get("memory").value()).isEqualTo(DeviceAmount.of(40L << 30));
        assertThat(now.get(0).scope()).isEqualTo(new NodeScope.Named("n1"));
    }

    @Test
    void requestsOfEachVersionOfTheApi_areReadAlike() {
        String claim = """
                ---
                apiVersion: resource.k8s.io/%s
                kind: ResourceClaim
                metadata: {name: c, namespace: ml}
                spec:
                  devices:
                    requests:
                    - %s
                    constraints: [{matchAttribute: gpu.nvidia.com/numa}]
                """;
        String fields = "deviceClassName: gpu, count: 2, allocationMode: ExactCount,"
                + " tolerations: [{key: a, operator: Exists}], capacity: {requests: {memory: 1Gi}}";
        ClaimObjects now = read(claim.formatted("v1", "{name: r, exactly: {" + fields + "}}"));
        ClaimObjects old = read(claim.formatted("v1beta1", "{name: r, " + fields + "}"));
        assertThat(old.claims()).isEqualTo(now.claims()).containsOnlyKeys("ml/c");
        DeviceRequest asked = now.claims()
                .get("ml/c")
                .claim()
                .requests()
                .get(0)
                .alternatives()
                .get(0);
        assertThat(asked.count()).isEqualTo(2);
        assertThat(asked.tolerations()).hasSize(1);
        assertThat(asked.capacity()).containsEntry("memory", DeviceAmount.of(1L << 30));
    }

    @Test
    void whatIsAllocated_isInUse_butNotWhatAdministratorsLookInto() {
        ClaimObjects read = read("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: c, namespace: ml}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
                status:
                  reservedFor: [{resource: pods, name: a, uid: a}]
                  allocation:
                    devices:
                      results:
                      - {request: r, driver: gpu.nvidia.com, pool: n1, device: gpu-0}
                      - {request: r, driver: gpu.nvidia.com, pool: n1, device: gpu-1, adminAccess: true}
                      - {request: r, driver: gpu.nvidia.com, pool: n1, device: gpu-2, shareID: x, consumedCapacity: {memory: 1Gi}}
                """);
        assertThat(read.inUse().exclusive()).containsExactly(GPU);
        assertThat(read.inUse().shared()).extracting(DeviceId::device).containsExactly("gpu-2");
        assertThat(read.claims().get("ml/c").allocation())
                .get()
                .extracting(ClaimAllocation::grants)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .hasSize(3);
        assertThat(read.claims().get("ml/c").reservedFor()).containsExactly("a");
    }

    @Test
    void slicesOfAnOlderGeneration_doNotCount() {
        String old = slice("v1", BODY);
        String newer = old.replace("n1-gpu", "n1-gpu-2").replace("generation: 1", "generation: 2");
        assertThat(read(old + newer).slices()).extracting(ResourceSlice::name).containsExactly("n1-gpu-2");
    }

    @Test
    void aTaintRule_taintsTheDevicesThatItSelects_andNoneWithoutASelector() {
        String rule = """
                ---
                apiVersion: resource.k8s.io/v1beta2
                kind: DeviceTaintRule
                metadata: {name: r}
                spec: {%s taint: {key: broken, effect: NoSchedule}}
                """;
        assertThat(taints(rule.formatted("deviceSelector: {pool: n1},"))).containsExactly("broken:NO_SCHEDULE");
        assertThat(taints(rule.formatted("deviceSelector: {pool: n2},"))).isEmpty();
        assertThat(taints(rule.formatted(""))).isEmpty();
    }

    @Test
    void aTaintRuleThatComesAndGoes_taintsDevicesThatWereReadBefore() {
        ClaimObjects read = read(slice("v1", BODY));
        YamlNode rule = YamlReader.parse("rule.yaml", """
                apiVersion: resource.k8s.io/v1beta2
                kind: DeviceTaintRule
                metadata: {name: r}
                spec: {deviceSelector: {pool: n1}, taint: {key: broken, effect: NoSchedule}}
                """).get(0);
        read.put(rule);
        assertThat(taints(read)).containsExactly("broken:NO_SCHEDULE");
        read.remove(rule);
        assertThat(taints(read)).isEmpty();
    }

    private static List<String> taints(String rule) {
        return taints(read(slice("v1", BODY) + rule));
    }

    private static List<String> taints(ClaimObjects read) {
        return read.slices().get(0).devices().get(0).taints().stream()
                .map(DeviceTaint::toString)
                .toList();
    }

    @Test
    void anAmountThatIsNone_isAnErrorWithItsField() {
        assertThatThrownBy(() -> read(slice("v1", "capacity: {memory: {value: much}}")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("spec.devices[0].capacity.memory.value");
    }
}
