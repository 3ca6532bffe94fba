package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods that are a part of their node: its DaemonSets' and those of the kubelet. */
class NodeResidentsTest {
    @TempDir
    private Path folder;

    private static final String NODE = PlaceRun.T9K_NODE;

    private static final String OWNER =
            ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, controller: true}]";

    private static String running(String name, String metadata, String limits) {
        return "---\nkind: Pod\nmetadata: {name: " + name + metadata + "}\nspec:\n  nodeName: n1\n"
                + "  containers: [{name: main, ports: [{containerPort: 80, hostPort: 80}],"
                + " resources: {limits: {" + limits + "}}}]\n";
    }

    private static String pod(String limits) {
        return running("p", "", limits).substring(4).replace("  nodeName: n1\n", "");
    }

    private PlaceRun place(String cluster, String pod) {
        return PlaceRun.of(folder, cluster, pod, "--dialect", "t9k");
    }

    private static final String WHOLE = "tensorstack.dev/nvidia-gpu-node: 1";

    @Test
    void aWholeNode_isGivenBesideItsDaemonSets_andNotBesideATenant() {
        String pod = pod(WHOLE).replace("ports: [{containerPort: 80, hostPort: 80}], ", "");
        PlaceRun daemon = place(NODE + running("d", OWNER, "cpu: 1, memory: 1Gi"), pod);
        assertThat(daemon.code()).as(daemon.err() + daemon.out()).isZero();
        PlaceRun mirror = place(
                NODE + running("m", ", annotations: {kubernetes.io/config.mirror: x}", "cpu: 1, memory: 1Gi"), pod);
        assertThat(mirror.code()).as(mirror.err() + mirror.out()).isZero();
        assertThat(place(NODE + running("t", "", "cpu: 1, memory: 1Gi"), pod).code())
                .isEqualTo(1);
    }

    @Test
    void whatTheyTake_isNotGivenAgain_andTheirHostPortsCount() {
        String cluster = NODE + running("d", OWNER, "cpu: 3, memory: 1Gi");
        String free = "cpu: 5, memory: 1Gi, tensorstack.dev/nvidia-gpu: 1";
        assertThat(place(cluster, pod(free)).out()).contains("port");
        String other = pod(free).replace("hostPort: 80", "hostPort: 81");
        assertThat(place(cluster, other).code()).isZero();
        assertThat(place(cluster, other.replace("cpu: 5", "cpu: 6")).out()).contains("at most 5 cores on one node");
    }

    @Test
    void theyTakeAPlaceAmongThePodsOfTheNode() {
        String cluster = NODE
                + running("d", OWNER, "cpu: 1")
                + running("e", OWNER, "cpu: 1").replace("80", "82")
                + running("t", "", "cpu: 1").replace("80", "83");
        assertThat(place(cluster, pod("tensorstack.dev/nvidia-gpu: 1").replace("80", "84"))
                        .out())
                .contains("as many as the nodes take");
    }

    @Test
    void oneThatHoldsGpus_isATenant() {
        String holder = running("d", OWNER, "tensorstack.dev/nvidia-gpu: 1");
        assertThat(place(NODE + holder, pod(WHOLE)).code()).isEqualTo(1);
        String two = pod("tensorstack.dev/nvidia-gpu: 4").replace("80", "81");
        assertThat(place(NODE + holder, two).code()).isEqualTo(1);
    }

    @Test
    void oneOnANodeThatIsNotThere_orThereTwice_isNamed() {
        String daemon = running("d", OWNER, "cpu: 1");
        assertThat(place(NODE + daemon.replace("nodeName: n1", "nodeName: n9"), pod(WHOLE))
                        .err())
                .contains("on a node that is not among the objects (n9) and not looked at: default/d");
        assertThat(place(NODE + daemon + daemon.replace("cpu: 1", "cpu: 2"), pod(WHOLE))
                        .err())
                .contains("Pod d stands there twice and differs");
    }
}
