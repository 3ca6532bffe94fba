package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The figures of README and docs are those of docs/figures.txt, and docs/figures compares them with what commands print. */
class FiguresTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern ENTRY = Pattern.compile(
            "^figure (\\S+) (\\S+) (exact|within \\d+(?:\\.\\d+)?)\ntext (.+)\nread (.+)$", Pattern.MULTILINE);
    private static final Pattern MARKED = Pattern.compile("^<!-- figures -->\n((?:.+\n)+)", Pattern.MULTILINE);
    private static final Pattern UNMARKED_TABLE =
            Pattern.compile("^(?!<!-- figures -->).*\n\\|.*\\|\n\\|[-:|]*---:[-:|]*\\|$", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    private record Figure(String name, String page, String text, List<String> selectors) {
        String onPage() {
            return text.replaceAll("[{}]", "");
        }

        long values() {
            return text.chars().filter(c -> c == '{').count();
        }
    }

    private static List<Figure> figures() throws IOException {
        return ENTRY.matcher(read(ROOT.resolve("docs/figures.txt")))
                .results()
                .map(entry -> new Figure(
                        entry.group(1),
                        entry.group(2),
                        entry.group(4),
                        Arrays.asList(entry.group(5).split(" ; ", -1))))
                .toList();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).replace("\r\n", "\n");
    }

    @Test
    void list_isReadWhole_andEachNameIsThereOnce() throws IOException {
        long lines = read(ROOT.resolve("docs/figures.txt"))
                .lines()
                .filter(line -> line.startsWith("figure "))
                .count();
        assertThat(figures()).hasSize((int) lines).hasSizeGreaterThan(20);
        assertThat(figures()).extracting(Figure::name).doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> figure_standsOnItsPage_andEachOfItsValuesIsRead() throws IOException {
        return figures().stream()
                .map(figure -> DynamicTest.dynamicTest(figure.name(), () -> {
                    assertThat(read(ROOT.resolve(figure.page()))).contains(figure.onPage());
                    assertThat((long) figure.selectors().size())
                            .isEqualTo(figure.values())
                            .isPositive();
                }));
    }

    @TestFactory
    Stream<DynamicTest> everyFigureThatAPageMarks_isInTheList() throws IOException {
        List<Figure> figures = figures();
        return pages().stream()
                .map(page -> DynamicTest.dynamicTest(page.getFileName().toString(), () -> {
                    String name = ROOT.relativize(page).toString().replace('\\', '/');
                    List<String> known = figures.stream()
                            .filter(figure -> figure.page().equals(name))
                            .map(Figure::onPage)
                            .toList();
                    assertThat(markedLines(page))
                            .allSatisfy(line -> assertThat(known).anyMatch(line::contains));
                }));
    }

    /** The lines with a digit in what a page marks; of a table without its head. */
    private static List<String> markedLines(Path page) throws IOException {
        return MARKED.matcher(read(page))
                .results()
                .flatMap(block -> block.group(1).lines().skip(block.group(1).startsWith("|") ? 2 : 0))
                .filter(line -> line.matches(".*\\d.*"))
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> everyTableOfNumbers_isMarked() throws IOException {
        return pages().stream()
                .map(page -> DynamicTest.dynamicTest(
                        page.getFileName().toString(),
                        () -> assertThat(UNMARKED_TABLE
                                        .matcher(read(page))
                                        .results()
                                        .map(found -> found.group()))
                                .isEmpty()));
    }

    @Test
    void script_comparesWhatIsPrinted_byTheToleranceOfEachFigure() throws Exception {
        Path list = Files.writeString(folder.resolve("figures.txt"), """
                run printf '| one group | a | 1,234 | 9.96 |\\none group a 7 7\\nx/a: 3 passed\\nx/b: 4 passed\\n'
                takes 1 s
                figure rounded PAGE.md exact
                text {10.0} and {7} and {1,200}
                read cell one group a @ 2 ; sum ^x/ @ passed ; cell one group a @ 1
                figure near PAGE.md within 1.5
                text {1,000} {7} {810} {-5}
                read cell one group a @ 1 ; last one group a @ 2 ; us one group a @ 1 ; gap one group a @ 2 2
                figure other PAGE.md exact
                text {1}
                read cell no such row @ 1
                """);
        assertThat(run(list, "near")).isEqualTo("""
                1: 1,000 -> 1234, 7 -> 7, 810 -> 810, -5 -> 0 DIFFERS""");
        assertThat(run(list, "rounded")).isEqualTo("1: 10.0 -> 10.0, 7 -> 7, 1,200 -> 1234 DIFFERS");
        assertThat(run(list, "other")).isEqualTo("2: 1 -> NOT MEASURED");
        assertThat(run(list, "nothing")).isEqualTo("0: ");
    }

    /** Returns the exit code, and of the line of a figure what was compared. */
    private static String run(Path list, String figure) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "docs/figures", figure)
                .directory(ROOT.toFile())
                .redirectErrorStream(true);
        builder.environment().put("GPU_SCHED_FIGURES", list.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String line =
                printed.lines().filter(one -> one.startsWith("  ")).findFirst().orElse("");
        return process.waitFor() + ": " + line.replaceFirst("^ +\\S+ +\\S+ +(?:exact|within \\S+) +", "");
    }
}
