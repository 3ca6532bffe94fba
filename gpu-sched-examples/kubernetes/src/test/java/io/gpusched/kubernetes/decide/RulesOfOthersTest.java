package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.kubernetes.Manifests;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What running pods demand of those that come. */
class RulesOfOthersTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final LabelSelector WEB =
            new LabelSelectorBuilder().addToMatchLabels("app", "web").build();
    private static final LabelSelector EVERY_NAMESPACE = new LabelSelector();
    private static final LabelSelector RED =
            new LabelSelectorBuilder().addToMatchLabels("team", "red").build();

    private final FakeApi api = new FakeApi();
    private final SchedulerState state = FakeApi.scheduler("device-plugin");
    private final List<Change> untold = api.watch();
    private long now;

    private List<String> bindAll() {
        state.apply(List.copyOf(untold), now);
        untold.clear();
        Decisions decisions = state.decide(now);
        decisions.bindings().forEach(binding -> api.bind(binding).ifPresent(untold::add));
        return decisions.bindings().stream()
                .map(binding -> binding.pod().id().name())
                .toList();
    }

    private void node(String name, String zone) {
        api.put(Manifests.node(name, Map.of(ZONE, zone), Map.of()));
    }

    private static Pod cores(String name, int cores) {
        return Manifests.pod(name, "cpu", String.valueOf(cores));
    }

    private static Pod web(String name, int cores) {
        return Manifests.labelled(cores(name, cores), "app", "web");
    }

    /** A pod that keeps the web pods of some namespaces out of its zone. */
    private static Pod hermit(LabelSelector namespaces) {
        return new PodBuilder(cores("hermit", 1))
                .editSpec()
                .withNewAffinity()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withLabelSelector(WEB)
                .withNamespaceSelector(namespaces)
                .withTopologyKey(ZONE)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    private void namespace(String name, String team) {
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("team", team)
                .endMetadata()
                .build();
        untold.add(new Change.NamespacePut(namespace));
    }

    @Test
    void namespaces_areFoundByTheLabelsThatTheyHaveNow() {
        node("n1", "a");
        namespace("default", "red");
        api.create(hermit(RED));
        assertThat(bindAll()).containsExactly("hermit");
        api.create(web("p", 1));
        assertThat(bindAll()).isEmpty();

        now = 60_000;
        namespace("default", "blue");

        assertThat(bindAll()).containsExactly("p");
    }

    @Test
    void aNamespaceThatIsGone_hasNoLabels() {
        node("n1", "a");
        namespace("default", "red");
        api.create(hermit(RED));
        bindAll();
        now = 60_000;
        untold.add(new Change.NamespaceGone("default"));
        api.create(web("p", 1));
        assertThat(bindAll()).containsExactly("p");
    }

    /** Of the nodes of the zone, the one that changes has no room. */
    private void keepOutOfTheZoneOfAFullNode() {
        node("full", "a");
        api.create(cores("filler", 62));
        api.create(hermit(EVERY_NAMESPACE));
        assertThat(bindAll()).containsExactlyInAnyOrder("filler", "hermit");
        node("roomy", "a");
        api.create(web("p", 4));
        assertThat(bindAll()).isEmpty();
        now = 60_000;
    }

    @Test
    void aPodThatAnotherKeptOutOfAZone_isTriedAgain_onceThatOneIsGone() {
        keepOutOfTheZoneOfAFullNode();
        api.delete("hermit");
        assertThat(bindAll()).containsExactly("p");
    }

    @Test
    void aPodThatAnotherKeptOutOfAZone_isTriedAgain_onceThatOneIsInAnotherZone() {
        keepOutOfTheZoneOfAFullNode();
        node("full", "b");
        assertThat(bindAll()).containsExactly("p");
    }

    private static final List<List<String>> EXCLUSIVE = List.of(
            List.of("alpha.jobset.sigs.k8s.io/exclusive-topology", "jobset.sigs.k8s.io/job-key"),
            List.of("leaderworkerset.sigs.k8s.io/exclusive-topology", "leaderworkerset.sigs.k8s.io/group-key"),
            List.of(
                    "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology",
                    "leaderworkerset.sigs.k8s.io/subgroup-key"));

    private String zoneOf(String pod) {
        return String.valueOf(api.pods.get(pod).getSpec().getNodeName()).replaceAll("\\d", "");
    }

    /** Each zone has room for all of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aJobWithATopologyForItself_staysInOneDomain_andKeepsOtherSuchJobsOut_alsoAfterARestart(int kind) {
        String annotation = EXCLUSIVE.get(kind).get(0);
        String label = EXCLUSIVE.get(kind).get(1);
        for (String zone : List.of("a", "b")) {
            node(zone + "1", zone);
            node(zone + "2", zone);
        }
        for (String job : List.of("j1", "j2")) {
            for (int i = 0; i < 3; i++) {
                api.create(Manifests.labelled(
                        Manifests.annotated(cores(job + "-" + i, 30), annotation, ZONE), label, job));
            }
        }
        api.create(cores("other", 1));
        assertThat(bindAll()).hasSize(7);
        assertThat(zoneOf("j1-0")).isEqualTo(zoneOf("j1-1")).isEqualTo(zoneOf("j1-2"));
        assertThat(zoneOf("j2-0")).isEqualTo(zoneOf("j2-1")).isEqualTo(zoneOf("j2-2"));
        assertThat(zoneOf("j1-0")).isNotEqualTo(zoneOf("j2-0"));

        api.create(Manifests.labelled(Manifests.annotated(cores("j3-0", 1), annotation, ZONE), label, "j3"));
        SchedulerState again = FakeApi.scheduler("device-plugin");
        again.apply(api.list(), 0);
        assertThat(again.decide(0).bindings()).isEmpty();
        for (int i = 0; i < 3; i++) {
            api.delete("j2-" + i);
        }
        now += 10_000;
        assertThat(bindAll()).containsExactly("j3-0");
    }

    @Test
    void aTopologyForItself_ofAJobThatNoLabelNames_isRefusedByName() {
        node("a1", "a");
        api.create(Manifests.annotated(cores("p", 1), EXCLUSIVE.get(0).get(0), ZONE));
        state.apply(List.copyOf(untold), now);
        assertThat(state.decide(now).refusals())
                .singleElement()
                .satisfies(refusal ->
                        assertThat(refusal.message().get()).contains("exclusive-topology: no label names the job"));
    }
}
