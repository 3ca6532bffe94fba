package io.gpusched.simulator.mig;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Core's table of MIG models against facts that were gathered apart from it, with their sources. */
class MigFactsTest {
    private static final JsonNode FACTS = read();

    private static JsonNode read() {
        try (InputStream in = MigFactsTest.class.getResourceAsStream("/devices/mig-profiles.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(in, "facts"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<JsonNode> gpus() {
        return StreamSupport.stream(FACTS.get("gpus").spliterator(), false).toList();
    }

    private static JsonNode facts(MigGeometry model) {
        return gpus().stream()
                .filter(gpu -> gpu.get("model").asText().equals(model.product()))
                .findFirst()
                .orElseThrow();
    }

    /** What is known of the device and of the profile, by name. */
    private static NamedAmounts known(JsonNode amounts, JsonNode device) {
        TreeMap<String, Long> known = new TreeMap<>();
        amounts.properties().forEach(one -> {
            if (!one.getValue().isNull() && !device.path(one.getKey()).isNull()) {
                known.put(one.getKey(), one.getValue().asLong());
            }
        });
        return NamedAmounts.of(known);
    }

    @Test
    void models_areThoseOfTheFacts() {
        assertThat(gpus().stream().map(gpu -> gpu.get("model").asText()).toList())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(MigGeometry.values())
                        .map(MigGeometry::product)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void model_isAsTheFactsSay(MigGeometry model) {
        JsonNode facts = facts(model);
        assertThat(model.memoryGb()).isEqualTo(facts.get("nominalMemoryGB").asInt());
        assertThat(model.geometry().gridUnits())
                .isEqualTo(facts.get("gridUnits").asInt());
        assertThat(model.geometry().totals()).isEqualTo(known(facts.get("counters"), facts.get("counters")));
        List<String> names = new ArrayList<>();
        facts.get("profiles").forEach(profile -> names.add(profile.get("name").asText()));
        assertThat(model.geometry().profiles())
                .extracting(PartitionProfile::name)
                .containsExactlyElementsOf(names);
        String certainty = facts.get("placements").asText();
        assertThat(model.certainty() == MigGeometry.Certainty.INFERRED).isEqualTo(certainty.startsWith("inferred"));
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void profiles_lieAndTakeWhatTheFactsSay(MigGeometry model) {
        JsonNode facts = facts(model);
        for (int p = 0; p < facts.get("profiles").size(); p++) {
            JsonNode row = facts.get("profiles").get(p);
            PartitionProfile profile = model.geometry().profiles().get(p);
            List<Integer> starts = new ArrayList<>();
            row.get("starts").forEach(start -> starts.add(start.asInt()));
            assertThat(profile.starts()).as("%s", profile).isEqualTo(starts);
            assertThat(profile.size()).isEqualTo(row.get("gridSize").asInt());
            assertThat(profile.max()).isEqualTo(row.get("maxInstances").asInt());
            assertThat(profile.counters())
                    .as("%s", profile)
                    .isEqualTo(known(row.get("consumes"), facts.get("counters")));
            int slices = facts.get("computeSlices").asInt();
            assertThat(profile.computeMillis())
                    .isEqualTo(1_000 * row.get("computeSlices").asInt() / slices);
            if (!row.get("memoryMiB").isNull()) {
                assertThat(profile.memoryMib()).isEqualTo(row.get("memoryMiB").asLong());
            }
        }
    }
}
