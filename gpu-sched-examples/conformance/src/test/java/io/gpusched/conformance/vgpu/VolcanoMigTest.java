package io.gpusched.conformance.vgpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.VectorCase;
import io.gpusched.manifests.yaml.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolcanoMigTest {
    /** Two geometries: four small instances, or one large and two small ones of another profile. */
    private static final String GEOMETRIES = """
            [{"group": "small", "instances": [{"name": "1g", "memMiB": 5, "count": 4}]},
             {"group": "mixed", "instances": [{"name": "4g", "memMiB": 20, "count": 1},
                                              {"name": "2g", "memMiB": 10, "count": 2}]}]
            """;

    private static ObjectNode instance(int active, String inUse, int memoryMib) {
        String text = """
                {"given": {"gpuId": "GPU-7", "activeGeometry": %d, "instances": %s, "geometries": %s},
                 "request": {"memMiB": %d}}
                """.formatted(active, inUse, GEOMETRIES, memoryMib);
        return VolcanoMig.instance(new VectorCase(
                "one",
                "volcano-deviceshare",
                "mig-geometry",
                "match",
                YamlReader.parse("case.json", text).get(0)));
    }

    @ParameterizedTest
    @CsvSource({"5,GPU-7[small-0],5", "6,GPU-7[mixed-1],10", "20,GPU-7[mixed-0],20"})
    void anIdleGpuTakesTheFirstGeometryThatHasAnInstance_ofItTheSmallest(int memoryMib, String name, int held) {
        ObjectNode answer = instance(-1, "[]", memoryMib);
        assertThat(answer.path("instance").asText()).isEqualTo(name);
        assertThat(answer.path("memMiB").asInt()).isEqualTo(held);
    }

    @Test
    void theGeometryInUseStays_andTheFirstFreePositionIsTaken() {
        String second = "[{\"name\": \"2g\", \"memMiB\": 10, \"usedPositions\": [0]}]";
        String first = "[{\"name\": \"2g\", \"memMiB\": 10, \"usedPositions\": [1]}]";
        assertThat(instance(1, second, 5).path("instance").asText()).isEqualTo("GPU-7[mixed-2]");
        assertThat(instance(1, first, 5).path("instance").asText()).isEqualTo("GPU-7[mixed-1]");
        assertThat(instance(0, "[]", 10).path("fits").asBoolean()).isFalse();
    }

    @Test
    void onlyProfilesThatAreInUseAreGiven_andOnlyWhileAPositionIsFree() {
        String full = "[{\"name\": \"2g\", \"memMiB\": 10, \"usedPositions\": [0, 1]}]";
        assertThat(instance(1, full, 10).path("fits").asBoolean()).isFalse();
        assertThat(instance(1, full, 20).path("fits").asBoolean()).isFalse();
    }
}
