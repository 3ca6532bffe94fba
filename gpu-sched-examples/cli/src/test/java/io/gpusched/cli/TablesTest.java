package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.simulator.Estimate;
import io.gpusched.simulator.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** What tables are made of, and the seeds that name their rows. */
class TablesTest {
    @Test
    void table_alignsItsColumns() {
        TextTable table = new TextTable(1, "name", "n", "x");
        table.row("a", "12.50", "1").row(List.of("longer", "3"));
        assertThat(table.toString()).isEqualTo("""
                        name        n  x
                        a       12.50  1
                        longer      3
                        """);
    }

    @Test
    void interval_ofAPercentageEndsAt0And100() {
        assertThat(SummaryTable.interval(Estimate.of(List.of(99.0, 100.0)))).isEqualTo("93.15..100.00");
        assertThat(SummaryTable.interval(Estimate.of(List.of(50.0, 51.0)))).isEqualTo("44.15..56.85");
        assertThat(SummaryTable.interval(Estimate.of(List.of(50.0)))).isEqualTo("-");
    }

    @Test
    void halfWidth_becomesAnIntervalWhereItsHalvesDiffer() {
        assertThat(SummaryTable.halfWidth(Estimate.of(List.of(50.0, 51.0)))).isEqualTo("6.35");
        assertThat(SummaryTable.halfWidth(Estimate.of(List.of(99.0, 100.0)))).isEqualTo("93.15..100.00");
        assertThat(SummaryTable.halfWidth(Estimate.of(List.of(50.0)))).isEqualTo("-");
    }

    @Test
    void numbers_thatAreNotKnownAreDashes() {
        assertThat(SummaryTable.number("%.1f", Double.NaN)).isEqualTo("-");
        assertThat(SummaryTable.number("%,.0f", 12_345.6)).isEqualTo("12,346");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"42; 42", "42..44; 42..44", "3,1,2; 1..3", "1,5,5..6; 1,5,6", " 7 , 9 ; 7,9", "0..0; 0"})
    void seeds_areReadOnceEachAndPrintedAsTheOptionTakesThem(String text, String printed) {
        assertThat(new Seeds.Converter().convert(text)).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1..", "..2", "5..3", "-1", "1,,2", "0..10000", "1.5", "99999999999999999999"})
    void seeds_thatCannotBeReadAreQuoted(String text) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> new Seeds.Converter().convert(text))
                .withMessage("expected seeds such as 42, 42..51 or 42,45..47, each at least 0, got \"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.01", "10", "1e1", " 1 "})
    void ends_ofARangeAreLegal(String text) {
        assertThat(new Ranges.Load().convert(text)).isBetween(0.01, 10.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0099999999999999999", "10.00000000000000000001"})
    void valuesJustOutsideARange_areRefusedThoughADoubleRoundsThemIn(String text) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> new Ranges.Load().convert(text))
                .withMessage("must be in 0.01..10, got \"" + text + "\"");
    }
}
