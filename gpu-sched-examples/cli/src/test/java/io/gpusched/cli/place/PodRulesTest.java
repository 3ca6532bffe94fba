package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules between pods, read from manifests: what they allow, and what is said where they do not. */
class PodRulesTest {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    /** n1 and n2 in zone a, n3 in zone b; two GPUs each. */
    private static final String NODES =
            PlaceRun.NODE + "---\n" + PlaceRun.NODE.replace("n1", "n2") + "---\n" + node3() + "---\n";

    @TempDir
    private Path folder;

    private static String node3() {
        return PlaceRun.NODE.replace("n1", "n3").replace("zone: a", "zone: b");
    }

    private static String running(String name, String node, String labels, String spec) {
        return PlaceRun.POD.replace("{name: p}", "{name: " + name + ", labels: {" + labels + "}}") + "  nodeName: "
                + node + "\n" + spec + "---\n";
    }

    private static String asking(String labels, String spec) {
        return PlaceRun.POD.replace("{name: p}", "{name: p, labels: {" + labels + "}}") + spec + "\n";
    }

    private PlaceRun place(String cluster, String pod) {
        return PlaceRun.manifests(folder, cluster, pod);
    }

    private static String term(String app) {
        return "{topologyKey: zone, labelSelector: {matchLabels: {app: " + app + "}}}";
    }

    @Test
    void aPodGoesNearThoseItMustBeNear() {
        String near = "  affinity: {podAffinity: {" + REQUIRED + ": [" + term("db") + "]}}";
        assertThat(place(NODES + running("db", "n3", "app: db", ""), asking("app: web", near))
                        .out())
                .contains("on n3");
        PlaceRun none = place(NODES, asking("app: web", near));
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.out()).contains("3 nodes: no pod that it must be near in the same zone");
    }

    @Test
    void aRunningPodKeepsOthersOutOfItsZone() {
        String apart = "  affinity: {podAntiAffinity: {" + REQUIRED + ": [" + term("web") + "]}}\n";
        PlaceRun run = place(NODES + running("r", "n1", "app: other", apart), asking("app: web", ""));
        assertThat(run.out()).contains("on n3");
        PlaceRun refused =
                place(PlaceRun.NODE + "---\n" + running("r", "n1", "app: other", apart), asking("app: web", ""));
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains("running pods keep it away in the same zone");
    }

    @Test
    void podsAreSpreadOverZones() {
        String spread =
                "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                        + " labelSelector: {matchLabels: {app: web}}}]";
        assertThat(place(NODES + running("r", "n1", "app: web", ""), asking("app: web", spread))
                        .out())
                .contains("on n3");
        PlaceRun refused = place(
                PlaceRun.NODE + "---\n" + node3().replace("nvidia.com/gpu: 2", "nvidia.com/gpu: 0") + "---\n"
                        + running("r", "n1", "app: web", ""),
                asking("app: web", spread));
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains("1 node: too many pods in its domain", "zone (max skew 1, the fewest 0)");
    }

    @Test
    void portsOfAPodOnTheHostsNetwork_areTheHosts() {
        String ports = "      ports: [{containerPort: 80}]\n  hostNetwork: true\n";
        PlaceRun run = place(
                PlaceRun.NODE + "---\n" + PlaceRun.POD.replace("name: p", "name: r") + ports + "  nodeName: n1\n",
                PlaceRun.POD + "      ports: [{containerPort: 8080, hostPort: 80}]\n");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("ports of the node that other pods take: 80/TCP");
    }

    @Test
    void preferencesDecideBeforePacking() {
        String liking = "  affinity: {nodeAffinity: {" + PREFERRED
                + ": [{weight: 5, preference: {matchExpressions: [{key: zone, operator: In, values: [b]}]}}]}}";
        String cluster = NODES + running("r", "n1", "app: x", "");
        assertThat(place(cluster, asking("app: web", "")).out()).contains("on n1");
        assertThat(place(cluster, asking("app: web", liking)).out()).contains("on n3");
    }

    @Test
    void aNodeIsFoundByItsName() {
        String named = "  affinity: {nodeAffinity: {" + REQUIRED
                + ": {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n2]}]}]}}}";
        assertThat(place(NODES, asking("app: web", named)).out()).contains("on n2");
    }

    @Test
    void labelsOfNamespacesAreRead() {
        String near = "  affinity: {podAffinity: {" + REQUIRED
                + ": [{topologyKey: zone, labelSelector: {}, namespaceSelector: {matchLabels: {team: x}}}]}}";
        String other = running("r", "n3", "app: db", "").replace("{name: r,", "{name: r, namespace: other,");
        String namespace = "kind: Namespace\nmetadata: {name: other, labels: {team: x}}\n";
        assertThat(place(NODES + other + namespace, asking("app: web", near)).out())
                .contains("on n3");
        assertThat(place(NODES + other, asking("app: web", near)).code()).isEqualTo(1);
    }

    @Test
    void keysOfLabelsThatPodsMustShare_areTakenFromThePod() {
        String apart = "  affinity: {podAntiAffinity: {" + REQUIRED
                + ": [{topologyKey: zone, labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [version]}]}}";
        String cluster = NODES + running("r", "n3", "app: web, version: one", "");
        assertThat(place(cluster, asking("app: web, version: two", apart)).code())
                .isZero();
        assertThat(place(
                                cluster + running("s", "n1", "app: web, version: two", ""),
                                asking("app: web, version: two", apart))
                        .out())
                .contains("on n3");
    }

    @Test
    void aRuleThatKubernetesWouldNotAccept_isAnErrorOnItsLine() {
        PlaceRun run =
                place(NODES, asking("app: web", "  topologySpreadConstraints: [{maxSkew: 0, topologyKey: zone}]"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("p.yaml, line 7", "maxSkew must be in 1..");
    }
}
