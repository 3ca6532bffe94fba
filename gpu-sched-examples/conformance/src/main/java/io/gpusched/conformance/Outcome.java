package io.gpusched.conformance;

import io.gpusched.manifests.yaml.InputException;
import java.util.List;
import java.util.function.Supplier;

/** What became of one case. */
public sealed interface Outcome {
    /** The remark on an answer that an emulation of the system gave, not dialect and scheduler. */
    String BY_EMULATION = "by emulation";

    /** How the remark on an answer begins that is better than the recorded one. */
    String BETTER = "better: ";

    /**
     * The answer is what the case expects, or better.
     *
     * @param note what a reader should know of it, or empty
     */
    record Passed(String note) implements Outcome {}

    /**
     * The answer is another one.
     *
     * @param differences the first places in which the two differ, at least one
     */
    record Failed(List<Difference> differences) implements Outcome {
        /** Copies the list. */
        public Failed {
            differences = List.copyOf(differences);
        }
    }

    /**
     * The case was not run, or its answer is deliberately another one.
     *
     * @param reason why
     */
    record Skipped(String reason) implements Outcome {}

    /**
     * The case cannot be understood.
     *
     * @param error names the file, the case and the field
     */
    record Malformed(String error) implements Outcome {}

    /** Returns the outcome of a case whose answer is as expected. */
    static Outcome passed() {
        return new Passed("");
    }

    /** Returns the outcome of a case whose answer is as expected, with a remark. */
    static Outcome passed(String note) {
        return new Passed(note);
    }

    /** Returns the outcome of a case whose answer differs in one place. */
    static Outcome failed(String path, String expected, String actual) {
        return new Failed(List.of(new Difference(path, expected, actual)));
    }

    /** Returns the outcome of a case that was left out. */
    static Outcome skipped(String reason) {
        return new Skipped(reason);
    }

    /**
     * Returns the outcome of a case, which never keeps others from being run: malformed if it cannot be understood, failed if
     * the library refuses what it asks.
     */
    static Outcome attempt(Supplier<Outcome> played) {
        try {
            return played.get();
        } catch (InputException e) {
            return new Malformed(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return failed("$", "an answer", e.toString());
        }
    }

    /** Returns passed for no difference, else failed. */
    static Outcome of(List<Difference> differences) {
        return differences.isEmpty() ? passed() : new Failed(differences);
    }
}
