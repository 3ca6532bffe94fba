package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps words out of the texts that users meet: those that speak of pods, jobs and queues as if they were people, and those that were
 * once private to this project. Looked at are the sentences among the text literals of all modules, and the pages.
 */
class WordsTest {
    private static final Path ROOT = Path.of("..", "..");

    private static final Pattern BANNED = Pattern.compile(
            "\\b(who|whom|whoever|whomever|nobody|somebody|everybody|so many|so much|anew|kept away|emptied|strangers?"
                    + "|newcomers?|ordeals?|rehearsals?|outlook|vacancy|vacancies)\\b",
            Pattern.CASE_INSENSITIVE);

    /** The command {@code who}, and the values of {@code --backfill} where they are listed. */
    private static final Pattern NAMES = Pattern.compile(
            "`[^`\n]*`|--backfill nobody|anyone[^.;]{0,40}nobody|nobody \\(none|\\(nobody\\)|nobody,promised"
                    + "|gpu-sched who\\b");

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?m)^\\s*//.*$", Pattern.DOTALL);
    private static final Pattern LITERAL =
            Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);

    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```.*?^```|^ {4}.*?$");

    /** The glossary has the words that it rejects in its last column. */
    private static final Pattern REJECTED = Pattern.compile("(?s)(?<=\n## Glossary\n).*");

    private static final Pattern LINK = Pattern.compile("]\\([^)]*\\)");

    private static void find(Path file, String text, List<String> found) {
        for (MatchResult word :
                BANNED.matcher(NAMES.matcher(text).replaceAll(" ")).results().toList()) {
            found.add(ROOT.relativize(file) + ": \"" + word.group() + "\" in: " + text.strip());
        }
    }

    private static List<Path> files(Path folder, int depth, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(file -> file.toString().endsWith(end))
                    .filter(file -> !file.toString().contains("target"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void textsOfTheCode_speakOfPodsAndJobsAsThings() throws IOException {
        List<String> found = new ArrayList<>();
        int literals = 0;
        for (Path file : files(ROOT, Integer.MAX_VALUE, ".java")) {
            if (file.toString().contains(Path.of("src", "main").toString())) {
                String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
                for (MatchResult literal : LITERAL.matcher(code).results().toList()) {
                    literals++;
                    String text = literal.group(1) == null ? literal.group(2) : literal.group(1);
                    if (text.contains(" ")) {
                        find(file, text, found);
                    }
                }
            }
        }
        assertThat(literals).isGreaterThan(5_000);
        assertThat(found).isEmpty();
    }

    @Test
    void pages_speakOfPodsAndJobsAsThings() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> pages = new ArrayList<>(files(ROOT, 1, ".md"));
        pages.removeIf(page -> page.endsWith("CHANGELOG.md") || page.endsWith("CODE_OF_CONDUCT.md"));
        pages.addAll(files(ROOT.resolve("docs"), 1, ".md"));
        for (Path page : pages) {
            PROGRAM.matcher(REJECTED.matcher(Files.readString(page)).replaceAll(""))
                    .replaceAll("")
                    .lines()
                    .map(line -> LINK.matcher(line).replaceAll("]"))
                    .forEach(line -> find(page, line, found));
        }
        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(found).isEmpty();
    }

    @Test
    void aBannedWord_isFoundInATextAndNotInAName() {
        List<String> found = new ArrayList<>();
        Path file = ROOT.resolve("a.java");
        find(file, "nobody is evicted", found);
        find(file, "jobs Who wait", found);
        find(file, "start it anew after so many tries", found);
        assertThat(found).hasSize(4);
        find(file, "run `gpu-sched who`", found);
        find(file, "anyone, nobody, easy", found);
        find(file, "whole", found);
        assertThat(found).hasSize(4);
    }
}
