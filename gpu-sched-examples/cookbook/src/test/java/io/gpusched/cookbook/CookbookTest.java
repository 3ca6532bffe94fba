package io.gpusched.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What docs/cookbook.md shows is the source of the recipes and what they print; all recipes are on it. */
class CookbookTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "cookbook.md");
    private static final String PACKAGE = "io.gpusched.cookbook";
    private static final Path SOURCES = Path.of("src/main/java", PACKAGE.replace('.', '/'));
    private static final Pattern SNIPPET = Pattern.compile("<!-- (\\w+) -->\n```java\n(.*?)\n```\n", Pattern.DOTALL);
    private static final Pattern OUTPUT = Pattern.compile("<!-- (\\w+) prints -->\n```\n(.*?)\n```\n", Pattern.DOTALL);
    private static final Pattern NAMED = Pattern.compile("\\| \\[(\\w+)]\\([^)]*/\\1\\.java\\) \\|");
    private static final Path PRINTS = Path.of("src/test/resources/prints");
    private static final String UPDATE = "gpusched.docs.update";

    @TestFactory
    Stream<DynamicTest> snippet_isTheSourceOfItsClass() throws IOException {
        return snippets().stream()
                .map(snippet -> DynamicTest.dynamicTest(
                        snippet.group(1),
                        () -> assertThat("\n" + flat(Files.readString(SOURCES.resolve(snippet.group(1) + ".java"))))
                                .contains("\n" + flat(snippet.group(2)) + "\n")));
    }

    @Test
    void outputOfThePage_isWhatTheRecipesPrint() throws IOException {
        String actual = OUTPUT.matcher(page())
                .replaceAll(block -> Matcher.quoteReplacement(
                        "<!-- " + block.group(1) + " prints -->\n```\n" + printedBy(block.group(1)) + "\n```\n"));
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(PAGE, actual);
        }
        assertThat(page())
                .as("%s; run with -D%s=true to write what the recipes print now", PAGE, UPDATE)
                .isEqualTo(actual);
    }

    @Test
    void everySnippetOfThePage_namesItsClass() throws IOException {
        long blocks = page().lines().filter("```java"::equals).count();
        assertThat(snippets()).hasSize((int) blocks).isNotEmpty();
    }

    @Test
    void everyRecipe_isOnThePage_withWhatItPrintsOrByItsName() throws IOException {
        TreeSet<String> shown = new TreeSet<>();
        snippets().forEach(snippet -> shown.add(snippet.group(1)));
        assertThat(OUTPUT.matcher(page()).results().map(block -> block.group(1)))
                .containsExactlyInAnyOrderElementsOf(shown);
        NAMED.matcher(page()).results().forEach(named -> shown.add(named.group(1)));
        assertThat(shown).isEqualTo(recipes());
    }

    @TestFactory
    Stream<DynamicTest> recipe_printsWhatItDid() throws IOException {
        return NAMED.matcher(page())
                .results()
                .map(named -> DynamicTest.dynamicTest(named.group(1), () -> {
                    Path file = PRINTS.resolve(named.group(1) + ".txt");
                    String printed = printedBy(named.group(1)) + "\n";
                    if (Boolean.getBoolean(UPDATE)) {
                        Files.writeString(file, printed);
                    }
                    assertThat(Files.readString(file).replace("\r\n", "\n"))
                            .as("%s; run with -D%s=true to write it", file, UPDATE)
                            .isEqualTo(printed);
                }));
    }

    private static String page() throws IOException {
        return Files.readString(PAGE).replace("\r\n", "\n");
    }

    private static List<MatchResult> snippets() throws IOException {
        return SNIPPET.matcher(page()).results().toList();
    }

    private static TreeSet<String> recipes() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> !name.equals("package-info") && !name.equals("QuickStart")) // that is on the README
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Lines without their indentation. */
    private static String flat(String text) {
        return text.replace("\r\n", "\n").lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    private static String printedBy(String recipe) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Class.forName(PACKAGE + "." + recipe)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("recipe " + recipe + " does not run", e);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).replace("\r\n", "\n").strip();
    }
}
