package io.gpusched.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDiffTest {
    private static List<Difference> compare(String expected, String actual) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        return JsonDiff.compare(mapper.readTree(expected), mapper.readTree(actual));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"a":1}         | {"a":1,"b":2}
                    {"a":1.5}       | {"a":1.5000000000001}
                    [1,2]           | [1,2]
                    {"a":[null]}    | {"a":[null]}
                    2               | 2.0
                    """)
    void equalValues_haveNoDifference(String expected, String actual) throws JsonProcessingException {
        assertThat(compare(expected, actual)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"a":1}         | {"b":1}       | $.a
                    {"a":[1,2]}     | {"a":[1,3]}   | $.a[1]
                    {"a":[1,2]}     | {"a":[1]}     | $.a
                    {"a":null}      | {"a":0}       | $.a
                    {"a":"1"}       | {"a":1}       | $.a
                    {"a":true}      | {"a":false}   | $.a
                    """)
    void differentValues_areFoundAtTheirPath(String expected, String actual, String path)
            throws JsonProcessingException {
        assertThat(compare(expected, actual)).extracting(Difference::path).containsExactly(path);
    }
}
