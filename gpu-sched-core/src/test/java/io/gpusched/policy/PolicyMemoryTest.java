package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import it.unimi.dsi.fastutil.Hash;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What policies and schedulers remember is bounded, whatever becomes of the nodes. */
class PolicyMemoryTest {
    @Test
    void policies_overThousandsOfNodeChanges_needLittleMemory() throws Exception {
        assertThat(run(2_000, 10_000)).contains("look-ahead placed 10000 pods over ");
    }

    @Test
    @EnabledIfSystemProperty(named = "gpusched.long", matches = "true", disabledReason = "takes minutes")
    void policies_over100000NodeChangesAndAMillionPlacements_needLittleMemory() throws Exception {
        assertThat(run(100_000, 1_000_000)).contains("look-ahead placed 1000000 pods over ");
    }

    /** Runs all policies in a Java of their own with a heap of 128 MiB, and returns what it printed. */
    private static String run(int changes, int placements)
            throws IOException, InterruptedException, URISyntaxException {
        List<String> path = new ArrayList<>();
        for (Class<?> type : List.of(Cluster.class, PolicyMemoryRun.class, Hash.class)) {
            path.add(Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        String.join(File.pathSeparator, path),
                        PolicyMemoryRun.class.getName(),
                        String.valueOf(changes),
                        String.valueOf(placements))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.HOURS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
