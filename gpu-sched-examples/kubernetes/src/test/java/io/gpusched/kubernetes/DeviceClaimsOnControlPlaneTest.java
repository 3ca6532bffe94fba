package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodExtendedResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.manifests.yaml.YamlReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pods with resource claims on a real API server: claims are allocated, their pods bound, and all is read again after a restart. */
class DeviceClaimsOnControlPlaneTest {
    private static final String GROUP = "/apis/resource.k8s.io/v1/";
    private static final String CLAIMS = GROUP + "namespaces/default/resourceclaims";
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void install() throws IOException {
        plane.install("namespace", "kube");
    }

    @BeforeEach
    void createClass() {
        create(GROUP + "deviceclasses", DeviceObjects.CLASS);
    }

    @AfterEach
    void clean() {
        KubernetesClient client = plane.client();
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
        for (JsonNode claim : claims()) {
            String path = CLAIMS + "/" + claim.at("/metadata/name").asText();
            client.raw(path, "DELETE", null);
            JsonNode left = read(path);
            if (left != null) {
                client.raw(path, "PUT", withoutFinalizers(left));
            }
        }
        client.raw(GROUP + "deviceclasses", "DELETE", null);
        client.raw(GROUP + "resourceslices", "DELETE", null);
        Await.until("all is deleted", () -> calls.pods().isEmpty() && claims().isEmpty());
    }

    private static String withoutFinalizers(JsonNode object) {
        ((ObjectNode) object.get("metadata")).remove("finalizers");
        return object.toString();
    }

    private void create(String path, String yaml) {
        plane.client()
                .raw(
                        path,
                        "POST",
                        JSON.valueToTree(YamlReader.parse("object", yaml).get(0).plain())
                                .toString());
    }

    private void addNode(String name, int gpus) {
        plane.addNodes(Manifests.node(name, Map.of(), Map.of()));
        create(GROUP + "resourceslices", DeviceObjects.slice(name, gpus));
    }

    private void createClaim(String name, int count) {
        create(CLAIMS, DeviceObjects.claim(name, count));
    }

    private static JsonNode read(String path) {
        try {
            String text = plane.client().raw(path);
            return text == null ? null : JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<JsonNode> claims() {
        List<JsonNode> claims = new ArrayList<>();
        read(CLAIMS).path("items").forEach(claims::add);
        return claims;
    }

    /** The devices of all claims; one that two claims have fails the test. */
    private static Set<String> devices() {
        Set<String> all = new HashSet<>();
        for (JsonNode claim : claims()) {
            for (JsonNode one : claim.at("/status/allocation/devices/results")) {
                assertThat(all.add(one.path("pool").asText() + "/"
                                + one.path("device").asText()))
                        .as("device of two claims: " + one)
                        .isTrue();
            }
        }
        return all;
    }

    private static Pod pod(String name, String claim) {
        return DeviceObjects.user(name, claim);
    }

    /** With the rights that deploy/ gives, and none beside them. */
    private SchedulerProcess start() {
        return plane.run(plane.clientOf("gpu-sched-kube"), TestPlane.settings("nvidia"));
    }

    @Test
    void claimsAreAllocated_withTheirPodsAndProtection_andNoDeviceIsGivenTwice_overARestart() {
        addNode("n1", 4);
        SchedulerProcess first = start();
        createClaim("two", 2);
        calls.create(pod("a", "two"));
        calls.awaitBound("a");
        JsonNode claim = read(CLAIMS + "/two");
        assertThat(claim.at("/metadata/finalizers/0").asText()).isEqualTo("resource.kubernetes.io/delete-protection");
        assertThat(claim.at("/status/reservedFor/0/name").asText()).isEqualTo("a");
        assertThat(claim.at("/status/reservedFor/0/uid").asText())
                .isEqualTo(calls.get("a").getMetadata().getUid());
        assertThat(claim.at("/status/allocation/devices/config/0/source").asText())
                .isEqualTo("FromClass");
        assertThat(claim.at("/status/allocation/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0")
                        .asText())
                .isEqualTo("n1");
        assertThat(devices()).containsExactlyInAnyOrder("n1/gpu-0", "n1/gpu-1");

        first.close();
        createClaim("three", 3);
        createClaim("one", 1);
        calls.create(pod("b", "three"));
        calls.create(pod("c", "one"));
        calls.create(pod("also", "two"));
        start();
        calls.awaitBound("c", "also");
        calls.awaitPendingBecause("b", "GPU");
        assertThat(devices()).hasSize(3);
        assertThat(read(CLAIMS + "/two").at("/status/reservedFor")).hasSize(2);
        assertThat(calls.nodeOf("b")).isEmpty();
    }

    @Test
    void whatOthersAllocated_isHeld_andFreeAgainWhenTheyReleaseIt() {
        addNode("n1", 2);
        createClaim("others", 1);
        allocate("others", "gpu-0");
        start();
        createClaim("mine", 2);
        calls.create(pod("a", "mine"));
        calls.awaitPendingBecause("a", "GPU");
        JsonNode others = read(CLAIMS + "/others");
        ((ObjectNode) others).remove("status");
        plane.client().raw(CLAIMS + "/others/status", "PUT", others.toString());
        calls.awaitBound("a");
        assertThat(devices()).containsExactlyInAnyOrder("n1/gpu-0", "n1/gpu-1");
    }

    private void allocate(String claim, String device) {
        JsonNode object = read(CLAIMS + "/" + claim);
        JsonNode allocated = JSON.valueToTree(YamlReader.parse(
                        "object", DeviceObjects.allocated(DeviceObjects.claim(claim, 1), "n1", List.of(device)))
                .get(0)
                .plain());
        ((ObjectNode) object).set("status", allocated.get("status"));
        plane.client().raw(CLAIMS + "/" + claim + "/status", "PUT", object.toString());
    }

    @Test
    void aPodWaitsForTheClaimOfItsTemplate_andSaysSo() {
        addNode("n1", 1);
        start();
        Pod pod = pod("a", "x");
        pod.getSpec().getResourceClaims().get(0).setResourceClaimName(null);
        pod.getSpec().getResourceClaims().get(0).setResourceClaimTemplateName("t");
        calls.create(pod);
        calls.awaitPendingBecause("a", "the resource claim \"c\" is not made yet from template \"t\"");
        createClaim("made", 1);
        plane.client().pods().inNamespace("default").withName("a").editStatus(found -> {
            found.getStatus()
                    .setResourceClaimStatuses(List.of(new PodResourceClaimStatusBuilder()
                            .withName("c")
                            .withResourceClaimName("made")
                            .build()));
            return found;
        });
        calls.awaitBound("a");
        assertThat(devices()).containsExactly("n1/gpu-0");
    }

    @Test
    void whatIsNotHonoured_isSaidByName_andPodsThatAskByResource_takeNothingOfTheseNodes() {
        addNode("n1", 2);
        start();
        create(CLAIMS, DeviceObjects.claim("all", "{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}"));
        calls.create(pod("all", "all"));
        calls.awaitPendingBecause("all", "request default/all/r asks for all devices, which is not honoured");
        calls.create(Manifests.pod("resource", "nvidia.com/gpu", "1"));
        calls.awaitPendingBecause("resource", "");
        assertThat(calls.nodeOf("resource")).isEmpty();
    }

    private void createSelecting(String name, String expression) {
        String request =
                "{name: r, exactly: {deviceClassName: gpu, selectors: [{cel: {expression: \"" + expression + "\"}}]}}";
        create(CLAIMS, DeviceObjects.claim(name, request));
    }

    /** The API server takes it, and of a large cluster it would take minutes. */
    @Test
    void aClaimWhoseSelectorCostsMuch_isRefusedByName_andKeepsNoOtherWaiting() {
        addNode("n1", 2);
        start();
        String all = IntStream.range(0, 100).boxed().toList() + ".all";
        createSelecting("costly", all + "(x, " + all + "(y, x + y >= 0))");
        createSelecting("cheap", all + "(x, x >= 0)");
        calls.create(pod("costly", "costly"));
        calls.create(pod("cheap", "cheap"));
        calls.awaitBound("cheap");
        calls.awaitPendingBecause(
                "costly",
                "request default/costly/r: it costs more than 2000 to tell whether a selector accepts device"
                        + " gpu.nvidia.com/n1/gpu-0, which is not honoured");
    }

    /** The API server takes both: it does not evaluate them. Each of them ended a scheduler once. */
    @Test
    void aClaimWhoseSelectorWouldTakeAllMemory_keepsNoOtherWaiting() {
        addNode("n1", 2);
        SchedulerProcess kube = start();
        createSelecting("regex", "'a'.matches('(a{0,1000})' + '{0,1000}')");
        createSelecting("text", "cel.bind(x, '" + "a".repeat(9_000) + "', x.replace('a', x).size() > 0)");
        createSelecting("cheap", "device.driver == 'gpu.nvidia.com'");
        for (String name : List.of("regex", "text", "cheap")) {
            calls.create(pod(name, name));
        }
        calls.awaitBound("cheap");
        calls.awaitPendingBecause("regex", "its class and selectors accept no GPU");
        calls.awaitPendingBecause("text", "its class and selectors accept no GPU");
        assertThat(kube.isHealthy()).isTrue();
    }

    @Test
    void extendedResourcesOfClasses_areClaimedAsKubernetesDoes_andThePodKnowsItsClaim_overARestart() {
        create(
                GROUP + "deviceclasses",
                DeviceObjects.CLASS
                        .replace("{name: gpu}", "{name: whole}")
                        .replace("spec: {", "spec: {extendedResourceName: nvidia.com/gpu, "));
        addNode("n1", 4);
        SchedulerProcess first = start();
        calls.create(Manifests.pod("a", "nvidia.com/gpu", "2"));
        calls.awaitBound("a");
        Pod bound = calls.get("a");
        JsonNode claim = claims().get(0);
        assertThat(claims()).hasSize(1);
        assertThat(claim.at("/metadata/name").asText()).startsWith("a-extended-resources-");
        assertThat(claim.at("/metadata/generateName").asText()).isEqualTo("a-extended-resources-");
        assertThat(claim.at("/metadata/annotations/resource.kubernetes.io~1extended-resource-claim")
                        .asText())
                .isEqualTo("true");
        assertThat(claim.at("/metadata/ownerReferences/0/uid").asText())
                .isEqualTo(bound.getMetadata().getUid());
        assertThat(claim.at("/metadata/ownerReferences/0/controller").asBoolean())
                .isTrue();
        assertThat(claim.at("/status/reservedFor/0/uid").asText())
                .isEqualTo(bound.getMetadata().getUid());
        PodExtendedResourceClaimStatus status = bound.getStatus().getExtendedResourceClaimStatus();
        assertThat(status.getResourceClaimName())
                .isEqualTo(claim.at("/metadata/name").asText());
        assertThat(status.getRequestMappings())
                .containsExactly(
                        new ContainerExtendedResourceRequest("main", "container-0-request-2", "nvidia.com/gpu"));
        assertThat(devices()).containsExactlyInAnyOrder("n1/gpu-0", "n1/gpu-1");

        first.close();
        calls.create(Manifests.pod("b", "deviceclass.resource.kubernetes.io/gpu", "2"));
        start();
        calls.awaitBound("b");
        assertThat(devices()).hasSize(4);
        calls.create(Manifests.pod("c", "nvidia.com/gpu", "1"));
        calls.awaitPendingBecause("c", "GPU");
        assertThat(claims()).hasSize(2);
    }

    @Test
    void aGangThatSharesAClaim_startsOnTheNodeOfItsDevices() {
        addNode("n1", 2);
        addNode("n2", 2);
        start();
        createClaim("both", 2);
        create(
                "/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups",
                "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g, namespace: default},"
                        + " spec: {schedulingPolicy: {gang: {minCount: 3}}}}");
        List<String> names = List.of("m1", "m2", "m3");
        for (String name : names) {
            calls.create(new PodBuilder(pod(name, "both"))
                    .editSpec()
                    .withNewSchedulingGroup("g")
                    .endSpec()
                    .build());
        }
        calls.awaitBound("m1", "m2", "m3");
        assertThat(names.stream().map(calls::nodeOf).distinct()).hasSize(1);
        assertThat(devices()).hasSize(2);
        assertThat(read(CLAIMS + "/both").at("/status/reservedFor")).hasSize(3);
        plane.client().raw("/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups/g", "DELETE", null);
    }

    @Test
    void whateverBecomesOfWritesOfClaims_eachHasItsDevices_andNoDeviceIsOfTwo() throws IOException {
        addNode("n1", 8);
        FaultyProxy proxy = plane.startProxy();
        SchedulerProcess kube = plane.run(proxy.client(), TestPlane.settings("nvidia"));
        Await.until("it is ready", kube::isReady);
        proxy.on(FaultyProxy.anyFault(
                one -> one.path().contains("/resourceclaims/") && !one.method().equals("GET")));
        for (int i = 0; i < 8; i++) {
            createClaim("c" + i, 1);
            calls.create(pod("p" + i, "c" + i));
        }
        Await.until("all are bound", () -> calls.bound().size() == 8);
        assertThat(devices()).hasSize(8);
        for (int i = 0; i < 8; i++) {
            assertThat(read(CLAIMS + "/c" + i).at("/status/reservedFor/0/name").asText())
                    .isEqualTo("p" + i);
        }
    }

    @Test
    void fortyClaims_areServedByDevicesOfTheirOwn() {
        for (int i = 0; i < 10; i++) {
            addNode("n" + i, 8);
        }
        start();
        for (int i = 0; i < 40; i++) {
            createClaim("c" + i, 1 + i % 3);
            calls.create(pod("p" + i, "c" + i));
        }
        Await.until("all are bound", () -> calls.bound().size() == 40);
        assertThat(devices()).hasSize(79);
    }
}
