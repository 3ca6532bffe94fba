package io.gpusched.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A module that plays properties takes their seeds from {@link Seeds}, and keeps nothing of a run for the next. */
class SeededModulesTest {
    private static List<Path> modulesWithProperties() throws IOException {
        List<Path> modules = new ArrayList<>(List.of(Path.of("")));
        try (Stream<Path> examples = Files.list(Path.of("../gpu-sched-examples"))) {
            modules.addAll(examples.filter(Files::isDirectory).sorted().toList());
        }
        modules.add(Path.of("../gpu-sched-bench"));
        List<Path> withProperties = new ArrayList<>();
        for (Path module : modules) {
            Path pom = module.resolve("pom.xml");
            if (Files.exists(pom) && Files.readString(pom).contains("<artifactId>jqwik</artifactId>")) {
                withProperties.add(module);
            }
        }
        return withProperties;
    }

    @Test
    void everyModuleWithProperties_takesTheSharedTestCode_andKeepsNoDatabase() throws IOException {
        assertThat(modulesWithProperties()).hasSizeGreaterThan(5).allSatisfy(module -> {
            assertThat(Files.readString(module.resolve("pom.xml")))
                    .contains("<artifactId>build-helper-maven-plugin</artifactId>");
            assertThat(Files.readAllLines(module.resolve("src/test/resources/junit-platform.properties")))
                    .contains("jqwik.database =");
        });
    }
}
