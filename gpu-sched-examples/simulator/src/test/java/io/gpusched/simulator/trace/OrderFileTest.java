package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderFileTest {
    private static final String GOOD = "seed=7 2 0 1 0\nnoderank=7 1 0\n";

    @TempDir
    private Path folder;

    @Test
    void read_givesRowsAndRanksBySeed() throws IOException {
        Path file = Files.writeString(folder.resolve("order.txt"), GOOD + "\nseed=8 0\nnoderank=8 0 1\n");
        Map<Long, ArrivalOrder> orders = OrderFile.read(file, 3, 2);
        assertThat(orders).containsOnlyKeys(7L, 8L);
        assertThat(orders.get(7L)).isEqualTo(new ArrivalOrder(7, List.of(2, 0, 1, 0), List.of(1, 0)));
    }

    @Test
    void read_unpacksCompressedFiles() throws IOException {
        Path file = folder.resolve("order.txt.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(GOOD.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(OrderFile.read(file, 3, 2)).containsOnlyKeys(7L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "seed=7 3; line 1, field \"seed=7\": must be in 0..2, got \"3\"",
                "seed=7 -1; line 1, field \"seed=7\": must be in 0..2, got \"-1\"",
                "seed=7 x; line 1, field \"seed=7\": must be a whole number in 0..2, got \"x\"",
                "seed=x 1; line 1, field \"seed\": must be a whole number",
                "noderank=7 0 0; line 1, field \"noderank\": must hold each of 0..1 once, got 2 numbers, 1 of them different",
                "noderank=7 0; line 1, field \"noderank\": must hold each of 0..1 once, got 1 numbers",
                "seed=7 1; seed 7 has no line noderank=7",
                "hello; line 1, field \"seed\": must be seed=S ... or noderank=S ..., got \"hello\"",
            })
    void read_saysWhatIsWrong(String line, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("order.txt"), line + "\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OrderFile.read(file, 3, 2))
                .withMessageContaining("file \"" + file + "\"")
                .withMessageContaining(message);
    }

    @Test
    void read_refusesASeedGivenTwice() throws IOException {
        Path file = Files.writeString(folder.resolve("order.txt"), GOOD + "seed=7 1\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OrderFile.read(file, 3, 2))
                .withMessageContaining("line 3, field \"seed\": must be given once, got \"7\"");
    }

    private void assertRefused(Path file, String message) {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OrderFile.read(file, 3, 2))
                .withMessageContaining("file \"" + file + "\"")
                .withMessageContaining(message);
    }

    @Test
    void read_ofAMissingOrEmptyFileSaysSo() throws IOException {
        assertRefused(folder.resolve("missing.txt"), "cannot be read: there is no such file");
        assertRefused(
                Files.writeString(folder.resolve("empty.txt"), "\n\n"), "expected lines seed=S ... and noderank=S");
    }

    @Test
    void read_ofACutOffCompressedFileIsRefused() throws IOException {
        Path whole = folder.resolve("whole.txt.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(whole))) {
            out.write(GOOD.repeat(1_000).getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = Files.write(folder.resolve("cut.txt.gz"), java.util.Arrays.copyOf(bytes, bytes.length - 10));
        assertRefused(cut, "");
    }

    @Test
    void read_quotesOnlyTheStartOfALongLine() throws IOException {
        Path file = Files.writeString(folder.resolve("long.txt"), "x".repeat(100_000));
        assertRefused(file, "got \"" + "x".repeat(40) + "...\"");
    }

    @Test
    void read_ofAnotherNodeListSaysWhatMayBeWrong() throws IOException {
        Path file = Files.writeString(folder.resolve("other.txt"), "seed=7 0\nnoderank=7 0\n");
        assertRefused(file, "Maybe the file belongs to another node list.");
    }

    @Test
    void read_ofNumbersBeyondAllRangesIsRefused() throws IOException {
        assertRefused(
                Files.writeString(folder.resolve("huge.txt"), "seed=7 99999999999999999999\n"),
                "must be a whole number in 0..2, got \"99999999999999999999\"");
        assertRefused(Files.writeString(folder.resolve("seed.txt"), "seed=-7 1\n"), "field \"seed\": must be in 0..");
    }
}
