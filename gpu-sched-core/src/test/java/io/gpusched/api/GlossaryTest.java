package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The glossary of docs/concepts.md has one word for one thing, and the names of core keep to it. */
class GlossaryTest {
    private static final Path PAGE = Path.of("..", "docs", "concepts.md");
    private static final Pattern ROW = Pattern.compile("^\\| ([^|]+) \\| ([^|]+) \\|([^|]*)\\|$", Pattern.MULTILINE);
    private static final Pattern BOLD = Pattern.compile("\\*\\*([^*]+)\\*\\*");
    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

    private record Entry(List<String> words, List<String> not) {}

    private static List<Entry> glossary() throws IOException {
        String page = Files.readString(PAGE).replace("\r\n", "\n");
        return ROW.matcher(page.substring(page.indexOf("## Glossary")))
                .results()
                .filter(row -> !row.group(1).equals("word"))
                .map(row -> new Entry(words(row.group(1)), words(row.group(3))))
                .toList();
    }

    /** The words that the text above the glossary explains. */
    private static Stream<String> bold() throws IOException {
        return BOLD.matcher(Files.readString(PAGE))
                .results()
                .map(word -> word.group(1).toLowerCase(Locale.ROOT));
    }

    private static List<String> words(String cell) {
        return Arrays.stream(cell.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The words in the names of a type and its members, in lower case, each as it stands and without a plural's s. */
    private static Stream<String> words(JavaClass type) {
        Stream<String> members = type.getMembers().stream()
                .filter(member ->
                        !member.getName().contains("$") && !member.getName().startsWith("<"))
                .map(JavaMember::getName);
        return Stream.concat(Stream.of(type.getSimpleName()), members)
                .flatMap(name ->
                        WORD.matcher(name).results().map(word -> word.group().toLowerCase(Locale.ROOT)))
                .flatMap(word -> Stream.of(word, word.endsWith("s") ? word.substring(0, word.length() - 1) : word));
    }

    @Test
    void glossary_hasEachWordOnce_andNoWordThatItRejects() throws IOException {
        List<String> words =
                glossary().stream().flatMap(entry -> entry.words().stream()).toList();
        assertThat(words).hasSizeGreaterThan(20).doesNotHaveDuplicates();
        assertThat(Stream.concat(words.stream(), bold()).distinct()).hasSizeGreaterThan(40);
        assertThat(glossary().stream().flatMap(entry -> entry.not().stream()))
                .doesNotContainAnyElementsOf(words)
                .doesNotContainAnyElementsOf(bold().toList());
    }

    @Test
    void namesOfCore_useNoWordThatTheGlossaryRejects() throws IOException {
        Set<String> rejected = glossary().stream()
                .flatMap(entry -> entry.not().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> found = new ClassFileImporter()
                        .withImportOption(location -> !location.contains("/test-classes/"))
                        .importPackages("io.gpusched")
                        .stream()
                        .flatMap(type ->
                                words(type).filter(rejected::contains).map(word -> type.getName() + ": " + word))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).as("types with a word that the glossary rejects").isEmpty();
    }
}
