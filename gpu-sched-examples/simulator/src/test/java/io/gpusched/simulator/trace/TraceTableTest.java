package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTableTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("t.csv"), text);
    }

    private <T> List<T> read(String text, Function<TraceRow, T> toValue) throws IOException {
        return TraceTable.read(file(text), List.of("a", "b"), toValue);
    }

    private void assertRefused(String text, Function<TraceRow, ?> toValue, String message) {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read(text, toValue))
                .withMessage("file \"%s\"%s", folder.resolve("t.csv"), message);
    }

    @Test
    void rows_comeInFileOrderWithBlanksRemoved() throws IOException {
        assertThat(read("b,a\n 1 , x \n2,y\n", row -> row.text("a") + row.text("b")))
                .containsExactly("x1", "y2");
    }

    @Test
    void rows_mayHaveOtherColumns() throws IOException {
        assertThat(read("a,b,c\n1,2,3\n", row -> row.has("c") + " " + row.has("d")))
                .containsExactly("true false");
    }

    @Test
    void lineNumbers_countQuotedLineBreaks() {
        assertRefused(
                "a,b\n\"x\ny\",1\nz,oops\n",
                row -> row.number("b", 0, 9),
                ", line 4, field \"b\": must be a whole number in 0..9, got \"oops\"");
    }

    @Test
    void header_withoutAColumnIsRefusedBeforeAnyRow() {
        assertRefused("a,c\n1,2\n", row -> "", ", line 1: expected a column \"b\", got a,c");
    }

    @Test
    void fileWithoutRows_isRefused() {
        String message = ": expected a header line and at least one row, got no row";
        assertRefused("", row -> "", message);
        assertRefused("a,b\n", row -> "", message);
        assertRefused("\n\n", row -> "", message);
    }

    @Test
    void header_withAColumnTwiceIsRefused() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("a,b,a\n1,2,3\n", row -> row.text("a")))
                .withMessageStartingWith("file \"" + folder.resolve("t.csv") + "\": cannot be read: ");
    }

    @Test
    void rowWithTooFewFields_namesTheFieldThatIsMissing() {
        assertRefused("a,b\n1\n", row -> row.text("b"), ", line 2: has 1 fields, none of them for column \"b\"");
    }

    @Test
    void missingFile_isSaidSo() {
        Path missing = folder.resolve("missing.csv");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> TraceTable.read(missing, List.of(), row -> ""))
                .withMessage("file \"%s\": cannot be read: there is no such file", missing);
    }

    @Test
    void folder_cannotBeRead() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> TraceTable.read(folder, List.of(), row -> ""))
                .withMessageStartingWith("file \"" + folder + "\": cannot be read: ");
    }

    @Test
    void fileThatIsNoText_isRefused() throws IOException {
        Path bytes =
                Files.write(folder.resolve("b.csv"), new byte[] {'a', ',', 'b', '\n', (byte) 0xC3, (byte) 0x28, 0, 1});
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> TraceTable.read(bytes, List.of("a", "b"), row -> row.number("a", 0, 1)))
                .withMessageStartingWith("file \"" + bytes + "\"");
    }

    @Test
    void byteOrderMark_isNoPartOfTheFirstColumn() throws IOException {
        byte[] text = "\uFEFFa,b\n1,2\n".getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(folder.resolve("bom.csv"), text);
        assertThat(TraceTable.read(file, List.of("a"), row -> row.text("a"))).containsExactly("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; a whole number in -5..5; ''",
                "x; a whole number in -5..5; x",
                "1.5; a whole number in -5..5; 1.5",
                "6; in -5..5; 6",
                "-6; in -5..5; -6",
                "99999999999999999999; a whole number in -5..5; 99999999999999999999",
            })
    void number_outOfRangeNamesTheRange(String text, String legal, String value) {
        assertRefused(
                "a,b\n1," + text + "\n",
                row -> row.number("b", -5, 5),
                ", line 2, field \"b\": must be " + legal + ", got \"" + value + "\"");
    }

    @ParameterizedTest
    @CsvSource({"x", "NaN", "Infinity", "''"})
    void decimal_mustBeANumber(String text) {
        assertRefused(
                "a,b\n1," + text + "\n",
                row -> row.decimal("b"),
                ", line 2, field \"b\": must be a number, got \"" + text + "\"");
    }

    @Test
    void name_mustNotBeBlank() {
        assertRefused("a,b\n1, \n", row -> row.name("b"), ", line 2, field \"b\": must be not blank, got \"\"");
    }

    @Test
    void numbers_atTheEndsOfTheirRangeAreRead() throws IOException {
        assertThat(read("a,b\n-5,5\n", row -> row.number("a", -5, 5) + row.count("b", 0, 5)))
                .containsExactly(0L);
        assertThat(read("a,b\n1.25,-1e3\n", row -> row.decimal("a") + row.decimal("b")))
                .containsExactly(-998.75);
    }

    @Test
    void messageOfARow_namesItsLine() {
        assertRefused(
                "a,b\n1,2\n3,4\n",
                row -> {
                    if (row.text("a").equals("3")) {
                        throw row.bad("is odd");
                    }
                    return row;
                },
                ", line 3: is odd");
    }
}
