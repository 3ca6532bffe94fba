package io.gpusched.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    private static final Path README = Path.of("..", "..", "README.md");
    private static final Path QUICK_START = Path.of("src/main/java/io/gpusched/cookbook/QuickStart.java");

    @Test
    void exampleOfTheReadme_isTheClassThatCompiles() throws IOException {
        String source = Files.readString(QUICK_START);
        assertThat(Files.readString(README))
                .contains(source.substring(source.indexOf("import ")).strip());
    }

    @Test
    void exampleOfTheReadme_printsWhatTheReadmeSays() throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            QuickStart.main();
        } finally {
            System.setOut(before);
        }
        String text =
                printed.toString(StandardCharsets.UTF_8).replace("\r\n", "\n").strip();
        assertThat(Files.readString(README)).contains("```\n" + text + "\n```");
    }
}
