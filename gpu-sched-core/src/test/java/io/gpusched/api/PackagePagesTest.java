package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The page of each exported package names where to begin and shows a few lines that compile. */
class PackagePagesTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);

    /** What an example may use without saying where it comes from. */
    private static final String GIVEN = """
            GpuScheduler scheduler;
            Cluster cluster;
            NodeState state;
            Pod pod;
            PodGroup group;
            Placement placement;
            Collection<Pod> pastPods;
            """;

    @TestFactory
    Stream<DynamicTest> page_namesTheEntryPointOfItsPackage() {
        return pages((name, page) -> assertThat(page).contains("{@link " + name + "."));
    }

    @TestFactory
    Stream<DynamicTest> page_showsAtLeastFiveLinesOfUse() {
        return pages((name, page) -> assertThat(exampleOf(page).lines().count()).isGreaterThanOrEqualTo(5));
    }

    @Test
    void examples_compile(@TempDir Path out) throws IOException {
        List<SourceText> sources = new ArrayList<>();
        for (String name : PublicApi.exportedPackages()) {
            sources.add(new SourceText(name.replace('.', '_'), exampleOf(page(name))));
        }
        StringWriter said = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", out.toString());
        ToolProvider.getSystemJavaCompiler()
                .getTask(said, null, null, options, null, sources)
                .call();
        assertThat(said.toString()).isEmpty();
    }

    private interface Check {
        void accept(String packageName, String page);
    }

    private static Stream<DynamicTest> pages(Check check) {
        return PublicApi.exportedPackages().stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> check.accept(name, page(name))));
    }

    private static String page(String packageName) throws IOException {
        return Files.readString(SOURCES.resolve(packageName.replace('.', '/')).resolve("package-info.java"))
                .replace("\r\n", "\n");
    }

    private static String exampleOf(String page) {
        Matcher example = EXAMPLE.matcher(page);
        assertThat(example.find()).as("an example in <pre>{@code ... }</pre>").isTrue();
        return example.group(1).replaceAll("(?m)^ \\* ?", "");
    }

    /** A class with the lines of an example. */
    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String name, String lines) {
            super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
            String imports = Stream.concat(Stream.of("java.util"), PublicApi.exportedPackages().stream())
                    .map(each -> "import " + each + ".*;\n")
                    .collect(Collectors.joining());
            this.text = imports + "class " + name + " {\n" + GIVEN + "void run() {\n" + lines + "\n}\n}\n";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
