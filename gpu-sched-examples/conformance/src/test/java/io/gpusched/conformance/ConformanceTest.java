package io.gpusched.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs every vector file that comes with the tests. */
class ConformanceTest {
    private static final Path VECTORS = folder();

    private static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(ConformanceTest.class.getResource("/vectors"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> noCaseFails() throws IOException {
        return Conformance.files(VECTORS).stream()
                .map(file -> DynamicTest.dynamicTest(VECTORS.relativize(file).toString(), () -> {
                    FileResult result = Conformance.standard().run(file);
                    assertThat(result.cases()).isNotEmpty();
                    assertThat(result.cases())
                            .filteredOn(found -> found.outcome() instanceof Outcome.Failed
                                    || found.outcome() instanceof Outcome.Malformed)
                            .isEmpty();
                }));
    }

    /** Files whose cases all have a runner: what is skipped there is a documented defect. */
    @TestFactory
    Stream<DynamicTest> onlyDocumentedDefectsAreSkipped() {
        List<String> files = List.of("aliyun-gpushare", "elastic-gpu", "gaia-tkestack", "nano-gpu", "t9k");
        return files.stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    FileResult result = Conformance.standard().run(VECTORS.resolve("sharing/" + name + ".json"));
                    assertThat(result.cases())
                            .filteredOn(found -> found.outcome() instanceof Outcome.Skipped)
                            .allMatch(found -> found.advice().equals("avoid"));
                }));
    }

    @TestFactory
    Stream<DynamicTest> everyStepOfTheSlurmRecordingsPasses() throws IOException {
        return Conformance.files(VECTORS.resolve("slurm")).stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    FileResult result = Conformance.standard().run(file);
                    assertThat(result.count(Outcome.Passed.class))
                            .isEqualTo(result.cases().size());
                }));
    }
}
