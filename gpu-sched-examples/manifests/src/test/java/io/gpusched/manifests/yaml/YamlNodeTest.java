package io.gpusched.manifests.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class YamlNodeTest {
    private static final YamlNode FILE = YamlReader.parse(
                    "f", "number: 7\ntext: x\nlist: [1]\nmap: {a: 1}\nlarge: 3000000000\nflag: true\n")
            .get(0);

    private static Arguments bad(String member, Function<YamlNode, Object> read, String problem) {
        return Arguments.of(member, read, problem);
    }

    static Stream<Arguments> badValues() {
        return Stream.of(
                bad("text", YamlNode::number, "must be a whole number, got \"x\""),
                bad("list", YamlNode::number, "must be a text or a number, got a list"),
                bad("gone", YamlNode::text, "must be a text or a number, got nothing"),
                bad("large", node -> node.integerOr(0), "must be in -2147483648..2147483647, got 3000000000"),
                bad("gone", YamlNode::integer, "must be a text or a number, got nothing"),
                bad("large", YamlNode::integer, "must be in -2147483648..2147483647, got 3000000000"),
                bad("text", YamlNode::decimal, "must be a number, got \"x\""),
                bad("text", YamlNode::list, "must be a list, got \"x\""),
                bad("map", YamlNode::list, "must be a list, got a mapping"),
                bad("list", YamlNode::map, "must be a mapping, got a list"),
                bad("text", node -> node.at("a"), "must be a mapping, got \"x\""),
                bad("number", YamlNode::isTrue, "must be true or false, got \"7\""),
                bad("text", node -> node.oneOf(TimeUnit.class), "must be one of [NANOSECONDS, MICROSECONDS"),
                bad("map", node -> node.only("b", "c"), "field map.a: unknown; known here are b, c"),
                bad("map", node -> node.need("b"), "field map.b: must be there"));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValue_isAnErrorThatNamesPlaceAndValue(String member, Function<YamlNode, Object> read, String problem) {
        assertThatThrownBy(() -> read.apply(FILE.at(member)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("f, line ")
                .hasMessageContaining("field " + member)
                .hasMessageContaining(problem);
    }

    @Test
    void absentValues_takeTheirDefault() {
        YamlNode gone = FILE.at("gone");
        assertThat(gone.textOr("d")).isEqualTo("d");
        assertThat(gone.numberOr(3)).isEqualTo(3);
        assertThat(gone.integerOr(3)).isEqualTo(3);
        assertThat(gone.isTrue()).isFalse();
        assertThat(gone.isTrueOr(true)).isTrue();
        assertThat(FILE.at("flag").isTrueOr(false)).isTrue();
        assertThat(gone.list()).isEmpty();
        assertThat(gone.texts()).isEmpty();
        assertThat(gone.at("below").isPresent()).isFalse();
    }

    @Test
    void whatIsThere_isToldFromNullAndFromWhatIsNot() {
        YamlNode file = YamlReader.parse("f", "a: 1\nb: ~\n").get(0);
        assertThat(file.has("a")).isTrue();
        assertThat(file.has("b")).isTrue();
        assertThat(file.has("c")).isFalse();
        assertThat(file.at("a").has("x")).isFalse();
        assertThat(file.at("a").optional()).contains(file.at("a"));
        assertThat(file.at("b").optional()).isEmpty();
    }

    @Test
    void illegalArgumentsOfABuilder_becomeErrorsOfTheField() {
        assertThatThrownBy(() -> FILE.at("text").build(() -> Integer.valueOf("x")))
                .hasMessage("f, line 2, field text: For input string: \"x\"");
        assertThatThrownBy(() -> FILE.at("large").build(() -> Math.toIntExact(3_000_000_000L)))
                .hasMessage("f, line 5, field large: is too large");
    }
}
