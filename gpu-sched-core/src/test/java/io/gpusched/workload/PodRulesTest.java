package io.gpusched.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.LabelSelector.Operator;
import io.gpusched.workload.LabelSelector.Requirement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodRulesTest {
    private static final Pod PLAIN = Pod.of("p", Resources.NONE, GpuRequest.none());

    private static LabelSelector where(Operator operator, String... values) {
        return new LabelSelector(List.of(new Requirement("app", operator, List.of(values))));
    }

    @Test
    void labelsWithoutAValue_areRefused_whereverTheyAreGiven() {
        Map<String, String> labels = new HashMap<>();
        labels.put("app", null);
        Cluster cluster = Cluster.of(List.of());
        assertThatNullPointerException()
                .isThrownBy(() -> PodRules.NONE.withLabels(labels))
                .withMessage("value[app]");
        assertThatNullPointerException()
                .isThrownBy(() -> cluster.withNamespace("b", labels))
                .withMessage("labels[app]");
    }

    @Test
    void aLabelSelector_comparesAsKubernetesDoes() {
        assertThat(where(Operator.IN, "a", "b").matches(Map.of("app", "b"))).isTrue();
        assertThat(where(Operator.IN, "a").matches(Map.of())).isFalse();
        assertThat(where(Operator.NOT_IN, "a").matches(Map.of())).isTrue();
        assertThat(where(Operator.NOT_IN, "a").matches(Map.of("app", "a"))).isFalse();
        assertThat(where(Operator.EXISTS).matches(Map.of("app", ""))).isTrue();
        assertThat(where(Operator.DOES_NOT_EXIST).matches(Map.of("app", ""))).isFalse();
    }

    @Test
    void anEmptySelectorMeansEveryone_andNoSelectorMeansNobody() {
        assertThat(LabelSelector.ALL.matches(Map.of())).isTrue();
        assertThat(LabelSelector.NOBODY.matches(Map.of("nobody", "nobody"))).isFalse();
        assertThat(LabelSelector.labels(Map.of("a", "1", "b", "2")).matches(Map.of("a", "1")))
                .isFalse();
    }

    @Test
    void valuesWhereNoneAreCompared_areAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> where(Operator.EXISTS, "a"))
                .withMessageContaining("label selector on \"app\", operator EXISTS");
    }

    @Test
    void portsOfOneProtocolConflict_onTheSameAddressOrOnAny() {
        HostPort any = HostPort.tcp(80);
        HostPort one = new HostPort(80, HostPort.Protocol.TCP, "10.0.0.1");
        assertThat(any.conflictsWith(one)).isTrue();
        assertThat(one.conflictsWith(new HostPort(80, HostPort.Protocol.TCP, "10.0.0.2")))
                .isFalse();
        assertThat(any.conflictsWith(new HostPort(80, HostPort.Protocol.UDP, "")))
                .isFalse();
        assertThat(any.conflictsWith(HostPort.tcp(81))).isFalse();
        assertThat(one.conflictsWith(new HostPort(80, HostPort.Protocol.TCP, "::")))
                .isFalse();
        assertThat(one).hasToString("80/TCP on 10.0.0.1");
    }

    @Test
    void numbersOutOfRange_areNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostPort.tcp(70_000))
                .withMessageContaining("port must be in 1..65535, got 70000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopologySpread.required("zone", 0, LabelSelector.ALL))
                .withMessageContaining("topology spread over \"zone\": maxSkew must be");
        PodAffinity.Term term = PodAffinity.Term.of(LabelSelector.ALL, "zone");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PodAffinity.Weighted(101, term))
                .withMessageContaining("weight must be in 1..100, got 101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PodAffinity.Term(LabelSelector.ALL, Set.of(), Optional.empty(), " "))
                .withMessageContaining("topologyKey");
    }

    @Test
    void rules_areAPartOfWhatAPodAsks() {
        Pod labelled = PLAIN.withRules(PodRules.NONE.withLabels(Map.of("app", "a")));
        assertThat(labelled.spec()).isNotEqualTo(PLAIN.spec());
        assertThat(labelled.withRules(PodRules.NONE)).isEqualTo(PLAIN);
        assertThat(Pod.of(placed(labelled))).contains(labelled);
    }

    private static Placement placed(Pod pod) {
        Cluster cluster = Cluster.of(List.of(Node.builder("n").build()));
        return ((Placed) GpuScheduler.create().schedule(cluster, pod)).placement();
    }

    @Test
    void rules_areNoPartOfTheShapeThatPoliciesJudge() {
        Pod labelled = PLAIN.withRules(PodRules.NONE.withLabels(Map.of("app", "a")));
        assertThat(labelled.asksTheSame(PLAIN)).isTrue();
        assertThat(labelled.requestHash()).isEqualTo(PLAIN.requestHash());
    }

    @Test
    void rulesThatConcernOthers_areToldApartFromThoseThatDoNot() {
        PodAffinity apart = PodAffinity.required(PodAffinity.Term.of(LabelSelector.ALL, "zone"));
        assertThat(PodRules.NONE.withLabels(Map.of("a", "b")).concernsOthers()).isFalse();
        assertThat(PodRules.NONE.withNodeName("n").concernsOthers()).isFalse();
        assertThat(PodRules.NONE.withAntiAffinity(apart).concernsOthers()).isTrue();
        assertThat(PodRules.NONE.withHostPorts(HostPort.tcp(80)).concernsOthers())
                .isTrue();
    }

    @Test
    void aRequirementOnTheName_looksAtNoLabel() {
        Node node = Node.builder("n1").label("metadata.name", "n2").build();
        assertThat(NodeRequirement.name("n1", "n3").matches(node)).isTrue();
        assertThat(NodeRequirement.name("n2").matches(node)).isFalse();
        assertThat(NodeSelector.all(NodeRequirement.name("n1")).matches(Map.of()))
                .isFalse();
        assertThat(NodeSelector.ANY.matches(node)).isTrue();
    }
}
