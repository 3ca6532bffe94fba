package io.gpusched.examples.kubernetes;

import static io.gpusched.examples.kubernetes.Manifests.pod;
import static io.gpusched.examples.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.dialect.NamedDialect;
import io.gpusched.examples.kubernetes.group.GroupVocabulary;
import io.gpusched.examples.kubernetes.process.LeaseSettings;
import io.gpusched.examples.kubernetes.process.SchedulerProcess;
import io.gpusched.examples.kubernetes.process.SchedulerSettings;
import io.gpusched.examples.kubernetes.queue.Backoff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SchedulerOnControlPlaneTest {
    private static ControlPlane plane;
    private static KubernetesClient client;

    private final List<SchedulerProcess> processes = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Path programs = ControlPlane.programs().orElse(null);
        Assumptions.assumeTrue(
                programs != null,
                "no API server: gpu-sched-examples/control-plane/build makes one; .ci/run sets where it is");
        plane = ControlPlane.start(programs);
        client = plane.client();
    }

    @AfterAll
    static void stop() throws IOException {
        if (plane != null) {
            client.close();
            plane.close();
        }
    }

    @AfterEach
    void clean() {
        processes.forEach(SchedulerProcess::close);
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
        client.genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                .inNamespace("default")
                .delete();
        await(
                "all is deleted",
                () -> client.pods().list().getItems().isEmpty()
                        && client.nodes().list().getItems().isEmpty());
    }

    private static SchedulerSettings settings(String... dialects) {
        List<NamedDialect> named = List.of(dialects).stream()
                .map(name -> Dialects.find(name).orElseThrow())
                .toList();
        return SchedulerSettings.of(named)
                .withBackoff(new Backoff(100, 1_000))
                .withStatusInterval(Duration.ofMillis(200));
    }

    private SchedulerProcess run(SchedulerSettings settings) {
        try {
            SchedulerProcess process = SchedulerProcess.start(client, settings);
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Pod create(Pod pod) {
        return client.pods().resource(pod).create();
    }

    private static Pod get(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private static String nodeOf(String name) {
        return Objects.requireNonNullElse(get(name).getSpec().getNodeName(), "");
    }

    private static void awaitBound(String... names) {
        for (String name : names) {
            await("pod " + name + " is bound", () -> !nodeOf(name).isEmpty());
        }
    }

    private static String annotation(String pod, String key) {
        return Objects.requireNonNullElse(get(pod).getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(key, "");
    }

    private static void awaitPendingBecause(String pod, String words) {
        await("pod " + pod + " says: " + words, () -> condition(pod).contains(words));
    }

    private static String condition(String pod) {
        return get(pod).getStatus().getConditions().stream()
                .filter(one -> "PodScheduled".equals(one.getType()) && "False".equals(one.getStatus()))
                .map(PodCondition::getMessage)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }

    private static void addNodes(io.fabric8.kubernetes.api.model.Node... nodes) {
        for (io.fabric8.kubernetes.api.model.Node node : nodes) {
            ControlPlane.addReady(client, node);
        }
    }

    @Test
    void t9kPods_ofAllKinds_getTheirGpus() {
        addNodes(t9kNode("whole", "xgn", 4), t9kNode("node", "xgn", 2), t9kNode("shared", "sgn", 1));
        create(pod("exclusive", T9kDialect.GPU, "3"));
        create(pod("percent-60", T9kDialect.GPU_PERCENT, "60"));
        create(pod("percent-40", T9kDialect.GPU_PERCENT, "40"));
        create(pod("percent-1", T9kDialect.GPU_PERCENT, "1"));
        create(pod("all", T9kDialect.GPU_NODE, "1"));
        run(settings("t9k"));

        awaitBound("exclusive", "all");
        assertThat(nodeOf("exclusive")).isEqualTo("whole");
        assertThat(annotation("exclusive", "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES"))
                .isEqualTo("0,1,2");
        assertThat(nodeOf("all")).isEqualTo("node");
        assertThat(annotation("all", "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES"))
                .isEqualTo("all");
        await(
                "two of three shares are bound",
                () -> List.of("percent-60", "percent-40", "percent-1").stream()
                                .filter(name -> nodeOf(name).equals("shared"))
                                .count()
                        == 2);
        await(
                "xgn nodes are tainted",
                () -> client.nodes().withName("whole").get().getSpec().getTaints().stream()
                        .anyMatch(taint -> "sched.tensorstack.dev/xgn-mode".equals(taint.getKey())));
    }

    @Test
    void aPodThatFindsNoRoom_saysWhy_andIsBoundWhenARoomIsFreed() {
        addNodes(t9kNode("n1", "xgn", 2));
        create(pod("first", T9kDialect.GPU, "2"));
        run(settings("t9k"));
        awaitBound("first");
        create(pod("second", T9kDialect.GPU, "1"));
        awaitPendingBecause("second", "no room now on any of 1 node");
        await(
                "an event says so",
                () -> client.events().v1().events().inNamespace("default").list().getItems().stream()
                        .anyMatch(event -> "FailedScheduling".equals(event.getReason())
                                && "second".equals(event.getRegarding().getName())));

        client.pods()
                .inNamespace("default")
                .withName("first")
                .withGracePeriod(0)
                .delete();

        awaitBound("second");
    }

    @Test
    void podsOfThreeDialects_goToTheirNodes_withTheAnnotationsOfTheirSystems() {
        addNodes(
                Manifests.node(
                        "nano", Map.of("gpu-sched.io/dialect", "nano-gpu"), Map.of("nano-gpu/gpu-percent", "200")),
                Manifests.node(
                        "ali",
                        Map.of("gpu-sched.io/dialect", "gpushare"),
                        Map.of("aliyun.com/gpu-mem", "32", "aliyun.com/gpu-count", "2")),
                hamiNode());
        create(pod("nano", "nano-gpu/gpu-percent", "70"));
        create(pod("ali", "aliyun.com/gpu-mem", "10"));
        create(pod("hami", Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "3000")));
        run(settings("hami", "nano-gpu", "gpushare"));

        awaitBound("nano", "ali", "hami");
        assertThat(nodeOf("nano")).isEqualTo("nano");
        assertThat(annotation("nano", "nano-gpu/container-main")).isEqualTo("0");
        assertThat(nodeOf("ali")).isEqualTo("ali");
        assertThat(annotation("ali", "ALIYUN_COM_GPU_MEM_IDX")).isEqualTo("0");
        assertThat(nodeOf("hami")).isEqualTo("hami");
        assertThat(annotation("hami", "hami.io/vgpu-devices-allocated")).contains("GPU-a,NVIDIA");
    }

    private static io.fabric8.kubernetes.api.model.Node hamiNode() {
        io.fabric8.kubernetes.api.model.Node node = Manifests.node("hami", Map.of(), Map.of("nvidia.com/gpu", "10"));
        node.getMetadata()
                .setAnnotations(Map.of(
                        "hami.io/node-nvidia-register",
                        "[{\"id\":\"GPU-a\",\"index\":0,\"count\":10,\"devmem\":24576,\"devcore\":100,"
                                + "\"type\":\"NVIDIA-A10\",\"numa\":0,\"mode\":\"hami-core\",\"health\":true}]"));
        return node;
    }

    private static void createGroup(String name, int minimum, String topologyKey) {
        Map<String, Object> spec = new java.util.HashMap<>();
        spec.put("schedulingPolicy", Map.of("gang", Map.of("minCount", minimum)));
        if (!topologyKey.isEmpty()) {
            spec.put("schedulingConstraints", Map.of("topology", List.of(Map.of("key", topologyKey))));
        }
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion("scheduling.k8s.io/v1beta1");
        group.setKind("PodGroup");
        group.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName(name)
                .withNamespace("default")
                .build());
        group.setAdditionalProperty("spec", spec);
        client.genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                .inNamespace("default")
                .resource(group)
                .create();
    }

    private static Pod member(String name, String group, String gpus) {
        return new PodBuilder(pod(name, T9kDialect.GPU, gpus))
                .editSpec()
                .withNewSchedulingGroup(group)
                .endSpec()
                .build();
    }

    @Test
    void aGroupWithATopologyKey_startsInOneDomain_onceItsMinimumIsThere() {
        addNodes(
                t9kNode("a1", "xgn", 2, Map.of("rack", "a")),
                t9kNode("b1", "xgn", 2, Map.of("rack", "b")),
                t9kNode("b2", "xgn", 2, Map.of("rack", "b")));
        run(settings("t9k"));
        create(member("m1", "g", "2"));
        awaitPendingBecause("m1", "PodGroup \"g\" of scheduling.k8s.io/v1beta1 not found");
        createGroup("g", 2, "rack");
        awaitPendingBecause("m1", "minimum is 2, there are 1 pods");
        assertThat(nodeOf("m1")).isEmpty();

        create(member("m2", "g", "2"));

        awaitBound("m1", "m2");
        assertThat(List.of(nodeOf("m1"), nodeOf("m2"))).containsExactlyInAnyOrder("b1", "b2");
        await(
                "the group says that it has started",
                () -> String.valueOf(client.genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                                .inNamespace("default")
                                .withName("g")
                                .get()
                                .getAdditionalProperties()
                                .get("status"))
                        .contains("PodGroupInitiallyScheduled"));
    }

    @Test
    void aGroupThatDoesNotFit_isLeftAlone() {
        addNodes(t9kNode("n1", "xgn", 2));
        createGroup("big", 3, "");
        for (int i = 0; i < 3; i++) {
            create(member("big-" + i, "big", "1"));
        }
        run(settings("t9k"));
        awaitPendingBecause("big-0", "on any of 1 node");
        assertThat(nodeOf("big-0") + nodeOf("big-1") + nodeOf("big-2")).isEmpty();
    }

    @Test
    void aRestart_losesNothing_andBooksNothingTwice() {
        addNodes(t9kNode("n1", "sgn", 4), t9kNode("n2", "xgn", 4));
        run(settings("t9k"));
        for (int i = 0; i < 12; i++) {
            create(pod("share-" + i, T9kDialect.GPU_PERCENT, "30"));
        }
        awaitBound("share-3");
        processes.remove(0).close();
        for (int i = 0; i < 4; i++) {
            create(pod("whole-" + i, T9kDialect.GPU, "1"));
        }

        run(settings("t9k"));

        for (int i = 0; i < 12; i++) {
            awaitBound("share-" + i);
        }
        awaitBound("whole-0", "whole-1", "whole-2", "whole-3");
        assertThat(Bookings.overbooked(client)).isEmpty();
        create(pod("one-more", T9kDialect.GPU, "1"));
        awaitPendingBecause("one-more", "no room now");
    }

    @Test
    void ofTwoReplicas_oneSchedules_andTheOtherTakesOver() {
        addNodes(t9kNode("n1", "xgn", 4));
        SchedulerProcess first = run(settings("t9k").withLease(lease("one")));
        await("the first leads", first::isLeading);
        SchedulerProcess second = run(settings("t9k").withLease(lease("two")));
        create(pod("p1", T9kDialect.GPU, "2"));
        awaitBound("p1");
        assertThat(second.isLeading()).isFalse();
        assertThat(second.isReady()).isTrue();

        first.close();

        await("the second leads", second::isLeading);
        create(pod("p2", T9kDialect.GPU, "2"));
        awaitBound("p2");
        assertThat(Bookings.overbooked(client)).isEmpty();
    }

    private static LeaseSettings lease(String identity) {
        return new LeaseSettings(
                "default", "gpu-sched", identity, Duration.ofSeconds(4), Duration.ofSeconds(2), Duration.ofMillis(300));
    }

    @Test
    void aPodThatAsksForWhatIsNotHonoured_staysPending_namingTheField() {
        addNodes(t9kNode("n1", "xgn", 4));
        Pod pod = pod("claims", T9kDialect.GPU, "1");
        create(new PodBuilder(pod)
                .editSpec()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimName("some")
                .endResourceClaim()
                .endSpec()
                .build());
        run(settings("t9k"));
        awaitPendingBecause("claims", "spec.resourceClaims: devices claimed this way are not counted");
    }

    @Test
    void aGrantThatCannotBeRead_closesItsNode_andAnEventSaysSo() {
        addNodes(t9kNode("n1", "xgn", 4));
        Pod foreign = new PodBuilder(pod("foreign", T9kDialect.GPU, "1"))
                .editMetadata()
                .addToAnnotations("gpu-sched.io/grant", "{\"version\":7}")
                .endMetadata()
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
        create(foreign);
        run(settings("t9k"));
        create(pod("p", T9kDialect.GPU, "1"));
        awaitPendingBecause("p", "no room now");
        await(
                "an event says so",
                () -> client.events().v1().events().inNamespace("default").list().getItems().stream()
                        .anyMatch(event -> "GrantUnreadable".equals(event.getReason())));

        client.pods()
                .inNamespace("default")
                .withName("foreign")
                .withGracePeriod(0)
                .delete();

        awaitBound("p");
    }

    @Test
    void volumes_thatWaitForTheirFirstConsumer_areToldTheNode_andThePodFollowsThem() {
        addNodes(t9kNode("n1", "xgn", 4));
        client.storage()
                .v1()
                .storageClasses()
                .resource(new io.fabric8.kubernetes.api.model.storage.StorageClassBuilder()
                        .withNewMetadata()
                        .withName("late")
                        .endMetadata()
                        .withProvisioner("example.com/disks")
                        .withVolumeBindingMode("WaitForFirstConsumer")
                        .build())
                .create();
        client.persistentVolumeClaims()
                .inNamespace("default")
                .resource(new io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data")
                        .endMetadata()
                        .withNewSpec()
                        .withStorageClassName("late")
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new io.fabric8.kubernetes.api.model.Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
        create(new PodBuilder(pod("p", T9kDialect.GPU, "1"))
                .editSpec()
                .addNewVolume()
                .withName("v")
                .withNewPersistentVolumeClaim("data", false)
                .endVolume()
                .endSpec()
                .build());
        run(settings("t9k"));
        await(
                "the claim is told the node",
                () -> "n1"
                        .equals(Objects.requireNonNullElse(
                                        client.persistentVolumeClaims()
                                                .inNamespace("default")
                                                .withName("data")
                                                .get()
                                                .getMetadata()
                                                .getAnnotations(),
                                        Map.<String, String>of())
                                .get("volume.kubernetes.io/selected-node")));
        assertThat(nodeOf("p")).isEmpty();

        client.persistentVolumeClaims().inNamespace("default").withName("data").edit(claim -> {
            claim.getSpec().setVolumeName("pv");
            return claim;
        });
        client.persistentVolumeClaims().inNamespace("default").withName("data").editStatus(claim -> {
            claim.getStatus().setPhase("Bound");
            return claim;
        });

        awaitBound("p");
    }

    @Test
    void health_andMetrics_areServed() throws Exception {
        addNodes(t9kNode("n1", "xgn", 4));
        SchedulerProcess process = run(settings("t9k").withHealthPort(0));
        await("ready", process::isReady);
        create(pod("p", T9kDialect.GPU, "1"));
        awaitBound("p");
        String metrics = fetch(process.healthPort(), "/metrics");
        assertThat(metrics).contains("gpusched_decisions_total{result=\"placed\"} 1.0");
        assertThat(metrics).contains("gpusched_gpus 4.0").contains("gpusched_decision_seconds_bucket");
        assertThat(fetch(process.healthPort(), "/healthz")).isEqualTo("ok");
    }

    private static String fetch(int port, String path) throws IOException, InterruptedException {
        return java.net.http.HttpClient.newHttpClient()
                .send(
                        java.net.http.HttpRequest.newBuilder(java.net.URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        java.net.http.HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
