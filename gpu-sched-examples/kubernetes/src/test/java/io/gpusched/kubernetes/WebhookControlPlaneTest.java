package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.certificates.CertificateKeeper;
import io.gpusched.kubernetes.webhook.WebhookProcess;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The API server calls the webhook itself, with the certificate that the webhook made and with its rights. */
class WebhookControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static final String KUBE = "system:serviceaccount:gpu-sched:gpu-sched-kube";

    private static KubernetesClient client;
    private static KubernetesClient own;

    @BeforeAll
    static void start() throws IOException {
        client = plane.client();
        DeployFiles.apply(client, "namespace");
        DeployFiles.apply(client, "webhook");
        own = plane.clientOf("gpu-sched-webhook");
        CertificateKeeper keeper = plane.closing(
                CertificateKeeper.of(own, "gpu-sched", "gpu-sched-webhook-tls", "gpu-sched", List.of("127.0.0.1")));
        DialectSet dialects = new DialectSet(List.of(TestPlane.dialect("t9k")));
        WebhookProcess webhook = plane.closing(WebhookProcess.start(
                dialects, "gpu-sched", new GrantGuard(Set.of(KUBE)), "127.0.0.1", 0, keeper::secure));
        callByUrl(client, "https://127.0.0.1:" + webhook.server().port() + WebhookProcess.PATH);
    }

    /** No service leads to this process, so the API server is told the address instead. */
    static void callByUrl(KubernetesClient client, String url) {
        client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("gpu-sched")
                .edit(configuration -> {
                    configuration.getWebhooks().forEach(one -> {
                        one.getClientConfig().setService(null);
                        one.getClientConfig().setUrl(url);
                    });
                    return configuration;
                });
        Await.until("the API server calls the webhook", () -> isCalled(client));
    }

    /** The API server takes a moment to notice the configuration. */
    private static boolean isCalled(KubernetesClient client) {
        try {
            client.pods().resource(pod("probe", "130")).dryRun(true).create();
            return false;
        } catch (KubernetesClientException e) {
            return e.getMessage().contains("must be in 1..100");
        }
    }

    private static Pod pod(String name, String percent) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToLimits("tensorstack.dev/nvidia-gpu-percent", new Quantity(percent))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void aPodThatAsksForGpus_isStoredWithItsSchedulerAndItsVariables() {
        Pod stored = client.pods().resource(pod("share", "30")).create();

        assertThat(stored.getSpec().getSchedulerName()).isEqualTo("gpu-sched");
        assertThat(stored.getSpec().getContainers().get(0).getEnv())
                .extracting(EnvVar::getName)
                .containsExactly("NVIDIA_VISIBLE_DEVICES", "T9K_GPU_PERCENT", "T9K_GPU_MEMORY");
        assertThat(stored.getSpec().getContainers().get(0).getEnv())
                .extracting(variable -> variable.getValueFrom().getFieldRef().getFieldPath())
                .containsExactly(
                        "metadata.annotations['main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES']",
                        "metadata.annotations['main.env.gpu-sched.io/T9K_GPU_PERCENT']",
                        "metadata.annotations['main.env.gpu-sched.io/T9K_GPU_MEMORY']");
    }

    @Test
    void anInvalidRequest_isRefusedToWhomeverMakesIt() {
        assertThatThrownBy(() -> client.pods().resource(pod("too-much", "130")).create())
                .hasMessageContaining("tensorstack.dev/nvidia-gpu-percent must be in 1..100, got 130");
    }

    @Test
    void aPodWithoutGpus_isNotEvenShown() {
        Pod plain = pod("plain", "1");
        plain.getSpec().getContainers().get(0).setResources(null);

        Pod stored = client.pods().resource(plain).create();

        assertThat(stored.getSpec().getSchedulerName()).isEqualTo("default-scheduler");
        assertThat(stored.getSpec().getContainers().get(0).getEnv()).isEmpty();
    }

    @Test
    void theConfiguration_trustsWhomTheWebhookMade() {
        MutatingWebhookConfiguration configuration = client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("gpu-sched")
                .get();

        assertThat(configuration.getWebhooks())
                .isNotEmpty()
                .allSatisfy(
                        one -> assertThat(one.getClientConfig().getCaBundle()).isNotEmpty());
    }

    @Test
    void theRights_endWhereTheWebhooksWorkEnds() {
        assertThatThrownBy(() -> own.pods().list()).hasMessageContaining("forbidden");
        assertThatThrownBy(() -> own.secrets().inNamespace("kube-system").list())
                .hasMessageContaining("forbidden");
    }

    /** Where the server has no policies, the webhook says the same. */
    @Test
    void aGrant_isWrittenByTheAccountsThatAreNamed_andByNobodyElse() {
        client.rbac()
                .clusterRoleBindings()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("kube-edits")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .addNewSubject("", "ServiceAccount", "gpu-sched-kube", "gpu-sched")
                        .build())
                .create();
        KubernetesClient kube = plane.clientOf("gpu-sched-kube");
        Pod granted = Manifests.annotated(pod("granted", "30"), "gpu-sched.io/grant", "x");

        refused(() -> client.pods().resource(granted).create(), "only the scheduler writes grants of GPUs");
        kube.pods().inNamespace("default").resource(granted).create();
        refused(() -> edit("y"), "only the scheduler writes grants of GPUs");
        refused(() -> edit(null), "only the scheduler writes grants of GPUs");
        kube.pods()
                .inNamespace("default")
                .withName("granted")
                .edit(pod -> Manifests.annotated(pod, "gpu-sched.io/grant", "y"));
        Pod past = pod("past", "30");
        past.getSpec().setNodeName("n1");
        refused(() -> client.pods().resource(past).create(), "spec.nodeName must be empty");
        client.pods()
                .inNamespace("default")
                .withName("granted")
                .edit(pod -> Manifests.annotated(pod, "example.com/note", "mine"));
        assertThat(plane.calls().annotation("granted", "gpu-sched.io/grant")).isEqualTo("y");
    }

    private static void edit(@Nullable String grant) {
        client.pods().inNamespace("default").withName("granted").edit(pod -> {
            pod.getMetadata().getAnnotations().remove("gpu-sched.io/grant");
            return grant == null ? pod : Manifests.annotated(pod, "gpu-sched.io/grant", grant);
        });
    }

    private static void refused(ThrowingCallable call, String words) {
        assertThatThrownBy(call).isInstanceOf(KubernetesClientException.class).hasMessageContaining(words);
    }
}
