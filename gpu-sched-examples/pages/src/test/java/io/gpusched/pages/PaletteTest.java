package io.gpusched.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The colours of the page, in both themes, as seen with normal and with colour-blind eyes. */
class PaletteTest {
    private static final List<String> POLICIES = List.of("p0", "p1", "p2", "p3", "p4");
    private static final List<String> STEPS = List.of("s1", "s2", "s3", "s4", "s5");

    private static Map<String, Colour> theme(String name) throws IOException {
        String css = HtmlPage.resource(HtmlPage.class, "report.css");
        int dark = css.indexOf("@media (prefers-color-scheme: dark)");
        assertThat(dark).isPositive();
        String part =
                name.equals("light") ? css.substring(0, dark) : css.substring(dark, css.indexOf("* { box-sizing"));
        Map<String, Colour> colours = new HashMap<>();
        Matcher found = Pattern.compile("--([a-z0-9]+): (#[0-9a-f]{6})").matcher(part);
        while (found.find()) {
            colours.put(found.group(1), Colour.parse(found.group(2)));
        }
        return colours;
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void text_hasTheContrastOfWcagAa(String name) throws IOException {
        Map<String, Colour> theme = theme(name);
        for (String ground : List.of("paper", "panel")) {
            for (String text : List.of("ink", "soft")) {
                assertThat(theme.get(text).contrast(theme.get(ground)))
                        .as("%s on %s", text, ground)
                        .isGreaterThan(4.5);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void curvesAndCauses_standOutFromTheirGround(String name) throws IOException {
        Map<String, Colour> theme = theme(name);
        for (String colour : POLICIES) {
            assertThat(theme.get(colour).contrast(theme.get("panel")))
                    .as(colour)
                    .isGreaterThan(3);
            assertThat(theme.get(colour).contrast(theme.get("paper")))
                    .as(colour)
                    .isGreaterThan(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void curvesAndCauses_areToldApartByEveryKindOfEye(String name) throws IOException {
        Map<String, Colour> theme = theme(name);
        for (Colour.Eye eye : Colour.Eye.values()) {
            for (String one : POLICIES) {
                for (String other : POLICIES) {
                    if (one.compareTo(other) < 0) {
                        assertThat(theme.get(one)
                                        .seenBy(eye)
                                        .distance(theme.get(other).seenBy(eye)))
                                .as("%s and %s, %s", one, other, eye)
                                .isGreaterThan(12);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void steps_growAwayFromTheGroundForEveryKindOfEye(String name) throws IOException {
        Map<String, Colour> theme = theme(name);
        for (Colour.Eye eye : Colour.Eye.values()) {
            List<Double> contrasts = Stream.concat(Stream.of("idle"), STEPS.stream())
                    .map(step -> theme.get(step).seenBy(eye).contrast(theme.get("paper")))
                    .toList();
            for (int i = 1; i < contrasts.size(); i++) {
                assertThat(contrasts.get(i) / contrasts.get(i - 1))
                        .as("step %d, %s", i, eye)
                        .isGreaterThan(1.1);
            }
        }
    }
}
