package io.gpusched.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A headless Chromium that tells what a page has become. */
public final class Browser {
    private final Path program;
    private final Path folder;

    private Browser(Path program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /**
     * Finds the browser; without one the test is skipped, or fails where one is required.
     *
     * @param folder where it may write
     */
    public static Browser find(Path folder) {
        Optional<Path> found = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(
                                System.getenv().getOrDefault("PATH", "").split(":"))
                        .map(part -> Path.of(part, name)))
                .filter(Files::isExecutable)
                .findFirst();
        boolean required = "true".equals(System.getenv("GPU_SCHED_REQUIRE_BROWSER"));
        assertThat(required && found.isEmpty())
                .as("GPU_SCHED_REQUIRE_BROWSER is set, and there is no chromium on the path")
                .isFalse();
        assumeTrue(found.isPresent(), "skipped: no chromium on the path");
        return new Browser(found.orElseThrow(), folder);
    }

    /** Returns the elements of a page five seconds of its own time after it was loaded. */
    public String dom(String address, String... options) throws IOException, InterruptedException {
        Path output = folder.resolve("dom.html");
        ProcessBuilder builder = new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--window-size=1280,2000",
                "--virtual-time-budget=5000",
                "--user-data-dir=" + folder.resolve("profile"),
                "--dump-dom");
        builder.command().addAll(Stream.of(options).toList());
        builder.command().add(address);
        Process process = builder.redirectOutput(output.toFile())
                .redirectError(folder.resolve("browser.log").toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("browser ends").isTrue();
        return Files.readString(output);
    }
}
