package io.gpusched.dialect.hami.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node of one vendor in HAMi's dialect, and pods that are placed on it one after the other. */
final class VendorFixture {
    private final HamiDialect hami;
    private final Node node;
    private Cluster cluster;

    private VendorFixture(HamiDialect hami, NodeManifest manifest) {
        this.hami = hami;
        this.node = hami.node(manifest);
        this.cluster = Cluster.of(List.of(node));
    }

    /** A node with these amounts. */
    static VendorFixture capacity(Map<String, String> allocatable) {
        return new VendorFixture(dialect(), manifest(Map.of(), Map.of(), allocatable));
    }

    /** A node with this annotation. */
    static VendorFixture annotated(String annotation, String text) {
        return new VendorFixture(dialect(), manifest(Map.of(), Map.of(annotation, text), Map.of()));
    }

    static VendorFixture of(HamiDialect hami, NodeManifest manifest) {
        return new VendorFixture(hami, manifest);
    }

    static HamiDialect dialect() {
        return HamiDialect.of(HamiSettings.DEFAULT);
    }

    static NodeManifest manifest(
            Map<String, String> labels, Map<String, String> annotations, Map<String, String> allocatable) {
        return new NodeManifest("n1", labels, annotations, allocatable, List.of(), false);
    }

    Node node() {
        return node;
    }

    static PodManifest pod(String id, Map<String, String> annotations, List<Map<String, String>> limits) {
        List<ContainerManifest> containers = new ArrayList<>();
        limits.forEach(one -> containers.add(ContainerManifest.limits("c" + containers.size(), one)));
        return new PodManifest(PodId.of(id), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
    }

    Decision decide(PodManifest pod) {
        return DialectScheduler.of(hami).schedule(cluster, pod);
    }

    /** Places a pod of one container and returns its GPUs. */
    List<Integer> place(String id, Map<String, String> limits) {
        return placement(pod(id, Map.of(), List.of(limits))).gpus();
    }

    /** Places a pod. */
    Placement placement(PodManifest pod) {
        Decision decision = decide(pod);
        assertThat(decision).as("%s", decision).isInstanceOf(Placed.class);
        Placement placement = ((Placed) decision).placement();
        cluster = cluster.with(placement);
        return placement;
    }

    void remove(String id) {
        cluster = cluster.without(PodId.of(id));
    }

    /** Places a pod, and returns what is written for it, after the same GPUs were read back from that. */
    Map<String, String> written(PodManifest pod) {
        Placement placement = placement(pod);
        BindingMetadata written = hami.write(pod, node, placement);
        PodManifest bound = pod.withAnnotations(written.annotations());
        for (int c = 0; c < placement.containers().size(); c++) {
            ContainerGrant grant = placement.containers().get(c);
            assertThat(hami.heldGpus(bound, c, node))
                    .as("read back: %s", grant)
                    .containsExactlyElementsOf(grant.gpus().indexes());
        }
        assertThat(written.annotations()).containsEntry("hami.io/vgpu-node", "n1");
        return written.annotations();
    }

    boolean fits(Map<String, String> limits) {
        return decide(pod("probe", Map.of(), List.of(limits))).isPlaced();
    }
}
