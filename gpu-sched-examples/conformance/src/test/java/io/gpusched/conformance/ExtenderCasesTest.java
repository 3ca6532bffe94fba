package io.gpusched.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What kube-scheduler makes of the answers of extenders. */
class ExtenderCasesTest {
    private static final Outcome BY_EMULATION = Outcome.passed(Outcome.BY_EMULATION);

    private static Outcome outcome(String kind, String given, String request, String expect) {
        return OneCase.outcome("kubernetes-scheduler-extender", kind, given, request, expect);
    }

    private static Outcome filter(boolean nodeCacheCapable, String response, String expect) {
        String given = "{\"sent\": [\"a\", \"b\"], \"nodeCacheCapable\": " + nodeCacheCapable + "}";
        return outcome("extender-filter", given, "{\"response\": " + response + "}", expect);
    }

    private static Outcome preempt(boolean ignorable, String answered, String expect) {
        String given = "{\"sent\": [\"a\", \"b\"], \"ignorable\": " + ignorable + "}";
        String request = "{\"response\": {\"NodeNameToMetaVictims\": " + answered + "}}";
        return outcome("extender-preempt", given, request, expect);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "true;  {\"NodeNames\": [\"a\"], \"Nodes\": {\"items\": [{\"metadata\": {\"name\": \"b\"}}]}}; a",
                "false; {\"NodeNames\": [\"a\"], \"Nodes\": {\"items\": [{\"metadata\": {\"name\": \"b\"}}]}}; b",
                "true;  {\"NodeNames\": null, \"Nodes\": [\"b\"]}; b"
            })
    void namesCount_onlyIfTheExtenderKeepsNodesItself(boolean nodeCacheCapable, String response, String feasible) {
        assertThat(filter(nodeCacheCapable, response, "{\"feasible\": [\"" + feasible + "\"]}"))
                .isEqualTo(BY_EMULATION);
    }

    @Test
    void withoutNamesItMayUse_nothingIsFeasible() {
        assertThat(filter(false, "{\"NodeNames\": [\"a\"]}", "{\"feasible\": []}"))
                .isEqualTo(BY_EMULATION);
    }

    @Test
    void aNodeWithoutVictims_isAnError_orIsDroppedIfTheExtenderMayBeIgnored() {
        String answered = "{\"a\": {\"Pods\": []}, \"b\": {\"Pods\": [{\"UID\": \"u\"}]}}";

        assertThat(preempt(false, answered, "{\"error\": true}")).isEqualTo(BY_EMULATION);
        assertThat(preempt(true, answered, "{\"error\": false, \"candidates\": [\"b\"]}"))
                .isEqualTo(BY_EMULATION);
    }

    @Test
    void aNodeThatWasNotSent_isAnError_orTheAnswerIsPassedOver() {
        String answered = "{\"c\": {\"Pods\": [{\"UID\": \"u\"}]}}";

        assertThat(preempt(false, answered, "{\"error\": true}")).isEqualTo(BY_EMULATION);
        assertThat(preempt(true, answered, "{\"candidates\": [\"a\", \"b\"]}")).isEqualTo(BY_EMULATION);
    }
}
