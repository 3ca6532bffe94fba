package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.simulator.trace.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowFileTest {
    private static final List<String> HEADER = List.of("a", "b");

    @TempDir
    private Path folder;

    /** Opens a file in a process of its own; prints whether it could. */
    static final class Other {
        public static void main(String... arguments) {
            try (RowFile file = RowFile.open(Path.of(arguments[0]), HEADER)) {
                file.add(List.of("other", "2"));
                System.out.print("opened");
            } catch (TraceException e) {
                System.out.print(e.getMessage());
            }
        }
    }

    private static String other(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    @Test
    void anotherProcess_isRefused_untilTheFileIsClosed_andNoRowIsLost() throws IOException, InterruptedException {
        Path path = folder.resolve("rows.csv");
        try (RowFile file = RowFile.open(path, HEADER)) {
            file.add(List.of("mine", "1"));
            assertThat(other(path)).startsWith("file \"" + path + "\": another run writes it\nMaybe wait for its end");
            file.add(List.of("mine", "3"));
        }
        assertThat(other(path)).isEqualTo("opened");
        assertThat(Files.readAllLines(path)).containsExactly("a,b", "mine,1", "mine,3", "other,2");
    }

    @Test
    void aSecondRunInThisProcess_isRefusedToo_andAFileThatWasReplacedCanBeOpenedAgain() throws IOException {
        Path path = folder.resolve("rows.csv");
        try (RowFile file = RowFile.open(path, HEADER)) {
            assertThatExceptionOfType(TraceException.class).isThrownBy(() -> RowFile.open(path, HEADER));
            file.add(List.of("y", "1"));
            file.replace(List.of(List.of("x", "0"), List.of("y", "1")));
        }
        try (RowFile file = RowFile.open(path, HEADER)) {
            assertThat(file.read(row -> row.get(0))).containsExactly("x", "y");
            file.add(List.of("z", "2"));
        }
        assertThat(Files.readAllLines(path)).containsExactly("a,b", "x,0", "y,1", "z,2");
    }
}
