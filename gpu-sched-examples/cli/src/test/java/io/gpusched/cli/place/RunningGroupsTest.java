package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.analysis.Drain;
import io.gpusched.manifests.cluster.ClusterReader;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of pods that run already, and members that wait, in both forms of a cluster. */
class RunningGroupsTest {
    @TempDir
    private Path folder;

    private static final String NODES = node("a", "r1") + node("b", "r2") + node("c", "r2");

    private static String node(String name, String rack) {
        return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {rack: " + rack
                + ", nvidia.com/gpu.product: B200, nvidia.com/gpu.memory: \"183359\"}}\n"
                + "status: {allocatable: {cpu: 8, memory: 8Gi, pods: 10, nvidia.com/gpu: 4}}\n";
    }

    /** A pod of a GPU; what names its group is given. */
    private static String pod(String name, String metadata, String spec) {
        return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + metadata + "}\nspec:\n" + spec
                + "  containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]\n";
    }

    private static String groupObject(String api, String annotations) {
        return "---\napiVersion: " + api + "\nkind: PodGroup\nmetadata: {name: g, annotations: {" + annotations
                + "}}\nspec: {}\n";
    }

    private Cluster cluster(String text) {
        List<YamlNode> documents = YamlReader.parse("cluster.yaml", text);
        ClusterReader read = YamlReader.parse("cluster.yaml", text, ClusterReader::new);
        return new PlaceInput(read, documents, Dialects.find("device-plugin"), new Notes(Set.of())).cluster();
    }

    private static void assertMember(Cluster cluster, Locality locality) {
        assertThat(cluster.placement(PodId.of("r0")).orElseThrow().group()).contains(GroupMembership.of("g", locality));
    }

    @Test
    void aRunningPod_isAMemberOfTheGroupThatItNames_inEachVocabulary() {
        String on = "  nodeName: b\n";
        assertMember(cluster(NODES + pod("r0", "", on + "  schedulingGroup: {podGroupName: g}\n")), Locality.ANYWHERE);
        assertMember(
                cluster(NODES + pod("r0", ", annotations: {scheduling.k8s.io/group-name: g}", on)), Locality.ANYWHERE);
        assertMember(cluster(NODES + pod("r0", ", labels: {scheduling.x-k8s.io/pod-group: g}", on)), Locality.ANYWHERE);
        assertThat(cluster(NODES + pod("r0", "", on))
                        .placement(PodId.of("r0"))
                        .orElseThrow()
                        .group())
                .isEmpty();
    }

    @Test
    void itsLocality_isWhatTheGroupOfTheFileSays_andADrainKeepsIt() {
        String two = pod("r0", ", annotations: {scheduling.k8s.io/group-name: g}", "  nodeName: b\n")
                + pod("r1", ", annotations: {scheduling.k8s.io/group-name: g}", "  nodeName: c\n");
        String within = groupObject("scheduling.volcano.sh/v1beta1", "gpu-sched.io/within: rack");
        Cluster cluster = cluster(NODES + two + within);

        assertMember(cluster, Locality.within("rack"));
        Drain drain = Drain.of(cluster, List.of("b"));
        assertThat(drain.moves())
                .singleElement()
                .satisfies(move -> assertThat(move.node()).isEqualTo("c"));
        assertMember(
                cluster(NODES + two + within.replace("within: rack", "preferably-within: rack")),
                Locality.within("rack").preferred());
        assertMember(cluster(NODES + two + within.replace("volcano.sh", "x-k8s.io")), Locality.ANYWHERE);
    }

    @Test
    void aMemberThatComesLater_goesWhereItsGroupRuns() {
        String running = pod("r0", "", "  nodeName: b\n  schedulingGroup: {podGroupName: g}\n");
        String asked = "apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: g}\n"
                + "spec: {schedulingPolicy: {gang: {minCount: 1}}, schedulingConstraints: {topology: [{key: rack}]}}\n"
                + pod("p0", "", "  schedulingGroup: {podGroupName: g}\n");

        PlaceRun later = PlaceRun.of(folder, NODES + running, asked, "--dialect", "device-plugin");
        PlaceRun first = PlaceRun.of(folder, NODES, asked, "--dialect", "device-plugin");

        assertThat(later.out()).as(later.err()).contains("pod p0 on b");
        assertThat(first.out()).as(first.err()).contains("pod p0 on a");
    }

    private static final String PLAIN = "nodes:\n"
            + "  - {name: n1, cpu: 8, memory: 8Gi, topology: {rack: r1}, gpus: {count: 4, model: A100, memory: 80Gi}}\n"
            + "  - {name: n2, cpu: 8, memory: 8Gi, topology: {rack: r2}, gpus: {count: 4, model: A100, memory: 80Gi}}\n"
            + "running:\n"
            + "  - {name: r0, node: n2, whole: [0], group: {name: g, locality: {scope: domain, level: rack}}}\n";

    private static String plainGroup(int replicas, String locality) {
        return "group:\n  name: g\n  minMember: 1\n  locality: {scope: domain, level: rack" + locality + "}\n"
                + "  roles: [{name: w, replicas: " + replicas + ", pod: {cpu: 1, gpu: {exclusive: 2}}}]\n";
    }

    @Test
    void inTheLibrarysForm_aRunningPodNamesItsGroup_andEachMemberThatWaitsSaysWhy() {
        PlaceRun run = PlaceRun.of(folder, PLAIN, plainGroup(2, ""));
        assertThat(run.out())
                .as(run.err())
                .contains("pod g-w-0 on n2", "pod g-w-1 waits", "    1 node: not where members of its group run")
                .contains("    1 node: 1 GPU idle in total, at most 1 on one node, asked 2 whole GPUs")
                .contains("    nearest remedy: 1 more idle GPU on n2");
        PlaceRun json = PlaceRun.of(folder, PLAIN, plainGroup(2, ""), "--json");
        assertThat(json.out()).contains("\"reasons\"", "\"g-w-1\"", "GROUP_LOCALITY");
    }

    @Test
    void aPreferenceThatWasNotKept_isAWarning() {
        PlaceRun run = PlaceRun.of(folder, PLAIN, plainGroup(3, ", required: false"));
        assertThat(run.out())
                .as(run.err())
                .contains("  warning: group g, preferred in one rack, runs in 2")
                .doesNotContain("waits");
    }
}
