package io.gpusched.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A seed with which a property once failed.
 *
 * @param property its class and method, {@code io.gpusched.FooProperties#property}
 * @param seed the seed
 * @param tries how many tries it takes to come to the failure
 */
record FailedSeed(String property, long seed, int tries) {
    /** Those that the module keeps. */
    static List<FailedSeed> all() {
        try (InputStream examples = FailedSeed.class.getResourceAsStream("/" + Seeds.EXAMPLES)) {
            return examples == null
                    ? List.of()
                    : new String(examples.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .map(FailedSeed::parse)
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FailedSeed parse(String line) {
        String[] words = line.strip().split("\\s+");
        if (words.length != 3 || !words[0].contains("#")) {
            throw new IllegalArgumentException(
                    Seeds.EXAMPLES + ": expected \"class#property seed tries\", got \"" + line + "\"");
        }
        return new FailedSeed(words[0], Long.parseLong(words[1]), Integer.parseInt(words[2]));
    }

    @Override
    public String toString() {
        return property + " " + seed + " " + tries;
    }
}
