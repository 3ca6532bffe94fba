package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
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
            Dialect dialect;
            NodeManifest nodeManifest;
            PodManifest podManifest;
            """;

    @TestFactory
    Stream<DynamicTest> page_namesTheEntryPointOfItsPackage() {
        return pages((name, page) -> assertThat(page).contains("<p>Begin at {@link " + name + "."));
    }

    @TestFactory
    Stream<DynamicTest> page_showsAtLeastFiveLinesThatCompile(@TempDir Path out) {
        return pages((name, page) -> {
            Matcher example = EXAMPLE.matcher(page);
            assertThat(example.find())
                    .as("an example in <pre>{@code ... }</pre>")
                    .isTrue();
            String lines = example.group(1).replaceAll("(?m)^ \\* ?", "");
            assertThat(lines.lines().count()).as("lines of the example").isGreaterThanOrEqualTo(5);
            assertThat(compile(lines, out)).isEmpty();
        });
    }

    private interface Check {
        void accept(String packageName, String page) throws IOException;
    }

    private static Stream<DynamicTest> pages(Check check) {
        return PublicApi.exportedPackages().stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    Path page = SOURCES.resolve(name.replace('.', '/')).resolve("package-info.java");
                    check.accept(name, Files.readString(page).replace("\r\n", "\n"));
                }));
    }

    private static String compile(String lines, Path out) {
        String imports = Stream.concat(Stream.of("java.util"), PublicApi.exportedPackages().stream())
                .map(name -> "import " + name + ".*;\n")
                .collect(Collectors.joining());
        String source = imports + "class Example {\n" + GIVEN + "void run() {\n" + lines + "\n}\n}\n";
        StringWriter said = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", out.toString()),
                        null,
                        List.of(new SourceText(source)))
                .call();
        return said.toString();
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String text) {
            super(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
