package io.gpusched.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningProgramTest {
    @TempDir
    private Path folder;

    /** Starts a program that sleeps, prints its process id, and waits. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            RunningProgram program = RunningProgram.start("sleep", List.of("sleep", "600"), Map.of(), Path.of(args[0]));
            ProcessHandle.current().children().forEach(child -> System.out.println(child.pid()));
            System.out.flush();
            while (program.isAlive()) {
                Thread.sleep(1_000);
            }
        }
    }

    @Test
    void aProgram_endsWithTheProcessThatStartedIt_alsoWhenThatIsTerminated() throws IOException, InterruptedException {
        Process parent = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        classPath(),
                        Parent.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            ProcessHandle child = ProcessHandle.of(Long.parseLong(Objects.requireNonNull(out.readLine())))
                    .orElseThrow();
            assertThat(child.isAlive()).isTrue();
            parent.destroy();
            parent.waitFor();
            assertThat(child.onExit()).succeedsWithin(Duration.ofMinutes(1));
        } finally {
            parent.destroyForcibly();
        }
    }

    /** Whoever runs tests names the classes in its own way; each of these classes knows where it came from. */
    private static String classPath() {
        return Stream.of(Parent.class, RunningProgram.class)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
