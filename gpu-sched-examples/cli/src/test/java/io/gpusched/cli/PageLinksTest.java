package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the pages of the project link to is there: files, and headings within pages. */
class PageLinksTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

    @TestFactory
    Stream<DynamicTest> everyLink_leadsSomewhere() throws IOException {
        List<Path> pages = pages();
        assertThat(pages).hasSizeGreaterThan(10);
        return pages.stream()
                .map(page -> DynamicTest.dynamicTest(ROOT.relativize(page).toString(), () -> check(page)));
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        return pages;
    }

    private static void check(Path page) throws IOException {
        for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
            Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
            assertThat(target).as("target of %s", link.group()).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).as("headings of %s", target).contains(link.group(2));
            }
        }
    }

    private static List<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .toList();
    }
}
