package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlaceReportTest {
    private static Map<String, String> words(int nodes, int texts) {
        Map<String, String> words = new LinkedHashMap<>();
        for (int i = 0; i < nodes; i++) {
            words.put("n" + i, "word " + i % texts);
        }
        return words;
    }

    @Test
    void nodesOfWhichTheSystemSaysTheSame_standInOneLine() {
        assertThat(PlaceReport.lines(words(3, 1))).containsExactly("  n0, n1, n2: word 0");
        assertThat(PlaceReport.lines(words(15_000, 1))).containsExactly("  n0, n1, n2 and 14997 more: word 0");
        assertThat(PlaceReport.lines(words(3, 2))).containsExactly("  n0, n2: word 0", "  n1: word 1");
        assertThat(PlaceReport.lines(Map.of())).isEmpty();
    }

    @Test
    void aSystemThatSaysSomethingElseOfEachNode_isCutShort() {
        assertThat(PlaceReport.lines(words(10, 10))).hasSize(10).last().isEqualTo("  n9: word 9");
        assertThat(PlaceReport.lines(words(25, 25)))
                .hasSize(11)
                .last()
                .isEqualTo("  (15 more nodes, with other words of the system)");
    }
}
