package io.gpusched.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValuesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": [1, -2, 3000000000, 123456789012345678901234567890, 1.5, 2.0, 1e3]}",
                "[true, false, null, \"true\", \"null\", \"1\", \"\", \"<<\", \"~\"]",
                "{\"<<\": {\"b\": []}, \"c\": {}}",
                "\"text\""
            })
    void json_isTheSameAsJacksonReadsIt(String json) throws JsonProcessingException {
        YamlNode value = YamlReader.parse("f", json).get(0);
        assertThat(JsonValues.of(value)).isEqualTo(new ObjectMapper().readTree(json));
    }
}
