package io.gpusched.examples.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What kube-scheduler makes of the answers of extenders. */
class ExtenderCasesTest {
    private static final Outcome BY_EMULATION = Outcome.passed(Outcome.BY_EMULATION);
    private static final String TWO = "{\"nodes\": [\"a\", \"b\"]}";

    private static Outcome outcome(String kind, String given, String request, String expect) {
        return OneCase.outcome("kubernetes-scheduler-extender", kind, given, request, expect);
    }

    private static Outcome chain(String extenders, String expect) {
        return outcome("extender-chain", TWO, "{\"extenders\": " + extenders + "}", expect);
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

    @Test
    void scoresOfExtenders_countTenTimesTheirWeight_besideThoseOfPlugins() {
        String scored = "[{\"filter\": \"pass\", \"prioritize\": {\"a\": 10, \"b\": 1}, \"weight\": 1},"
                + " {\"filter\": \"pass\", \"prioritize\": [{\"Host\": \"b\", \"Score\": 10}], \"weight\": %d}]";

        assertThat(chain(scored.formatted(5), "{\"node\": \"b\", \"feasible\": 2}"))
                .isEqualTo(BY_EMULATION);
        assertThat(chain(scored.formatted(0), "{\"node\": \"a\", \"feasible\": 2}"))
                .isEqualTo(BY_EMULATION);
        assertThat(outcome(
                        "extender-chain",
                        "{\"nodes\": [\"a\", \"b\"], \"pluginScores\": {\"b\": 101}}",
                        "{\"extenders\": [{\"prioritize\": {\"a\": 10}}]}",
                        "{\"node\": \"b\"}"))
                .isEqualTo(BY_EMULATION);
    }

    @Test
    void aScorerThatFails_isPassedOver_andSoIsAnExtenderThatIsNotInterested() {
        assertThat(chain("[{\"filter\": \"only-b\", \"prioritize\": \"error\"}]", "{\"node\": \"b\"}"))
                .isEqualTo(BY_EMULATION);
        assertThat(chain(
                        "[{\"filter\": \"error\", \"interested\": false}, {\"filter\": \"only-b\"}]",
                        "{\"node\": \"b\", \"feasible\": 1}"))
                .isEqualTo(BY_EMULATION);
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
