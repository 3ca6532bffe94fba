package io.gpusched.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.json.JsonFormatException;
import io.gpusched.replay.Outcome;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Another version of gpu-sched: the jar of its command line, whose {@code replay answers} runs in a JVM of its own. Its first line is {@link #FORM}; a version
 * that says another thing is refused.
 */
final class OtherVersion {
    /** What is said first, so that no version takes the answers of another form for its own. */
    static final String FORM = "gpu-sched answers 1";

    private static final int MIB = 1 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path jar;

    private OtherVersion(Path jar) {
        this.jar = jar;
    }

    /**
     * Returns the version of a jar.
     *
     * @throws IllegalArgumentException if it is not the jar of a command line
     */
    static OtherVersion of(Path jar) {
        String main;
        try (JarFile archive = new JarFile(jar.toFile())) {
            Manifest manifest = archive.getManifest();
            main = manifest == null ? null : manifest.getMainAttributes().getValue("Main-Class");
        } catch (IOException e) {
            throw new IllegalArgumentException(mustBe(jar) + ", which cannot be read: " + e.getMessage(), e);
        }
        if (!GpuSched.class.getName().equals(main)) {
            throw new IllegalArgumentException(
                    mustBe(jar) + (main == null ? ", which is no program" : ", which is the program " + main));
        }
        return new OtherVersion(jar);
    }

    private static String mustBe(Path jar) {
        return "jar must be the gpu-sched-cli.jar of a build or an archive, got " + jar;
    }

    /** Returns what would have happened as this version plays it. */
    Outcome outcome(List<String> arguments) {
        List<String> asked = new ArrayList<>(arguments);
        asked.add("--outcome");
        try (Answers answers = answers(asked)) {
            return Outcome.FORMAT.read(answers.next());
        } catch (JsonFormatException e) {
            throw new IllegalArgumentException("jar: what " + jar + " answers cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns what becomes of each job by one decision. */
    Map<String, String> words(List<String> arguments, long number) {
        List<String> asked = new ArrayList<>(arguments);
        asked.add("--of=" + number);
        try (Answers answers = answers(asked)) {
            return JSON.readValue(answers.next(), new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("jar: what " + jar + " answers cannot be read: " + e.getMessage(), e);
        }
    }

    /** Has this version answer, line by line, while others go on. */
    Answers answers(List<String> arguments) {
        try {
            return new Answers(arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of a running version. */
    final class Answers implements Closeable {
        private final Path errors = Files.createTempFile("gpu-sched", ".err");
        private final Process process;
        private final BufferedReader lines;

        private Answers(List<String> arguments) throws IOException {
            Path full = jar.toAbsolutePath();
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-Xmx" + Runtime.getRuntime().maxMemory() / MIB + "m");
            // a build says in the manifest where its libraries are, in an archive they are beside it
            command.addAll(List.of("-cp", full + File.pathSeparator + full.resolveSibling("*")));
            command.addAll(List.of(GpuSched.class.getName(), "replay", "answers"));
            command.addAll(arguments);
            process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String first = lines.readLine();
            if (!FORM.equals(first)) {
                String problem = first == null ? problem() : "it says \"" + first + "\"";
                close();
                throw new IllegalArgumentException("jar: " + jar + " must begin with \"" + FORM + "\", but " + problem
                        + "\nMaybe it is of a version that cannot be asked.");
            }
        }

        /** What the program complained about. */
        private String problem() throws IOException {
            List<String> said = Files.readAllLines(errors);
            return said.isEmpty() ? "it ended" : said.get(0);
        }

        String next() {
            try {
                String line = lines.readLine();
                if (line == null) {
                    throw new IllegalArgumentException("jar: " + jar + " answered no more: " + problem());
                }
                return line;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            process.destroy();
            try {
                lines.close();
                Files.deleteIfExists(errors);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
