package io.gpusched.kubernetes.extender;

import static io.gpusched.kubernetes.extender.Objects.node;
import static io.gpusched.kubernetes.extender.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.gpusched.kubernetes.extender.FakeApi.Fault;
import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.model.PodId;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BindVerbTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-05-01T12:00:00Z"), ZoneOffset.UTC);

    private final ClusterMirror mirror = new ClusterMirror(Objects.dialects("nano-gpu"), NOON);
    private final FakeApi api = new FakeApi();
    private final BindVerb bind = new BindVerb(mirror, api, "gpu-sched");

    @BeforeEach
    void addNode() {
        mirror.putNode(node("n", 1));
    }

    private PodId create(String name, int percent) {
        Pod pod = api.create(pod(name, percent));
        mirror.putPod(pod);
        return ClusterMirror.id(pod);
    }

    private String bind(PodId pod, String node) {
        return bind.bind(new BindingArguments(pod, "uid-" + pod.name(), node)).error();
    }

    private Map<String, String> annotations(PodId pod) {
        return api.pods.get(pod).getMetadata().getAnnotations();
    }

    @Test
    void binding_writesTheGrantWithTheNode_inOneWrite() {
        PodId a = create("a", 60);

        assertThat(bind(a, "n")).isEmpty();

        assertThat(api.writes).isEqualTo(1);
        assertThat(api.pods.get(a).getSpec().getNodeName()).isEqualTo("n");
        assertThat(annotations(a))
                .containsEntry("nano-gpu/container-main", "0")
                .containsEntry("nano-gpu/assume", "true")
                .containsEntry("main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES", "none")
                .containsKey("gpu-sched.io/grant");
        assertThat(api.pods.get(a).getMetadata().getLabels()).containsEntry("nano-gpu/assume", "true");
    }

    /** Nothing has been seen of the first binding when the second is decided. */
    @Test
    void whatWasJustGiven_isNotGivenAgain_beforeTheApiServerTells() {
        assertThat(bind(create("a", 60), "n")).isEmpty();

        assertThat(bind(create("b", 60), "n"))
                .isEqualTo("pod \"b\": node \"n\": no assignment of containers to single GPUs");
        assertThat(bind(create("c", 40), "n")).isEmpty();
    }

    @Test
    void aPodThatChangedMeanwhile_isReadAgainAndBound() {
        PodId a = create("a", 60);
        api.touch(a);

        assertThat(bind(a, "n")).isEmpty();

        assertThat(api.writes).isEqualTo(2);
        assertThat(bind(create("b", 60), "n")).isNotEmpty();
        assertThat(bind(create("c", 40), "n")).isEmpty();
    }

    @Test
    void aBindingThatIsRefused_givesItsGpusBack() {
        PodId a = create("a", 60);
        api.fault = Fault.FORBIDDEN;

        assertThat(bind(a, "n")).contains("refuses the binding");

        assertThat(bind(create("b", 60), "n")).isEmpty();
    }

    @Test
    void anUnansweredWriteThatArrived_isFoundToHave() {
        PodId a = create("a", 60);
        api.fault = Fault.UNANSWERED;

        assertThat(bind(a, "n")).isEmpty();
    }

    @Test
    void aWriteThatMayStillArrive_keepsItsGpus_untilThePodChangesWithoutIt() {
        PodId a = create("a", 60);
        api.fault = Fault.DELAYED;
        assertThat(bind(a, "n")).contains("not known");
        PodId b = create("b", 60);
        assertThat(bind(b, "n")).contains("no assignment");

        mirror.putPod(api.touch(a));

        assertThat(bind(b, "n")).isEmpty();
        api.deliverDelayed();
        assertThat(ClusterMirror.isBound(api.pods.get(a))).isFalse();
    }

    @Test
    void aWriteThatMayStillArrive_isRepeatedUnchanged_butNotForAnotherNode() {
        mirror.putNode(node("other", 1));
        PodId a = create("a", 60);
        api.fault = Fault.DELAYED;
        assertThat(bind(a, "n")).isNotEmpty();

        assertThat(bind(a, "other")).isEqualTo("pod \"a\": whether it was bound to node \"n\" is not known yet");
        assertThat(bind(a, "n")).isEmpty();
        String grant = annotations(a).get("gpu-sched.io/grant");
        api.deliverDelayed();
        assertThat(annotations(a)).containsEntry("gpu-sched.io/grant", grant);
    }

    @Test
    void aPodOfTheSameNameButAnotherIdentity_isNotBound() {
        PodId a = create("a", 60);

        assertThat(bind.bind(new BindingArguments(a, "uid-before", "n")).error())
                .isEqualTo("pod \"a\": it no longer exists with uid uid-before");
    }

    @Test
    void aPodThatIsGone_isNotBound_andKeepsNothing() {
        PodId a = create("a", 60);
        api.pods.remove(a);

        assertThat(bind(a, "n")).contains("not found");

        assertThat(bind(create("b", 60), "n")).isEmpty();
    }

    @Test
    void bindingTwice_isDoneOnce() {
        PodId a = create("a", 60);
        assertThat(bind(a, "n")).isEmpty();
        mirror.putPod(api.pods.get(a));

        assertThat(bind(a, "n")).isEmpty();
        assertThat(bind(a, "m")).isEqualTo("it runs on node \"n\" already");
        assertThat(api.writes).isEqualTo(1);
    }

    @Test
    void aNodeThatIsNotKnown_isRefusedByName() {
        assertThat(bind(create("a", 60), "m")).isEqualTo("pod \"a\": node \"m\" is not known");
    }

    @Test
    void aPodThatAsksForNoGpus_thatIsAnothersOrThatDoesNotTolerateTheNode_isNotBound() {
        PodId a = ClusterMirror.id(api.create(pod("a", Map.of())));
        mirror.putPod(api.pods.get(a));

        assertThat(bind(a, "n")).isEqualTo("pod \"a\": it asks for none of [nano-gpu/gpu-percent]");

        Pod others = pod("b", 10);
        others.getSpec().setSchedulerName("default-scheduler");
        PodId b = ClusterMirror.id(api.create(others));
        mirror.putPod(api.pods.get(b));
        assertThat(bind(b, "n"))
                .isEqualTo(
                        "pod \"b\": spec.schedulerName is \"default-scheduler\", this extender binds pods of \"gpu-sched\"");

        Node tainted = node("tainted", 1);
        tainted.getSpec().setTaints(List.of(new Taint("NoSchedule", "dedicated", null, "x")));
        mirror.putNode(tainted);
        assertThat(bind(create("c", 10), "tainted")).contains("has the taint", "dedicated", "does not tolerate");
        assertThat(api.pods.values()).allMatch(pod -> pod.getSpec().getNodeName() == null);
    }

    @Test
    void gpuShare_getsTheTimeByWhichItsDevicePluginFindsPods() {
        assertThat(bound(
                        "gpushare",
                        Map.of("aliyun.com/gpu-mem", "30", "aliyun.com/gpu-count", "2"),
                        Map.of(),
                        Map.of("aliyun.com/gpu-mem", "10")))
                .containsEntry("ALIYUN_COM_GPU_MEM_ASSUME_TIME", "1777636800000000000")
                .containsEntry("ALIYUN_COM_GPU_MEM_ASSIGNED", "false")
                .containsEntry("ALIYUN_COM_GPU_MEM_IDX", "0")
                .containsEntry("ALIYUN_COM_GPU_MEM_POD", "10");
    }

    @Test
    void hami_getsThePhaseByWhichItsDevicePluginFindsPods() {
        assertThat(bound(
                        "hami",
                        Map.of("nvidia.com/gpu", "10"),
                        Map.of("hami.io/node-nvidia-register", "GPU-1,10,16000,100,NVIDIA-T4,0,true:"),
                        Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "4000")))
                .containsEntry("hami.io/bind-phase", "allocating")
                .containsEntry("hami.io/bind-time", "1777636800")
                .containsEntry("hami.io/vgpu-time", "1777636800")
                .containsEntry("hami.io/vgpu-node", "n")
                .containsEntry("hami.io/vgpu-devices-to-allocate", "GPU-1,NVIDIA,4000,0:;");
    }

    private static Map<String, String> bound(
            String dialect, Map<String, String> amounts, Map<String, String> registration, Map<String, String> limits) {
        ClusterMirror own = new ClusterMirror(Objects.dialects(dialect), NOON);
        FakeApi server = new FakeApi();
        own.putNode(Objects.node("n", Map.of(), registration, amounts));
        Pod pod = server.create(pod("a", limits));
        own.putPod(new PodBuilder(pod).build());
        assertThat(new BindVerb(own, server, "gpu-sched")
                        .bind(new BindingArguments(ClusterMirror.id(pod), "uid-a", "n"))
                        .error())
                .isEmpty();
        return server.pods.get(ClusterMirror.id(pod)).getMetadata().getAnnotations();
    }
}
