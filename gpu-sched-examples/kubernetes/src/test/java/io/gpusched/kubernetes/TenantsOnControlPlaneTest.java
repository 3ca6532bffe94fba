package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.annotated;
import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EphemeralContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.dialect.t9k.T9kDialect;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tenant who may do everything with pods of one namespace can do to others: the rows of docs/threat-model.md. */
class TenantsOnControlPlaneTest {
    private static final String GRANT = "gpu-sched.io/grant";
    private static final String VARIABLE = "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES";

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient tenant;
    private static KubernetesClient kube;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void start() throws IOException {
        KubernetesClient client = plane.client();
        for (String part : List.of("namespace", "kube", "webhook", "policy")) {
            DeployFiles.apply(
                    client,
                    part,
                    object -> !List.of("Deployment", "MutatingWebhookConfiguration")
                            .contains(object.getKind()));
        }
        createConfigurationOfTheWebhook(client);
        allow(client);
        tenant = plane.closing(plane.plane().clientOf("default", "tenant"));
        kube = plane.clientOf("gpu-sched-kube");
        plane.addNodes(t9kNode("n1", "xgn", 2));
        Pod probe = annotated(pod("probe", Map.of()), GRANT, "x");
        Await.until(
                "the policy is enforced",
                () -> answer(probe).contains("only the scheduler writes grants"),
                () -> answer(probe));
    }

    /** The webhook itself does not run, so that it must be called for nobody. */
    private static void createConfigurationOfTheWebhook(KubernetesClient client) throws IOException {
        for (HasMetadata object : DeployFiles.objects(client, "webhook")) {
            if (object instanceof MutatingWebhookConfiguration configuration) {
                configuration
                        .getWebhooks()
                        .forEach(one -> one.setObjectSelector(new LabelSelectorBuilder()
                                .addToMatchLabels("never", "true")
                                .build()));
                client.resource(configuration).create();
            }
        }
    }

    private static void allow(KubernetesClient client) {
        client.rbac()
                .roles()
                .inNamespace("default")
                .resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName("tenant")
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("")
                        .withResources("pods", "pods/status", "pods/binding", "pods/resize", "pods/ephemeralcontainers")
                        .withVerbs("*")
                        .endRule()
                        .build())
                .create();
        client.rbac()
                .roleBindings()
                .inNamespace("default")
                .resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("tenant")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", "tenant")
                        .addNewSubject("", "ServiceAccount", "tenant", "default")
                        .build())
                .create();
    }

    private static String answer(Pod pod) {
        try {
            tenant.pods().inNamespace("default").resource(pod).dryRun(true).create();
            return "created";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void refused(ThrowingCallable call, String words) {
        assertThatThrownBy(call).isInstanceOf(KubernetesClientException.class).hasMessageContaining(words);
    }

    private static void edit(String name, UnaryOperator<Pod> change) {
        tenant.pods().inNamespace("default").withName(name).edit(change);
    }

    private static Pod with(Pod pod, String annotation, String value) {
        pod.getMetadata().getAnnotations().put(annotation, value);
        return pod;
    }

    @Test
    void aPodThatBringsAGrant_isRefused() {
        refused(
                () -> tenant.pods()
                        .inNamespace("default")
                        .resource(annotated(
                                pod("brings", T9kDialect.GPU, "1"), "hami.io/vgpu-devices-allocated", "GPU-a"))
                        .create(),
                "only the scheduler writes grants");
        refused(
                () -> tenant.pods()
                        .inNamespace("default")
                        .resource(annotated(pod("holds", T9kDialect.GPU, "1"), "gpu-sched.io/nomination", "{}"))
                        .create(),
                "only the scheduler writes grants");
        refused(
                () -> tenant.pods()
                        .inNamespace("default")
                        .resource(annotated(pod("promised", T9kDialect.GPU, "1"), "gpu-sched.io/promise", "{}"))
                        .create(),
                "only the scheduler writes grants");
    }

    /** Each is what a device plugin or a runtime of one of the systems goes by. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "volcano.sh/devices-to-allocate",
                "BAIDU_COM_DEVICE_IDX",
                "CAMBRICON_DSMLU_ASSIGNED",
                "CAMBRICON_DSMLU_PROFILE",
                "metax-tech.com/gpu-devices-allocated",
                "assigned-containers",
                "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES"
            })
    void whatAnyDialectWritesAsAGrant_isRefused(String annotation) {
        assertThat(answer(annotated(pod("forges", Map.of()), annotation, "0")))
                .contains("only the scheduler writes grants");
    }

    private static Pod seeing(String devices, boolean inInit) {
        PodBuilder pod = new PodBuilder(pod("sees", Map.of()));
        EnvVar variable = new EnvVar("NVIDIA_VISIBLE_DEVICES", devices, null);
        return inInit
                ? pod.editSpec()
                        .addNewInitContainer()
                        .withName("first")
                        .withImage("none")
                        .withEnv(variable)
                        .endInitContainer()
                        .endSpec()
                        .build()
                : pod.editSpec()
                        .editFirstContainer()
                        .withEnv(variable)
                        .endContainer()
                        .endSpec()
                        .build();
    }

    @Test
    void devicesThatAContainerAsksForByAVariable_areRefused_inPodsWithoutGpusToo() {
        assertThat(answer(seeing("all", false))).contains("NVIDIA_VISIBLE_DEVICES is the scheduler's");
        assertThat(answer(seeing("0", true))).contains("NVIDIA_VISIBLE_DEVICES is the scheduler's");
        assertThat(answer(seeing("void", false))).isEqualTo("created");
        tenant.pods().inNamespace("default").resource(pod("debugged", Map.of())).create();
        Pod debugged = tenant.pods().inNamespace("default").withName("debugged").get();
        debugged.getSpec()
                .setEphemeralContainers(List.of(new EphemeralContainerBuilder()
                        .withName("debug")
                        .withImage("none")
                        .addNewEnv()
                        .withName("NVIDIA_VISIBLE_DEVICES")
                        .withValue("all")
                        .endEnv()
                        .build()));
        refused(
                () -> tenant.pods()
                        .inNamespace("default")
                        .resource(debugged)
                        .ephemeralContainers()
                        .update(),
                "NVIDIA_VISIBLE_DEVICES is the scheduler's");
    }

    @Test
    void howLongAPodIsExpectedToRun_isForItsUserToSay() {
        assertThat(answer(annotated(pod("honest", T9kDialect.GPU, "1"), "gpu-sched.io/expected-seconds", "60")))
                .isEqualTo("created");
    }

    @Test
    void aPodThatAsksForGpus_andNamesItsNode_isRefused_andOneWithoutGpusIsNot() {
        Pod named = pod("named", T9kDialect.GPU, "1");
        named.getSpec().setNodeName("n1");
        refused(
                () -> tenant.pods().inNamespace("default").resource(named).create(),
                "a pod that requests GPUs is placed by its scheduler");
        Pod plain = pod("plain", Map.of());
        plain.getSpec().setNodeName("n1");
        assertThat(tenant.pods().inNamespace("default").resource(plain).create())
                .isNotNull();
    }

    @Test
    void aGrant_isWrittenByTheScheduler_andByNobodyElseAfterwards() {
        plane.run(kube, TestPlane.settings("t9k"));
        tenant.pods()
                .inNamespace("default")
                .resource(pod("held", T9kDialect.GPU, "1"))
                .create();
        calls.awaitBound("held");
        String granted = calls.annotation("held", GRANT);
        assertThat(granted).contains("n1-gpu-0");

        refused(() -> edit("held", pod -> with(pod, GRANT, granted.replace("gpu-0", "gpu-1"))), "only the scheduler");
        refused(() -> edit("held", pod -> with(pod, VARIABLE, "all")), "only the scheduler");
        refused(
                () -> edit("held", pod -> {
                    pod.getMetadata().getAnnotations().remove(GRANT);
                    return pod;
                }),
                "only the scheduler takes grants of GPUs away");
        refused(
                () -> tenant.pods()
                        .inNamespace("default")
                        .withName("held")
                        .editStatus(pod -> with(pod, VARIABLE, "all")),
                "only the scheduler");
        edit("held", pod -> with(pod, "example.com/note", "mine"));
        assertThat(calls.annotation("held", "example.com/note")).isEqualTo("mine");
        assertThat(calls.annotation("held", GRANT)).isEqualTo(granted);
    }

    @Test
    void theScheduler_mayDoWhatItDoes_andNoMore() {
        refused(() -> kube.pods().inNamespace("default").withName("any").delete(), "forbidden");
        refused(() -> kube.secrets().inNamespace("gpu-sched").list(), "forbidden");
        refused(
                () -> kube.pods()
                        .inNamespace("default")
                        .resource(pod("own", Map.of()))
                        .create(),
                "forbidden");
        refused(() -> kube.nodes().withName("n1").delete(), "forbidden");
        PodDisruptionBudget budget = new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName("own")
                .endMetadata()
                .withNewSpec()
                .withMinAvailable(new IntOrString(0))
                .endSpec()
                .build();
        refused(
                () -> kube.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace("default")
                        .resource(budget)
                        .create(),
                "forbidden");
        calls.create(pod("leaves", Map.of()));
        assertThat(kube.pods().inNamespace("default").withName("leaves").evict())
                .isTrue();
    }

    @Test
    void theWebhook_maySayWhomToTrust_andNothingElseOfItsConfiguration() {
        KubernetesClient webhook = plane.clientOf("gpu-sched-webhook");
        var own = webhook.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("gpu-sched");
        own.edit(configuration -> {
            configuration.getWebhooks().forEach(one -> one.getClientConfig().setCaBundle("Q0E="));
            return configuration;
        });
        refused(
                () -> own.edit(configuration -> {
                    configuration.getWebhooks().get(0).setFailurePolicy("Ignore");
                    return configuration;
                }),
                "the webhook may change clientConfig.caBundle alone");
        refused(
                () -> webhook.admissionRegistration()
                        .v1()
                        .mutatingWebhookConfigurations()
                        .list(),
                "forbidden");
    }
}
