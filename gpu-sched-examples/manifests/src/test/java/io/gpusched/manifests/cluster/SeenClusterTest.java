package io.gpusched.manifests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlReader;
import org.junit.jupiter.api.Test;

class SeenClusterTest {
    private static final String NODE = """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},
         "status":{"allocatable":{"cpu":"8","memory":"8Gi","pods":"9","nvidia.com/gpu":"2"}}}
        """;

    private static final String POD = """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},
         "spec":{"nodeName":"n","containers":[{"name":"c","resources":{"limits":{"nvidia.com/gpu":"1"}}}]},
         "status":{"phase":"Running"}}
        """;

    private static SeenCluster read(String text) {
        ClusterObjects objects = ClusterObjects.of(YamlReader.parse("f", text));
        return SeenCluster.of(objects, FoundDialects.of(objects.nodes()));
    }

    private static void holdsOneOfTwo(SeenCluster seen) {
        assertThat(seen.cluster().totals().gpus()).isEqualTo(2);
        assertThat(seen.cluster().totals().idleGpus()).isEqualTo(1);
    }

    @Test
    void documentsThatFollowEachOther_areAllRead() {
        holdsOneOfTwo(read(NODE + POD));
        holdsOneOfTwo(read(POD + "\n\n" + NODE));
    }

    @Test
    void listsOfListsAndPlainLists_areTakenApart() {
        holdsOneOfTwo(read("""
            {"kind":"List","items":[{"apiVersion":"v1","items":[%s],"kind":"List"}]}
            [[%s]]
            """.formatted(NODE, POD)));
    }

    @Test
    void itemsOfATypedList_needNoKind() {
        holdsOneOfTwo(read("""
            {"kind":"NodeList","apiVersion":"v1","items":[%s]}
            {"kind":"PodList","apiVersion":"v1","items":[%s]}
            """.formatted(
                        NODE.replace("\"apiVersion\":\"v1\",\"kind\":\"Node\",", ""),
                        POD.replace("\"apiVersion\":\"v1\",\"kind\":\"Pod\",", ""))));
    }

    @Test
    void aDocumentThatIsNoObject_isAnErrorWithItsLine() {
        assertThatThrownBy(() -> read(NODE + "\"more\""))
                .isInstanceOf(InputException.class)
                .hasMessage("f, line 3: must be an object of Kubernetes, got \"more\"");
    }

    @Test
    void aFieldOfAWrongType_isAnErrorWithItsLineAndName() {
        assertThatThrownBy(() -> read(NODE.replace("{\"name\":\"n\"}", "{\"name\":\"n\",\"labels\":[]}")))
                .isInstanceOf(InputException.class)
                .hasMessage("f, line 1, field metadata.labels: must be a mapping, got a list");
    }

    @Test
    void anObjectThatStandsThereTwice_isTakenOnce_andToldWhereItDiffers() {
        assertThat(read(NODE + NODE + POD + POD).notes()).isEmpty();
        SeenCluster seen = read(NODE + NODE.replace("\"2\"", "\"4\"") + POD);
        assertThat(seen.cluster().totals().gpus()).isEqualTo(4);
        assertThat(seen.notes())
                .containsExactly(
                        "Node n stands there twice and differs, the later one is taken: f, line 1 and f, line 3");
    }

    @Test
    void aGroupOfAnyVersionOfItsApi_isRead() {
        for (String version : new String[] {"v1alpha1", "v1alpha2", "v1beta1", "v1"}) {
            ClusterObjects objects = ClusterObjects.of(YamlReader.parse("f", NODE + """
                {"apiVersion":"scheduling.k8s.io/%s","kind":"PodGroup","metadata":{"name":"g","namespace":"d"},
                 "spec":{"schedulingPolicy":{"gang":{"minCount":2}}}}
                """.formatted(version)));
            assertThat(objects.groups()).hasSize(1);
            assertThat(SeenGroups.spec(objects.groups().get(0)).orElseThrow().minimum())
                    .isEqualTo(2);
        }
    }
}
