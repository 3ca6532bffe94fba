package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The API server stores objects of tenants that are nested deeper than most readers take: they keep no pod of others from starting. */
class HostileObjectsOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static final String DEVICES = "/apis/resource.k8s.io/v1/";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
    private static final String GROUPS = "/apis/scheduler.tensorstack.dev/v1beta1/namespaces/default/podgroups";

    private static KubernetesClient client;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        plane.install("namespace", "crds");
        Await.until("groups are served", () -> client.supports(GroupVocabulary.T9K.apiVersion(), "PodGroup"));
        plane.addNodes(t9kNode("n1", "xgn", 8));
    }

    private static void createHostile(String name) throws IOException {
        createPod(name);
        createClaim(name);
        createGroup(name);
    }

    /** Who wrote which field is for each client to say. */
    private static void createPod(String name) {
        String fields = "{\"f:a\":".repeat(2_000) + "{}" + "}".repeat(2_000);
        client.raw(
                PODS,
                "POST",
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name
                        + "\",\"managedFields\":[{\"manager\":\"m\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
                        + "\"fieldsType\":\"FieldsV1\",\"time\":\"2026-01-01T00:00:00Z\",\"fieldsV1\":" + fields
                        + "}]},\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"none\"}]}}");
    }

    private static void createClaim(String name) {
        client.raw(
                CLAIMS,
                "POST",
                "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\"metadata\":{\"name\":\"" + name
                        + "\"},\"spec\":{\"devices\":{\"requests\":[{\"name\":\"r\",\"exactly\":"
                        + "{\"deviceClassName\":\"gpu\"}}],\"config\":" + config(4_000) + "}}}");
    }

    private static String config(int depth) {
        return "[{\"opaque\":{\"driver\":\"example.com\",\"parameters\":" + nested(depth) + "}}]";
    }

    private static String nested(int depth) {
        return "{\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
    }

    private static void createClass(String name, int depth) throws IOException {
        ObjectNode object = JSON.valueToTree(
                YamlReader.parse("class", DeviceObjects.CLASS).get(0).plain());
        object.withObjectProperty("metadata").put("name", name);
        object.withObjectProperty("spec").set("config", JSON.readTree(config(depth)));
        client.raw(DEVICES + "deviceclasses", "POST", object.toString());
    }

    private static void createYaml(String path, String yaml) {
        client.raw(
                path,
                "POST",
                JSON.valueToTree(YamlReader.parse("object", yaml).get(0).plain())
                        .toString());
    }

    private static void createGroup(String name) throws IOException {
        String made = client.raw(
                GROUPS,
                "POST",
                "{\"apiVersion\":\"scheduler.tensorstack.dev/v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{\"name\":\""
                        + name + "\"},\"spec\":{\"minMember\":1}}");
        ObjectNode group = (ObjectNode) JSON.readTree(made);
        String status = "{\"a\":".repeat(2_000) + "1" + "}".repeat(2_000);
        String text = group.toString();
        client.raw(
                GROUPS + "/" + name + "/status",
                "PUT",
                text.substring(0, text.length() - 1) + ",\"status\":" + status + "}");
    }

    @Test
    void whatATenantNestsDeep_keepsNoPodFromStarting_whetherItIsThereBeforeTheSchedulerOrComesLater(
            @TempDir Path folder) throws Exception {
        createHostile("before");
        calls.create(pod("first", T9kDialect.GPU, "1"));
        Process kube = plane.startKube(folder, "--dialect=t9k");
        try {
            calls.awaitBound("first");
            createHostile("later");
            calls.create(pod("second", T9kDialect.GPU, "1"));
            calls.awaitBound("second");
        } finally {
            kube.destroyForcibly();
        }
    }

    /** What is left out of it would be missing in the driver, which knows nothing of that. */
    @Test
    void whatADriverIsTold_isHandedOnWholeHoweverDeepItIs_orTheClaimIsRefusedByName(@TempDir Path folder)
            throws Exception {
        plane.addNodes(Manifests.node("d1", Map.of("gpu-sched.io/dialect", "nvidia"), Map.of()));
        createYaml(DEVICES + "resourceslices", DeviceObjects.slice("d1", 2));
        createClass("gpu", 40);
        createClass("deep", 60);
        createClaim("whole");
        createYaml(CLAIMS, DeviceObjects.claim("cut", 1).replace("deviceClassName: gpu", "deviceClassName: deep"));
        calls.create(DeviceObjects.user("whole", "whole"));
        calls.create(DeviceObjects.user("cut", "cut"));
        Process kube = plane.startKube(folder, "--dialect=t9k,nvidia");
        try {
            calls.awaitBound("whole");
            String claim = client.raw(CLAIMS + "/whole");
            assertThat(claim.substring(claim.indexOf("\"allocation\""))).contains(nested(40), nested(4_000));
            calls.awaitPendingBecause(
                    "cut",
                    "spec.resourceClaims: resource claim default/cut is of device class deep, whose spec.config is"
                            + " nested deeper than 50 levels, which is not honoured");
        } finally {
            kube.destroyForcibly();
        }
    }
}
