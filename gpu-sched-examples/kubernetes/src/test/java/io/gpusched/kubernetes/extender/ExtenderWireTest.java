package io.gpusched.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.BindingResult;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.FilterResult;
import io.gpusched.kubernetes.extender.wire.HostPriority;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.extender.wire.PreemptionResult;
import io.gpusched.kubernetes.extender.wire.Victims;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExtenderWireTest {
    private static final String POD = "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[]}}";

    private static com.fasterxml.jackson.databind.JsonNode json(String text) {
        return Request.of("/", text).json();
    }

    private static String written(Object result) {
        return Reply.json(result).body().toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pod|NodeNames", "pod|nodeNames", "POD|NODENAMES", "pOD|nodenames"})
    void members_areReadInAnyLetterCase(String names) {
        String[] name = names.split("\\|");

        FilterArguments arguments =
                FilterArguments.read(json("{\"" + name[0] + "\":" + POD + ",\"" + name[1] + "\":[\"n1\",\"n2\"]}"));

        assertThat(arguments.pod().getMetadata().getName()).isEqualTo("p");
        assertThat(arguments.names()).contains(List.of("n1", "n2"));
    }

    @Test
    void nullAndMissingMembers_areAlike_andUnknownOnesAreIgnored() {
        FilterArguments nulls = FilterArguments.read(
                json("{\"Pod\":" + POD + ",\"Nodes\":null,\"NodeNames\":null,\"Later\":{\"a\":1}}"));
        FilterArguments missing = FilterArguments.read(json("{\"Pod\":" + POD + "}"));

        assertThat(nulls.names()).isEqualTo(missing.names()).isEmpty();
        assertThat(nulls.nodes()).isEqualTo(missing.nodes()).isEmpty();
    }

    @Test
    void anUnknownFieldOfThePod_isIgnored() {
        FilterArguments arguments = FilterArguments.read(
                json(
                        "{\"Pod\":{\"metadata\":{\"name\":\"p\",\"new\":1},\"spec\":{\"containers\":[],\"later\":[{}]}},\"NodeNames\":[]}"));

        assertThat(arguments.names()).contains(List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|arguments must be an object, got array",
                "{}|arguments.Pod must be there",
                "{\"Pod\":1}|arguments.Pod must be an object, got number",
                "{\"Pod\":{}}|arguments.Pod must have metadata.name and a spec",
                "{\"Pod\":{\"metadata\":{\"name\":{}}}}|arguments.Pod is no Pod",
            })
    void whatIsNotUnderstood_is400_andSaysWhat(String text, String problem) {
        assertThatThrownBy(() -> FilterArguments.read(json(text)))
                .isInstanceOfSatisfying(
                        HttpProblem.class, e -> assertThat(e.status()).isEqualTo(400))
                .hasMessageContaining(problem);
    }

    @Test
    void namesThatAreNoTexts_are400() {
        assertThatThrownBy(() -> FilterArguments.read(json("{\"Pod\":" + POD + ",\"NodeNames\":[1]}")))
                .hasMessage("arguments.NodeNames must be a list of texts, got 1");
    }

    @Test
    void nodes_areKeptAsTheyWereSent() {
        String node = "{\"metadata\":{\"name\":\"n1\",\"unknown\":true}}";

        FilterArguments arguments =
                FilterArguments.read(json("{\"Pod\":" + POD + ",\"Nodes\":{\"items\":[" + node + "]}}"));

        assertThat(arguments.nodes()).containsExactly(json(node));
    }

    @Test
    void aBinding_namesPodAndNode_andNeedsThem() {
        BindingArguments arguments = BindingArguments.read(
                json("{\"PodName\":\"p\",\"PodNamespace\":\"ns\",\"PodUID\":\"u\",\"Node\":\"n\"}"));

        assertThat(arguments).isEqualTo(new BindingArguments(new PodId("ns", "p"), "u", "n"));
        assertThatThrownBy(() -> BindingArguments.read(json("{\"PodName\":\"p\",\"PodUID\":\"u\"}")))
                .hasMessage("arguments.Node must be there");
    }

    @Test
    void victims_areReadByIdentity_orFromWholePods() {
        PreemptionArguments byIdentity = PreemptionArguments.read(json("{\"Pod\":" + POD
                + ",\"NodeNameToMetaVictims\":{\"n\":{\"Pods\":[{\"UID\":\"u\"}],\"NumPDBViolations\":2}}}"));
        PreemptionArguments whole = PreemptionArguments.read(
                json(
                        "{\"pod\":" + POD
                                + ",\"nodeNameToVictims\":{\"n\":{\"pods\":[{\"metadata\":{\"uid\":\"u\"}}],\"numPDBViolations\":2}}}"));

        assertThat(byIdentity.victims()).isEqualTo(whole.victims()).isEqualTo(Map.of("n", Victims.of(List.of("u"), 2)));
    }

    @Test
    void aNodeWithoutVictims_mayBeNull() {
        PreemptionArguments arguments =
                PreemptionArguments.read(json("{\"Pod\":" + POD + ",\"NodeNameToMetaVictims\":{\"n\":null}}"));

        assertThat(arguments.victims().get("n").uids()).isEmpty();
    }

    @Test
    void answers_haveTheNamesThatKubeSchedulerReads() {
        assertThat(written(new FilterResult(null, List.of("a"), Map.of("b", "why"), Map.of(), "")))
                .isEqualTo("{\"Nodes\":null,\"NodeNames\":[\"a\"],\"FailedNodes\":{\"b\":\"why\"},"
                        + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}");
        assertThat(written(List.of(new HostPriority("a", 7)))).isEqualTo("[{\"Host\":\"a\",\"Score\":7}]");
        assertThat(written(new BindingResult("no"))).isEqualTo("{\"Error\":\"no\"}");
        assertThat(written(new PreemptionResult(Map.of("n", Victims.of(List.of("u"), 1)))))
                .isEqualTo("{\"NodeNameToMetaVictims\":{\"n\":{\"Pods\":[{\"UID\":\"u\"}],\"NumPDBViolations\":1}}}");
    }

    @Test
    void aScoreOutOfRange_isRefused_becauseKubeSchedulerWouldBelieveIt() {
        assertThatThrownBy(() -> new HostPriority("n", 11)).hasMessage("node \"n\": score must be in 0..10, got 11");
    }
}
