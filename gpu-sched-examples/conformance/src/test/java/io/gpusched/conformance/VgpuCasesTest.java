package io.gpusched.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Details of HAMi's and Volcano's cases that the recorded ones do not all show. */
class VgpuCasesTest {
    private static String gpu(String id, int index, int numa, int usedMib) {
        return """
                {"id": "%s", "index": %d, "numa": %d, "type": "NVIDIA", "healthy": true, "slots": {"used": %d, "total": 10},
                 "memMiB": {"used": %d, "total": 1000}, "corePercent": {"used": 0, "total": 100}}""".formatted(id, index, numa, usedMib > 0 ? 1 : 0, usedMib);
    }

    private static Outcome fit(String gpus, String container, String annotations, String expect) {
        return OneCase.outcome(
                "hami",
                "fit-one-container",
                "{\"gpus\": [" + gpus + "]}",
                "{\"container\": " + container + ", \"annotations\": " + annotations + "}",
                expect);
    }

    @Test
    void anAnnotationThatIsNull_isNotThere() {
        String stating = gpu("a", 0, 0, 0).replace("\"id\"", "\"mode\": \"hami-core\", \"id\"");
        String one = "{\"count\": 1, \"memMiB\": 10}";

        assertThat(fit(stating, one, "{\"nvidia.com/vgpu-mode\": null}", "{\"fits\": true}"))
                .isInstanceOf(Outcome.Passed.class);
        assertThat(fit(stating, one, "{\"nvidia.com/vgpu-mode\": \"\"}", "{\"fits\": false}"))
                .isInstanceOf(Outcome.Passed.class);
    }

    @Test
    void gpusOfOneNumaNode_thatDoNotStandTogether_areRefusedAsHamiScansTheList() {
        String apart = gpu("a", 0, 0, 0) + "," + gpu("b", 1, 1, 0) + "," + gpu("c", 2, 0, 0);
        String together = gpu("b", 0, 1, 0) + "," + gpu("a", 1, 0, 0) + "," + gpu("c", 2, 0, 0);
        String two = "{\"count\": 2, \"memMiB\": 10}";
        String bound = "{\"nvidia.com/numa-bind\": \"true\"}";

        assertThat(fit(apart, two, bound, "{\"fits\": false}")).isEqualTo(Outcome.passed(Outcome.BY_EMULATION));
        assertThat(fit(apart, two, bound, "{\"fits\": true}")).isInstanceOf(Outcome.Failed.class);
        assertThat(fit(together, two, bound, "{\"gpus\": [\"c\", \"a\"]}")).isEqualTo(Outcome.passed());
    }

    @Test
    void theGpusOfEachContainer_areNamedInTheOrderInWhichHamiFoundThem_alsoBehindOneWithoutGpus() {
        String given = "{\"nodes\": [{\"name\": \"n\", \"gpus\": [" + gpu("a", 0, 0, 300) + "," + gpu("b", 1, 0, 100)
                + "," + gpu("c", 2, 0, 500) + "]}]}";
        String two = "{\"count\": 2, \"memMiB\": 10}";
        String request = "{\"gpuPolicy\": \"binpack\", \"containers\": [" + two + ", null, " + two + "]}";

        assertThat(OneCase.outcome(
                        "hami",
                        "place-pod-per-node",
                        given,
                        request,
                        "{\"nodes\": {\"n\": {\"containers\": [[\"c\", \"a\"], [], [\"c\", \"a\"]]}}}"))
                .isEqualTo(Outcome.passed());
    }

    @Test
    void volcanoNamesTheGpusOfEachContainerInItsOrder_alsoBehindOneWithoutGpus() {
        String given =
                "{\"gpus\": [" + gpu("a", 0, 0, 300) + "," + gpu("b", 1, 0, 100) + "," + gpu("c", 2, 0, 500) + "]}";
        String two = "{\"count\": 2, \"memMiB\": 10}";
        String request = "{\"policy\": \"binpack\", \"containers\": [" + two + ", null, " + two + "]}";

        assertThat(OneCase.outcome(
                        "volcano-deviceshare",
                        "choose-one-container",
                        given,
                        request,
                        "{\"gpus\": [\"c\", \"a\", \"c\", \"a\"]}"))
                .isEqualTo(Outcome.passed());
    }
}
