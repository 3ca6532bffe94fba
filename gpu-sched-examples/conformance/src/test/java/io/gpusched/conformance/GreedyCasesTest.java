package io.gpusched.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pods that fit, and that a system refuses because it gives GPUs to one container after the other. */
class GreedyCasesTest {
    private static final Outcome BY_EMULATION = Outcome.passed(Outcome.BY_EMULATION);

    private static String nano(String policy, String... percents) {
        return "{\"policy\": \"" + policy + "\", \"containers\": [{\"percent\": "
                + String.join("}, {\"percent\": ", percents) + "}]}";
    }

    @Test
    void nanoGpusFirstFit_refusesWhatItsOrderOfContainersSpoils() {
        String gpus = "{\"gpus\": [{\"percentFree\": 60}, {\"percentFree\": 50}]}";

        assertThat(OneCase.outcome("nano-gpu", "fits", gpus, nano("first-fit", "50", "60"), "{\"fits\": false}"))
                .isEqualTo(BY_EMULATION);
        assertThat(OneCase.outcome("nano-gpu", "fits", gpus, nano("first-fit", "50", "60"), "{\"fits\": true}"))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(OneCase.outcome("nano-gpu", "fits", gpus, nano("first-fit", "60", "50"), "{\"fits\": true}"))
                .isEqualTo(Outcome.passed());
    }

    @Test
    void nanoGpusLargestFirst_refusesToo_whereTheSecondBestWayWouldDo() {
        String gpus = "{\"gpus\": [{\"percentFree\": 60}, {\"percentFree\": 60}]}";
        String request = nano("spread", "30", "30", "20", "20", "20");

        assertThat(OneCase.outcome("nano-gpu", "choose-per-container", gpus, request, "{\"fits\": false}"))
                .isEqualTo(BY_EMULATION);
        assertThat(OneCase.outcome("nano-gpu", "choose-per-container", "avoid", gpus, request, "{\"fits\": false}"))
                .isInstanceOf(Outcome.Skipped.class);
    }

    @Test
    void gaiaGpu_goesOnToAnotherNode_whereItsOrderSpoilsTheFullest() {
        String given = """
                {"nodes": [
                  {"name": "full", "gpus": [{"coreFree": 50, "memTotal": 4, "memFree": 4},
                                            {"coreFree": 60, "memTotal": 4, "memFree": 2}]},
                  {"name": "empty", "gpus": [{"memTotal": 4}, {"memTotal": 4}]}]}
                """;
        String pods = """
                {"pods": [{"name": "p", "containers": [{"core": 40, "mem": 2}, {"core": 50, "mem": 3}]}]}
                """;

        assertThat(OneCase.outcome("tkestack-gaia", "sequence-nodes", given, pods, "{\"nodes\": [\"empty\"]}"))
                .isEqualTo(BY_EMULATION);
    }

    @Test
    void gaiaGpu_refusesAPodWhoseFirstContainerTakesTheGpuOfTheSecond() {
        String given = "{\"gpus\": [{\"coreFree\": 50, \"memTotal\": 4, \"memFree\": 4},"
                + " {\"coreFree\": 60, \"memTotal\": 4, \"memFree\": 2}]}";
        String request = "{\"containers\": [{\"core\": 40, \"mem\": 2}, {\"core\": 50, \"mem\": 3}]}";

        assertThat(OneCase.outcome("tkestack-gaia", "choose-per-container", given, request, "{\"fits\": false}"))
                .isEqualTo(BY_EMULATION);
    }

    @Test
    void aliyunsSumOfLimits_mayBeNothing() {
        String request = "{\"containers\": [{\"limits\": {\"aliyun.com/gpu-mem\": 0}}, {\"limits\": {}}]}";

        assertThat(OneCase.outcome("aliyun-gpushare", "request-parse", "{}", request, "{\"podMem\": 0}"))
                .isEqualTo(Outcome.passed());
    }
}
