package io.gpusched.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.simulator.Seeds;
import io.gpusched.simulator.paper.PaperPolicies;
import io.gpusched.simulator.policy.LibraryPolicies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a report says of how it came about.
 *
 * @param version the version of the program
 * @param command the command line
 * @param seeds the seeds that were played
 * @param policies by name, what each policy means; none where none was chosen by name
 */
record RunHeader(String version, String command, List<Long> seeds, Map<String, String> policies) {
    /**
     * Returns the header of a run.
     *
     * @param recordedOrder whether plain names mean the form of the paper, see {@link PolicyCatalog}
     */
    static RunHeader of(@Nullable CommandSpec spec, List<Long> seeds, List<String> policies, boolean recordedOrder) {
        List<String> words = new ArrayList<>(List.of("gpu-sched"));
        Objects.requireNonNull(spec)
                .root()
                .commandLine()
                .getParseResult()
                .originalArgs()
                .forEach(word -> words.add(quoted(word)));
        Map<String, String> meanings = new LinkedHashMap<>();
        policies.forEach(name -> meanings.put(name.strip(), meaning(name.strip(), recordedOrder)));
        return new RunHeader(new GpuSched.Version().getVersion()[0], String.join(" ", words), seeds, meanings);
    }

    /** Returns this header with what other names mean. */
    RunHeader meaning(Map<String, String> names) {
        return new RunHeader(version, command, seeds, names);
    }

    /** A word as a shell takes it. */
    private static String quoted(String word) {
        return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String meaning(String name, boolean recordedOrder) {
        String plain = name.replaceFirst("^core:", "").replaceFirst(PaperPolicies.SUFFIX + "$", "");
        boolean isPaper = PaperPolicies.NAMES.contains(recordedOrder ? name + PaperPolicies.SUFFIX : name);
        return LibraryPolicies.meaning(plain)
                + (isPaper ? "; in the form in which \"Beware of Fragmentation\" ran it" : "");
    }

    /** Returns a line for each thing. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(version + ": " + command);
        if (!seeds.isEmpty()) {
            notes.add(seedsInWords());
        }
        policies.forEach((name, meaning) -> notes.add(name + ": " + meaning));
        return notes;
    }

    /** Returns {@code seed 42} or {@code seeds 42,43}. */
    String seedsInWords() {
        return (seeds.size() == 1 ? "seed " : "seeds ") + new Seeds(seeds);
    }

    /**
     * Writes a summary that programs read: this, a title, and numbers by policy.
     *
     * @throws IOException if it cannot be written
     */
    void write(Path file, String title, Map<String, ?> numbers) throws IOException {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("title", title);
        summary.put("version", version);
        summary.put("command", command);
        summary.put("seeds", seeds);
        summary.put("policies", policies);
        summary.put("results", numbers);
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), summary);
    }

    @Override
    public String toString() {
        return "\n" + String.join("\n", notes()) + "\n";
    }
}
