package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a release needs is there and agrees. */
class ReleaseTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path BOM = ROOT.resolve("gpu-sched-examples/bom/pom.xml");
    private static final Pattern ADDRESS = Pattern.compile("<(repository\\.(?:host|path))>([^<]+)</");
    private static final Pattern OURS = Pattern.compile("<artifactId>(gpu-sched-[a-z-]+)</artifactId>");

    private static List<String> address(Path pom) throws IOException {
        return ADDRESS.matcher(Files.readString(pom))
                .results()
                .map(match -> match.group(1) + "=" + match.group(2))
                .toList();
    }

    private static Set<String> managed(String pom) {
        Set<String> names = new TreeSet<>();
        String managed = pom.substring(pom.indexOf("<dependencyManagement>"), pom.indexOf("</dependencyManagement>"));
        for (MatchResult name : OURS.matcher(managed).results().toList()) {
            names.add(name.group(1));
        }
        return names;
    }

    @Test
    void theAddressOfTheRepository_standsOnceInEachPomThatHasNoParent_andIsTheSame() throws IOException {
        Path parent = ROOT.resolve("pom.xml");
        assertThat(address(parent)).hasSize(2).isEqualTo(address(BOM));
        for (Path pom : List.of(parent, BOM)) {
            assertThat(Files.readString(pom)).doesNotContain("github.com/");
        }
    }

    @Test
    void theBom_listsEveryModuleThatIsPublished_andNoOther() throws IOException {
        Set<String> published = new TreeSet<>(Set.of("gpu-sched-core"));
        try (Stream<Path> modules = Files.list(ROOT.resolve("gpu-sched-examples"))) {
            for (Path module : modules.toList()) {
                Path pom = module.resolve("pom.xml");
                if (Files.exists(pom) && !pom.equals(BOM)) {
                    String text = Files.readString(pom);
                    String own = text.substring(text.indexOf("</parent>"));
                    MatchResult name = OURS.matcher(own).results().findFirst().orElseThrow();
                    if (!text.contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
                        published.add(name.group(1));
                    }
                }
            }
        }
        assertThat(managed(Files.readString(BOM))).isEqualTo(published);
    }

    @Test
    void theWorkflowOfTheContinuousIntegration_callsOneScript() throws IOException {
        assertThat(Files.readString(ROOT.resolve(".github/workflows/ci.yml"))).contains("run: .ci/run");
    }

    @Test
    void releaseNotes_areThereForTheVersionThatComesNext() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String version = pom.substring(pom.indexOf("<version>") + 9, pom.indexOf("</version>"))
                .replace("-SNAPSHOT", "");
        assertThat(Files.readString(ROOT.resolve("docs/release-notes.md"))).contains("## " + version);
    }
}
