package io.gpusched.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelSelectorsTest {
    private static final CelSelectors CEL = CelSelectors.create();
    private static final String DRIVER = "gpu.example.com";

    private static boolean accepts(String text, Device device) throws DeviceSelector.SelectorException {
        ResourceSlice slice = ResourceSlice.of("s", DRIVER, "p", new NodeScope.AllNodes(), List.of(device));
        return CEL.of(text).predicate().accepts(slice, device);
    }

    private static Device gpu() {
        return Device.builder("gpu-0")
                .attribute("model", AttributeValue.of("H100"))
                .attribute("index", AttributeValue.of(3))
                .attribute("driverVersion", AttributeValue.ofVersion("550.54.15"))
                .attribute("resource.kubernetes.io/pcieRoot", AttributeValue.of("pci0000:10"))
                .capacity("memory", DeviceCapacity.of(DeviceAmount.of(80L << 30)))
                .build();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            device.driver == "gpu.example.com"                                                   | true
            device.attributes["gpu.example.com"].model == "H100"                                 | true
            device.attributes["gpu.example.com"].model.lowerAscii().matches("^h[0-9]+$")         | true
            device.attributes["resource.kubernetes.io"].pcieRoot.endsWith("10")                  | true
            device.attributes["gpu.example.com"].driverVersion.compareTo(semver("550.0.0")) >= 0 | true
            device.attributes["gpu.example.com"].driverVersion.isLessThan(semver("v540.1", true)) | false
            device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) == 0           | true
            device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("81G"))             | true
            device.capacity["gpu.example.com"].memory.sub(quantity("40Gi")) == quantity("40Gi")  | true
            "unknown.example.com" in device.attributes                                           | false
            "fabric" in device.attributes["unknown.example.com"]                                 | false
            device.attributes["gpu.example.com"].?fabric.orValue("none") == "none"               | true
            cel.bind(a, device.attributes["gpu.example.com"], a.index % 2 == 1)                  | true
            device.allowMultipleAllocations                                                      | false
            """)
    void expressionsReadADevice_asKubernetesDoes(String text, boolean accepted) throws Exception {
        assertThat(CEL.problem(text)).isEmpty();
        assertThat(accepts(text, gpu())).isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ?!                                                    | ERROR
            noSuchVar                                             | undeclared reference to 'noSuchVar'
            device.name == "gpu-0"                                | undefined field 'name'
            device.driver                                         | must evaluate to bool, got string
            device.attributes["a"].b.includes("fish")             | undeclared reference to 'includes'
            """)
    void aTextThatDoesNotCompile_isMalformed_andTheReasonIsTold(String text, String reason) {
        assertThat(CEL.of(text).kind()).isEqualTo(DeviceSelector.Kind.MALFORMED);
        assertThat(CEL.of(text).text()).isEqualTo(text);
        assertThat(CEL.problem(text).orElseThrow()).contains(reason);
    }

    @Test
    void anAttributeThatADeviceDoesNotHave_isAnErrorOnThatDevice() {
        assertThatThrownBy(() -> accepts("device.attributes[\"gpu.example.com\"].fabric == 1", gpu()))
                .isInstanceOf(DeviceSelector.SelectorException.class)
                .hasMessageContaining("fabric");
    }

    @Test
    void anEvaluationThatCostsTooMuch_isAnError() {
        String text = "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c,"
                + " [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f,"
                + " a + b + c + d + e + f > 0))))))";
        assertThatThrownBy(() -> accepts(text, gpu()))
                .isInstanceOf(DeviceSelector.SelectorException.class)
                .hasMessageContaining("actual cost limit exceeded");
    }

    /** Each is taken by Kubernetes' API server, or was before it looked at regular expressions; the third asks for a stack of any size. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cel.bind(x, '@', x.replace('a', x).size() > 0)       | string_replace
            cel.bind(x, '@', x.split('').join(x).size() > 0)     | list_join
            'a'.matches('(a{0,1000})' + '{0,1000}')              | matches_string
            'a'.matches('((a[b-d]{3}){100}){2,30}')               | matches_string
            'a'.find('(a{0,1000}){0,1000}') == ''                | kubernetes_find
            """)
    void aSelectorThatWouldFillTheMemory_isAnErrorOnTheDevice(String text, String reason) {
        String large = text.replace("@", "a".repeat(4_000));
        assertThatThrownBy(() -> accepts(large, gpu()))
                .isInstanceOf(DeviceSelector.SelectorException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'banana'.replace('an', 'x') == 'bxxa'
            'banana'.replace('a', '', 2) == 'bnna'
            'banana'.replace('', '-') == '-b-a-n-a-n-a-'
            'banana'.replace('', '-', 2) == '-b-anana'
            'banana'.replace('a', 'b', 0) == 'banana' && 'banana'.replace('a', 'b', -1) == 'bbnbnb'
            ['a', 'b', 'c'].join() == 'abc' && ['a', 'b'].join(', ') == 'a, b' && [].join('x') == ''
            '1234abcd-1234-1234-1234-1234567890ab'.matches('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
            'NVIDIA H100 80GB'.matches('(?i)h[12]00') && matches('a{b', 'a[{]b') && !'a'.matches('[^]a]')
            """)
    void functionsOfTexts_areThoseOfGo(String text) throws Exception {
        assertThat(CEL.problem(text)).isEmpty();
        assertThat(accepts(text, gpu())).isTrue();
    }

    @Test
    void aTextThatIsReadLater_costsNothingUntilADeviceIsAskedAbout_andSaysThenThatItIsNone() throws Exception {
        CelSelectors selectors = CelSelectors.create();
        ResourceSlice slice = ResourceSlice.of("s", DRIVER, "p", new NodeScope.AllNodes(), List.of(gpu()));
        DeviceSelector usable = selectors.later("device.driver == '" + DRIVER + "'");
        DeviceSelector malformed = selectors.later("?!");
        assertThat(selectors.spent()).isZero();
        assertThat(usable.predicate().accepts(slice, gpu())).isTrue();
        assertThat(usable).isEqualTo(selectors.of(usable.text()));
        assertThat(selectors.spent()).isPositive();
        assertThatThrownBy(() -> malformed.predicate().accepts(slice, gpu()))
                .hasMessageStartingWith(CelSelectors.UNREADABLE);
    }

    @Test
    void aReaderThatLetsASelectorCostLess_endsItsEvaluationEarlier() throws DeviceSelector.SelectorException {
        String text = "device.driver == 'a'";
        ResourceSlice slice = ResourceSlice.of("s", DRIVER, "p", new NodeScope.AllNodes(), List.of(gpu()));
        DeviceSelector allowed = CelSelectors.create(3).of(text);
        DeviceSelector costly = CelSelectors.create(2).of(text);
        assertThat(allowed.predicate().accepts(slice, gpu())).isFalse();
        assertThatThrownBy(() -> costly.predicate().accepts(slice, gpu())).hasMessage(CelSelectors.TOO_COSTLY);
        assertThatThrownBy(() -> CelSelectors.create(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("mostCost", "1", "1000000", "0");
    }

    @Test
    void equalTexts_areOneSelector() {
        assertThat(CEL.of("device.driver == 'x'")).isEqualTo(CEL.of("device.driver == 'x'"));
    }

    /** Expressions of Kubernetes' own tests with what came of them; those on list attributes are of an alpha feature. */
    @TestFactory
    Stream<DynamicTest> recordedExpressions_haveTheirRecordedOutcomes() throws IOException {
        return recorded()
                .map(row -> DynamicTest.dynamicTest(
                        row.path("name").asText(),
                        () -> assertThat(outcome(row))
                                .isEqualTo(row.path("outcome").asText())));
    }

    @TestFactory
    Stream<DynamicTest> recordedExpressions_costWhatTheyCostInKubernetes() throws IOException {
        return recorded()
                .filter(row -> row.has("cost"))
                .map(row -> DynamicTest.dynamicTest(row.path("name").asText(), () -> {
                    Device device = device(row);
                    String text = row.path("expression").asText();
                    assertThat(CEL.cost(text, slice(row, device), device))
                            .isEqualTo(row.path("cost").asLong());
                }));
    }

    private static Stream<JsonNode> recorded() throws IOException {
        JsonNode root;
        try (InputStream in = new GZIPInputStream(
                Objects.requireNonNull(CelSelectorsTest.class.getResourceAsStream("/cel-expressions.json.gz")))) {
            root = new ObjectMapper().readTree(in);
        }
        return StreamSupport.stream(root.spliterator(), false)
                .filter(row -> !row.path("expression").asText().contains("includes(")
                        && !row.path("driver").asText().isEmpty()
                        && !row.path("env").asText().equals("new"));
    }

    private static String outcome(JsonNode row) {
        String text = row.path("expression").asText();
        if (CEL.problem(text).isPresent()) {
            return "compileError";
        }
        Device device = device(row);
        try {
            return CEL.of(text).predicate().accepts(slice(row, device), device) ? "match" : "noMatch";
        } catch (DeviceSelector.SelectorException e) {
            return "runtimeError";
        }
    }

    private static ResourceSlice slice(JsonNode row, Device device) {
        return ResourceSlice.of("s", row.path("driver").asText(), "p", new NodeScope.AllNodes(), List.of(device));
    }

    private static Device device(JsonNode row) {
        Device.Builder builder = Device.builder("d")
                .shareable(row.path("allowMultipleAllocations").asBoolean());
        for (Map.Entry<String, JsonNode> one : row.path("attributes").properties()) {
            builder.attribute(one.getKey(), value(one.getValue()));
        }
        for (Map.Entry<String, JsonNode> one : row.path("capacity").properties()) {
            builder.capacity(
                    one.getKey(),
                    DeviceCapacity.of(DeviceAmount.parse(one.getValue().asText())));
        }
        return builder.build();
    }

    private static AttributeValue value(JsonNode value) {
        String type = value.fieldNames().next();
        JsonNode content = value.get(type);
        if (content.isArray()) {
            List<Object> elements = new ArrayList<>();
            content.forEach(one -> elements.add(
                    one.isBoolean()
                            ? (Object) one.asBoolean()
                            : one.isNumber() ? (Object) one.asLong() : one.asText()));
            return AttributeValue.listOf(type(type.substring(0, type.length() - 1)), elements);
        }
        return switch (type) {
            case "int" -> AttributeValue.of(content.asLong());
            case "bool" -> AttributeValue.of(content.asBoolean());
            case "version" -> AttributeValue.ofVersion(content.asText());
            default -> AttributeValue.of(content.asText());
        };
    }

    private static AttributeValue.Type type(String name) {
        return switch (name) {
            case "int" -> AttributeValue.Type.INT;
            case "bool" -> AttributeValue.Type.TRUTH;
            case "version" -> AttributeValue.Type.VERSION;
            default -> AttributeValue.Type.TEXT;
        };
    }
}
